#include "ui/panels/motions_panel.h"

#include "core/base/error.h"
#include "core/base/number_text.h"

#include <QAction>
#include <QCompleter>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QPixmap>
#include <QRegularExpression>
#include <QScrollArea>
#include <QStringListModel>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace casimir {

namespace {

constexpr int colours = 7; // of the palette of Motions

// Between assignments, but not inside a vector or a number with a decimal comma.
const QRegularExpression& separator()
{
    static const QRegularExpression expression(QStringLiteral("[,;\\s]+(?=[A-Za-z_][\\w.]*\\s*=)"));
    return expression;
}

QIcon swatch(const QColor& colour, int side, double ratio)
{
    QPixmap map(QSize(side, side) * ratio);
    map.setDevicePixelRatio(ratio);
    map.fill(Qt::transparent);
    QPainter painter(&map);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRoundedRect(QRectF(1, 1, side - 2, side - 2), side * 0.25, side * 0.25);
    return QIcon(map);
}

// Completes the address that is being typed last.
class AddressCompleter : public QCompleter {
public:
    AddressCompleter(const QStringList& words, QObject* parent) : QCompleter(words, parent) {}

    QString pathFromIndex(const QModelIndex& index) const override
    {
        return before_ + QCompleter::pathFromIndex(index);
    }
    QStringList splitPath(const QString& path) const override
    {
        const qsizetype cut = path.lastIndexOf(QRegularExpression(QStringLiteral("[,;\\s]"))) + 1;
        before_ = path.left(cut);
        return {path.mid(cut)};
    }

private:
    mutable QString before_;
};

QStringList addresses(const Schema& schema)
{
    QStringList words;
    const auto add = [&words](const Parameter& parameter) {
        if (parameter.type != ParameterType::List && parameter.type != ParameterType::Matrix)
            words += QString::fromStdString(parameter.id) + QLatin1Char('=');
    };
    for (const Parameter& parameter : schema.parameters())
        add(parameter);
    for (const Alias& alias : schema.aliases())
        add(alias.description);
    return words;
}

std::string valueText(const Value& value)
{
    if (const double* x = std::get_if<double>(&value))
        return numberText(*x);
    if (const long* n = std::get_if<long>(&value))
        return std::to_string(*n);
    if (const auto* word = std::get_if<std::string>(&value))
        return *word;
    std::string text;
    if (const auto* vector = std::get_if<Eigen::VectorXd>(&value))
        for (const double x : *vector)
            text += (text.empty() ? "" : ",") + numberText(x);
    return text;
}

} // namespace

std::vector<Assignment> parseAssignments(const Schema& schema, const QString& text)
{
    std::vector<Assignment> assignments;
    for (const QString& part : text.trimmed().split(separator(), Qt::SkipEmptyParts)) {
        const qsizetype sign = part.indexOf(QLatin1Char('='));
        if (sign < 0)
            throw Error("'" + part.trimmed().toStdString() + "' is not an assignment; write address=value");
        const std::string address = part.left(sign).trimmed().toStdString();
        QString value = part.mid(sign + 1).trimmed();
        if (schema.resolve(address).type == ParameterType::Real)
            value = plainNumber(value);
        assignments.push_back({address, schema.parse(address, value.toStdString())});
    }
    return assignments;
}

QString assignmentsText(const std::vector<Assignment>& assignments)
{
    std::string text;
    for (const Assignment& assignment : assignments)
        text += (text.empty() ? "" : "; ") + assignment.address + "=" + valueText(assignment.value);
    return QString::fromStdString(text);
}

