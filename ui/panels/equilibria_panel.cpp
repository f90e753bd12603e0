#include "ui/panels/equilibria_panel.h"

#include "core/analysis/equilibria_table.h"
#include "core/analysis/known_digits.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QMenu>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace casimir {

namespace {

// How far from an equilibrium "near" is, as a fraction of the size of its point.
constexpr double nearness = 1e-3;

QToolButton* textButton(const QString& name, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setText(name);
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setPopupMode(QToolButton::InstantPopup);
    return button;
}

} // namespace

EquilibriaPanel::EquilibriaPanel(Document& document, QWidget* parent) : QWidget(parent), document_(document)
{
    setObjectName(QStringLiteral("equilibria"));
    auto* content = new QWidget;
    view_ = new EquilibriaView(content);
    const auto label = [content](const char* name, bool muted) {
        auto* l = new QLabel(content);
        l->setObjectName(QString::fromLatin1(name));
        l->setProperty("muted", muted);
        l->setWordWrap(true);
        l->setTextInteractionFlags(Qt::TextSelectableByMouse);
        return l;
    };
    status_ = label("equilibria-status", false);
    detail_ = label("equilibria-detail", true);
    facts_ = new FactList(content);
    facts_->setSymbols(true);
    orbitTitle_ = label("orbit-title", false);
    orbitTitle_->setText(tr("Orbit through the state"));
    orbitKind_ = label("orbit-kind", false);
    orbit_ = new FactList(content);
    orbit_->setObjectName(QStringLiteral("orbit-facts"));

    near_ = textButton(tr("Start near here"), content);
    near_->setObjectName(QStringLiteral("start-near"));
    near_->setToolTip(
        tr("Start the leading motion beside the chosen equilibrium, along one of its directions"));
    nearMenu_ = new QMenu(near_);
    near_->setMenu(nearMenu_);
    connect(nearMenu_, &QMenu::aboutToShow, this, &EquilibriaPanel::fillNearMenu);
    copy_ = textButton(tr("Copy"), content);
    copy_->setObjectName(QStringLiteral("copy-equilibria"));
    auto* copyMenu = new QMenu(copy_);
    const auto copyAction = [&](const QString& text, const char* name,
                                std::string (*format)(const Analysis&)) {
        QAction* action = copyMenu->addAction(text, this, [this, format] {
            if (computed_)
                copy(format(*computed_));
        });
        action->setObjectName(QString::fromLatin1(name));
    };
    copyAction(tr("As CSV"), "copy-csv", [](const Analysis& a) { return equilibriaCsv(a); });
    copyAction(tr("As LaTeX"), "copy-latex", [](const Analysis& a) { return equilibriaLatex(asKnown(a)); });
    copyAction(tr("As Markdown"), "copy-markdown",
               [](const Analysis& a) { return equilibriaMarkdown(asKnown(a)); });
    copy_->setMenu(copyMenu);
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(view_, &QWidget::customContextMenuRequested, this,
            [this, copyMenu](const QPoint& at) { copyMenu->popup(view_->mapToGlobal(at)); });

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(4);
    buttons->addWidget(near_);
    buttons->addStretch(1);
    buttons->addWidget(copy_);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(8, 4, 8, 10);
    layout->setSpacing(6);
    layout->addWidget(status_);
    layout->addWidget(view_);
    layout->addLayout(buttons);
    layout->addWidget(detail_);
    layout->addWidget(facts_);
    layout->addSpacing(8);
    layout->addWidget(orbitTitle_);
    layout->addWidget(orbitKind_);
    layout->addWidget(orbit_);
    layout->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(content);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);

    connect(view_, &EquilibriaView::chosen, this,
            [this](const QString& name) { document_.setSelection(name.toStdString()); });
    connect(&document_, &Document::analysesChanged, this, &EquilibriaPanel::refresh);
    // The answer to a change usually comes at once; only one that keeps a person waiting is shown as old.
    age_.setSingleShot(true);
    age_.setInterval(400);
    connect(&age_, &QTimer::timeout, this, &EquilibriaPanel::refresh);
    connect(&document_, &Document::sessionChanged, &age_, qOverload<>(&QTimer::start));
    connect(&document_, &Document::selectionChanged, this, &EquilibriaPanel::showSelection);
    setTheme(theme_);
    refresh();
}

QSize EquilibriaPanel::sizeHint() const
{
    return {static_cast<int>(theme_.px(280)), static_cast<int>(theme_.px(480))};
}