MotionCard::MotionCard(Document& document, std::size_t index, QWidget* parent)
    : QWidget(parent), document_(document), index_(index)
{
    const auto named = [index](QObject* object, const char* name) {
        object->setObjectName(QStringLiteral("motion%1:%2").arg(index).arg(QLatin1String(name)));
    };
    swatch_ = new QToolButton(this);
    swatch_->setAutoRaise(true);
    swatch_->setToolTip(tr("Colour"));
    swatch_->setPopupMode(QToolButton::InstantPopup);
    swatch_->setMenu(new QMenu(swatch_));
    named(swatch_, "colour");
    label_ = new QLineEdit(this);
    label_->setFrame(false);
    label_->setAccessibleName(tr("Name of the motion"));
    named(label_, "label");
    visible_ = new QCheckBox(this);
    visible_->setToolTip(tr("Show this motion"));
    visible_->setAccessibleName(visible_->toolTip());
    named(visible_, "visible");
    more_ = new GlyphButton(Glyph::More, tr("More"), this);
    more_->setPopupMode(QToolButton::InstantPopup);
    named(more_, "more");
    method_ = new CalmComboBox(this);
    named(method_, "method");
    accuracyName_ = new ElidedLabel({}, this);
    accuracyName_->setProperty("muted", true);
    accuracy_ = new NumberField(this);
    named(accuracy_, "accuracy");
    overrides_ = new QLineEdit(this);
    overrides_->setFrame(false);
    named(overrides_, "overrides");
    refusal_ = new QLabel(this);
    refusal_->setProperty("refusal", true);
    refusal_->setWordWrap(true);
    refusal_->setTextFormat(Qt::PlainText);
    refusal_->hide();
    named(refusal_, "refusal");

    const QStringList words = addresses(document_.kind().schema);
    overrides_->setPlaceholderText(tr("as the session; or e.g. %1…").arg(words.value(0)));
    overrides_->setToolTip(
        tr("Parameters of this motion that differ: address=value, several separated by semicolons"));
    auto* completer = new AddressCompleter(words, overrides_);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    overrides_->setCompleter(completer);

    auto* top = new QHBoxLayout;
    top->setSpacing(2);
    top->addWidget(swatch_);
    top->addWidget(label_, 1);
    top->addWidget(visible_);
    top->addWidget(more_);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(4);
    middle->addWidget(method_, 1);
    middle->addWidget(accuracyName_);
    middle->addWidget(accuracy_);
    accuracyName_->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Preferred);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->setSpacing(3);
    layout->addLayout(top);
    layout->addLayout(middle);
    layout->addWidget(overrides_);
    layout->addWidget(refusal_);

    connect(swatch_->menu(), &QMenu::aboutToShow, this, &MotionCard::fillColours);
    connect(label_, &QLineEdit::editingFinished, this, [this] {
        if (!label_->isModified())
            return;
        label_->setModified(false);
        const std::string typed = label_->text().trimmed().toStdString();
        change([&](Motion& changed) { changed.label = typed; }, tr("Rename a motion"));
    });
    connect(visible_, &QCheckBox::clicked, this, [this](bool on) {
        change([on](Motion& changed) { changed.visible = on; },
               on ? tr("Show a motion") : tr("Hide a motion"));
    });
    connect(method_, &QComboBox::activated, this, [this](int i) {
        const std::string id = method_->itemData(i).toString().toStdString();
        change(
            [&](Motion& changed) {
                // Called after its method, it would be called after another one.
                if (const auto before = method(); before && changed.label == before->name)
                    changed.label = method_->itemText(i).toStdString();
                changed.method = id;
            },
            tr("Change the integrator"));
    });
    connect(accuracy_, &NumberField::committed, this, [this](const QString& text) {
        const std::optional<MethodInfo> info = method();
        try {
            const bool step = info && info->fixedStep;
            const bool open = step && (text.isEmpty() || text == tr("automatic"));
            const double x = open ? 0 : parseNumber(text.toStdString(), step ? "s" : "");
            if (step ? !(x >= 0 && x <= 1e9) : !(x > 0 && x < 1))
                throw Error(step ? tr("The step must be positive, or empty to be chosen.").toStdString()
                                 : tr("The tolerance must lie between 0 and 1.").toStdString());
            change([&](Motion& changed) { (step ? changed.options.step : changed.options.rtol) = x; },
                   step ? tr("Change the step") : tr("Change the tolerance"));
            accuracy_->restore();
        } catch (const Error& error) {
            showRefusal(QString::fromUtf8(error.what()));
        }
    });
    connect(overrides_, &QLineEdit::returnPressed, this, &MotionCard::commitOverrides);
    connect(overrides_, &QLineEdit::editingFinished, this, &MotionCard::commitOverrides);
    for (QLineEdit* line : {label_, overrides_})
        leaveOnEnterOrEscape(
            *line,
            [this] {
                clearRefusal();
                refresh();
            },
            [this] { return !refusal_->isHidden(); });
    auto* menu = new QMenu(more_);
    QAction* duplicate = menu->addAction(tr("Duplicate"), this, [this] {
        if (!motion())
            return;
        Motion copy = *motion();
        copy.label += tr(" (copy)").toStdString();
        document_.addMotion(std::move(copy));
    });
    named(duplicate, "duplicate");
    QAction* remove = menu->addAction(tr("Remove"), this, [this] { document_.removeMotion(index_); });
    named(remove, "remove");
    connect(menu, &QMenu::aboutToShow, this,
            [this, remove] { remove->setEnabled(document_.session().motions.size() > 1); });
    more_->setMenu(menu);
}

const Motion* MotionCard::motion() const
{
    const std::vector<Motion>& motions = document_.session().motions;
    return !retired_ && index_ < motions.size() ? &motions[index_] : nullptr;
}

void MotionCard::change(const std::function<void(Motion&)>& how, const QString& what)
{
    clearRefusal();
    if (!motion())
        return;
    Motion changed = *motion();
    how(changed);
    if (!document_.changeMotion(index_, std::move(changed), what))
        refresh();
}

void MotionCard::retire()
{
    retired_ = true;
    forgetTyped();
}

void MotionCard::forgetTyped()
{
    label_->setModified(false);
    accuracy_->setModified(false);
    overrides_->setModified(false);
}

std::optional<MethodInfo> MotionCard::method() const
{
    if (const Motion* present = motion())
        for (const MethodInfo& info : document_.system(index_)->methods())
            if (present->method.empty() || info.id == present->method)
                return info;
    return std::nullopt;
}

void MotionCard::commitOverrides()
{
    if (!overrides_->isModified() || !motion())
        return;
    overrides_->setModified(false);
    try {
        Motion changed = *motion();
        changed.overrides = parseAssignments(document_.kind().schema, overrides_->text());
        // Checked here so that the words of the refusal stand beside what was typed.
        (void)valuesOf(document_.kind(), document_.session(), changed);
        change([&](Motion& each) { each = changed; }, tr("Change the parameters of a motion"));
    } catch (const Error& error) {
        showRefusal(QString::fromUtf8(error.what()));
    }
}

void MotionCard::fillColours()
{
    QMenu* menu = swatch_->menu();
    menu->clear();
    for (int i = 0; i < colours; ++i)
        menu->addAction(
            swatch(theme_.colour(Colour::motion(i)), static_cast<int>(theme_.px(14)), devicePixelRatioF()),
            tr("Colour %1").arg(i + 1), this, [this, i] {
                change([i](Motion& changed) { changed.colour = i; }, tr("Change a motion's colour"));
            });
}

double MotionCard::stepInUse() const
{
    const auto snapshot = document_.snapshot();
    const auto* track = index_ < snapshot->motions.size() ? &snapshot->motions[index_] : nullptr;
    return track && track->recording ? track->recording->firstStep()
                                     : std::numeric_limits<double>::quiet_NaN();
}

void MotionCard::showStep()
{
    const double used = stepInUse();
    if (accuracy_->isAutomatic() && accuracy_->value() != used && !std::isnan(used))
        accuracy_->setAutomatic(used);
}

void MotionCard::refresh()
{
    if (!motion())
        return;
    const Motion& m = *motion();
    if (!label_->hasFocus() || !label_->isModified())
        label_->setText(QString::fromStdString(m.label));
    visible_->setChecked(m.visible);
    const int side = static_cast<int>(theme_.px(14));
    swatch_->setIconSize({side, side});
    swatch_->setIcon(swatch(theme_.colour(Colour::motion(m.colour)), side, devicePixelRatioF()));

    const std::vector<MethodInfo> methods = document_.system(index_)->methods();
    bool same = method_->count() == static_cast<int>(methods.size());
    for (std::size_t i = 0; same && i < methods.size(); ++i)
        same = method_->itemData(static_cast<int>(i)).toString().toStdString() == methods[i].id;
    const auto text = [](std::string_view view) {
        return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
    };
    if (!same) {
        method_->clear();
        for (const MethodInfo& info : methods) {
            method_->addItem(text(info.name), text(info.id));
            method_->setItemData(method_->count() - 1, text(info.summary), Qt::ToolTipRole);
        }
    }
    const std::optional<MethodInfo> info = method();
    method_->setCurrentIndex(info ? method_->findData(text(info->id)) : -1);
    method_->setToolTip(info ? text(info->summary) : QString());
    const bool step = info && info->fixedStep;
    accuracyName_->setText(step ? tr("step") : tr("rtol"));
    accuracy_->setUnit(step ? QStringLiteral("s") : QString());
    accuracy_->setToolTip(step ? tr("Length of a step; left empty, it is chosen once from the tolerance")
                               : tr("Relative error allowed in a step"));
    if (step && m.options.step == 0)
        accuracy_->setAutomatic(stepInUse());
    else
        accuracy_->setValue(step ? m.options.step : m.options.rtol);
    if (!overrides_->hasFocus() || !overrides_->isModified())
        overrides_->setText(assignmentsText(m.overrides));
}

void MotionCard::setTheme(const Theme& theme)
{
    theme_ = theme;
    more_->setTheme(theme);
    for (QWidget* small : {static_cast<QWidget*>(accuracyName_), static_cast<QWidget*>(overrides_),
                           static_cast<QWidget*>(refusal_), static_cast<QWidget*>(method_)})
        small->setFont(theme.font(Theme::Text::Small));
    QFont bold = theme.font();
    bold.setBold(index_ == 0);
    label_->setFont(bold);
    accuracy_->setFixedWidth(QFontMetrics(theme.font()).horizontalAdvance(QStringLiteral("0.0001 s")) + 12);
    refresh();
}

void MotionCard::showRefusal(const QString& reason)
{
    refusal_->setText(reason);
    refusal_->show();
}