void EquilibriaPanel::setTheme(const Theme& theme)
{
    theme_ = theme;
    dress(*this, theme);
    view_->setTheme(theme);
    facts_->setTheme(theme);
    orbit_->setTheme(theme);
    detail_->setFont(theme.font());
    orbitTitle_->setFont(theme.font(Theme::Text::Title));
    if (shown_)
        view_->show(*shown_);
    updateGeometry();
}

void EquilibriaPanel::refresh()
{
    const auto finding = document_.analysis();
    const bool current = finding && document_.isCurrent(finding->number);
    if (finding && finding->value && finding->value != computed_) {
        computed_ = finding->value;
        shown_ = std::make_shared<Analysis>(asKnown(*computed_));
        view_->show(*shown_);
    }
    view_->setDimmed(!current);
    const QString sentence = !finding                  ? QString()
                             : !finding->error.empty() ? QString::fromStdString(finding->error)
                             : shown_                  ? QString::fromStdString(shown_->status.sentence)
                                                       : QString();
    status_->setText(SymbolText::upright(sentence.toStdString()).plain());
    status_->setVisible(!sentence.isEmpty());
    view_->setVisible(shown_ && !shown_->equilibria.empty());
    copy_->setVisible(shown_ && !shown_->equilibria.empty());
    near_->setVisible(shown_ && !shown_->equilibria.empty());

    const auto orbit = document_.orbit();
    const bool known = orbit && orbit->value;
    orbitTitle_->setVisible(known);
    orbitKind_->setVisible(known);
    orbit_->setVisible(known);
    if (known) {
        orbitKind_->setText(QString::fromStdString(orbit->value->kind));
        orbit_->setFacts(orbit->value->facts);
        orbit_->setDimmed(!document_.isCurrent(orbit->number));
    }
    showSelection();
}

const Equilibrium* EquilibriaPanel::selected() const
{
    if (!shown_)
        return nullptr;
    const auto& all = shown_->equilibria;
    const auto it = std::find_if(all.begin(), all.end(),
                                 [this](const Equilibrium& e) { return e.name == document_.selection(); });
    return it == all.end() ? nullptr : &*it;
}

void EquilibriaPanel::showSelection()
{
    view_->choose(document_.selection());
    const Equilibrium* e = selected();
    near_->setEnabled(e && !e->directions.empty());
    detail_->setVisible(e);
    // With nothing chosen, what is known of the system as a whole.
    facts_->setVisible(e || (shown_ && !shown_->derived.empty()));
    if (!e) {
        facts_->setFacts(shown_ ? shown_->derived : std::vector<Fact>());
        facts_->setDimmed(!document_.analysis() || !document_.isCurrent(document_.analysis()->number));
        return;
    }
    QString detail = SymbolText::upright(e->detail).plain();
    if (!e->basis.empty())
        detail += QStringLiteral(" (%1)").arg(QString::fromStdString(e->basis));
    detail_->setText(detail);
    std::vector<Fact> facts = e->state;
    if (e->spinRate)
        facts.push_back({{"spin_rate", "ω", tr("spin rate").toStdString(), "rad/s"}, *e->spinRate});
    facts.push_back({{"energy", "H", tr("energy").toStdString(), "J"}, e->energy});
    facts.insert(facts.end(), e->more.begin(), e->more.end());
    facts_->setFacts(facts);
    facts_->setDimmed(!document_.isCurrent(document_.analysis()->number));
}

void EquilibriaPanel::fillNearMenu()
{
    nearMenu_->clear();
    const Equilibrium* e = selected();
    if (!e)
        return;
    const std::string name = e->name;
    for (std::size_t i = 0; i < e->directions.size(); ++i)
        for (const double sign : {1.0, -1.0}) {
            const QString text =
                (sign > 0 ? tr("Direction %1, forwards") : tr("Direction %1, backwards")).arg(i + 1);
            nearMenu_->addAction(text, this, [this, name, i, sign] {
                const Equilibrium* now = selected();
                if (now && now->name == name && i < now->directions.size())
                    startNear(*now, now->directions[i], sign);
            });
        }
}

void EquilibriaPanel::startNear(const Equilibrium& equilibrium, const Eigen::VectorXd& direction, double sign)
{
    const double size = std::max(1.0, equilibrium.point.lpNorm<Eigen::Infinity>());
    const State start = equilibrium.point + sign * nearness * size * direction;
    document_.setState(document_.system()->inputsOf(start));
}

void EquilibriaPanel::copyTable() const
{
    if (computed_)
        copy(equilibriaCsv(*computed_));
}

void EquilibriaPanel::copy(const std::string& text) const
{
    QApplication::clipboard()->setText(QString::fromStdString(text));
}

} // namespace casimir