void MotionCard::clearRefusal()
{
    refusal_->hide();
    refusal_->clear();
}

void MotionCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(mix(theme_.panel(), theme_.text(), 0.14), 1));
    painter.setBrush(theme_.panel());
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme_.px(5), theme_.px(5));
}

MotionsPanel::MotionsPanel(Document& document, QWidget* parent) : QWidget(parent), document_(document)
{
    setObjectName(QStringLiteral("motions"));
    content_ = new QWidget;
    add_ = new QToolButton(content_);
    add_->setObjectName(QStringLiteral("add-motion"));
    add_->setAutoRaise(true);
    add_->setText(tr("Add a motion"));
    add_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(add_);
    const auto action = [&](const QString& text, const char* name, bool otherMethod, bool fromPresent) {
        menu->addAction(text, this, [this, otherMethod, fromPresent] { addCopy(otherMethod, fromPresent); })
            ->setObjectName(QString::fromLatin1(name));
    };
    action(tr("With another integrator"), "add-other-integrator", true, false);
    action(tr("From the present state"), "add-from-present", false, true);
    add_->setMenu(menu);

    cards_ = new QVBoxLayout;
    cards_->setSpacing(6);
    auto* layout = new QVBoxLayout(content_);
    layout->setContentsMargins(10, 6, 10, 10);
    layout->setSpacing(6);
    layout->addLayout(cards_);
    layout->addWidget(add_, 0, Qt::AlignLeft);
    layout->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(content_);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);

    connect(&document_, &Document::sessionChanged, this, &MotionsPanel::refresh);
    connect(&document_, &Document::snapshotChanged, this, [this] {
        for (MotionCard* card : list_)
            card->showStep();
    });
    connect(&document_, &Document::refused, this, [this](const QString& address, const QString& reason) {
        for (std::size_t i = 0; i < list_.size(); ++i)
            if (address == QStringLiteral("motion:%1").arg(i))
                list_[i]->showRefusal(reason);
    });
    setTheme(theme_);
    refresh();
}

QSize MotionsPanel::sizeHint() const
{
    return {static_cast<int>(theme_.px(280)), static_cast<int>(theme_.px(260))};
}

void MotionsPanel::setTheme(const Theme& theme)
{
    theme_ = theme;
    dress(*this, theme);
    for (MotionCard* card : list_)
        card->setTheme(theme);
}

void MotionsPanel::refresh()
{
    const std::size_t count = document_.session().motions.size();
    if (builtFor_ != document_.session().kind || list_.size() > count) {
        // Cards are taken from the end, or all where the words of another system are needed. They may be in
        // the midst of a signal, so they go when it is over.
        const std::size_t keep = builtFor_ == document_.session().kind ? count : 0;
        // Which of them went is not known here: the others may stand for other Motions now.
        for (MotionCard* card : list_)
            card->forgetTyped();
        while (list_.size() > keep) {
            list_.back()->retire();
            cards_->removeWidget(list_.back());
            list_.back()->hide();
            list_.back()->deleteLater();
            list_.back()->setParent(nullptr);
            list_.pop_back();
        }
        builtFor_ = document_.session().kind;
    }
    while (list_.size() < count) {
        list_.push_back(new MotionCard(document_, list_.size(), content_));
        cards_->addWidget(list_.back());
        list_.back()->setTheme(theme_);
        dress(*this, theme_);
    }
    for (MotionCard* card : list_)
        card->refresh();
}

void MotionsPanel::addCopy(bool otherMethod, bool fromPresent)
{
    const auto& motions = document_.session().motions;
    Motion motion = motions.front();
    std::size_t number = motions.size() + 1;
    const auto taken = [&](const Motion& other) {
        return other.label == tr("Motion %1").arg(number).toStdString();
    };
    while (std::any_of(motions.begin(), motions.end(), taken))
        ++number;
    motion.label = tr("Motion %1").arg(number).toStdString();
    motion.visible = true;
    const std::vector<MethodInfo> methods = document_.system()->methods();
    if (otherMethod && !methods.empty()) {
        std::set<std::string> used;
        for (const Motion& m : motions)
            used.insert(m.method.empty() ? std::string(methods.front().id) : m.method);
        const auto free = std::find_if(methods.begin(), methods.end(), [&used](const MethodInfo& info) {
            return !used.contains(std::string(info.id));
        });
        const MethodInfo& chosen = free == methods.end() ? methods.back() : *free;
        motion.method = std::string(chosen.id);
        motion.label = std::string(chosen.name);
    }
    if (fromPresent) {
        const auto snapshot = document_.snapshot();
        if (!snapshot->motions.empty()) {
            const MotionTrack& leading = snapshot->motions.front();
            motion.from = segmentAt(*leading.system, snapshot->t, leading.state);
        }
    }
    document_.addMotion(std::move(motion));
}

} // namespace casimir
