#include "ui/views/view.h"

#include "core/base/error.h"
#include "core/version.h"
#include "ui/views/motion_pictures.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace casimir {

namespace {

// What the engine and the analyses say of one change comes within this time (ms) and is drawn together.
constexpr int gathering = 2;
constexpr int patience = 400;   // ms for which an old picture is not worth a remark
constexpr int speaking = 500;   // ms between two texts for who listens
constexpr int raising = 400;    // ms that a click may last that brings a window to the front
constexpr double copyScale = 2; // device pixels for one of the screen's, of a copied picture
} // namespace

View::View(Document& document, ViewInfo info, QWidget* parent)
    : QWidget(parent), document_(document), info_(std::move(info)), whole_(new QToolButton(this))
{
    whole_->setObjectName("show-all");
    whole_->setText(tr("Show all"));
    whole_->setToolTip(tr("The whole picture again, as at first (Z)"));
    whole_->setFocusPolicy(Qt::NoFocus); // the keys stay with the picture
    whole_->hide();
    connect(whole_, &QToolButton::clicked, this, [this] { showAll(); });
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(160, 120);
    setAccessibleName(QString::fromStdString(info_.title));
    speakTimer_.setSingleShot(true);
    speakTimer_.setInterval(speaking);
    connect(&speakTimer_, &QTimer::timeout, this, [this] {
        const QString text = spoken();
        for (QWidget* each : {static_cast<QWidget*>(this), focusProxy()})
            if (each && each->accessibleDescription() != text) {
                each->setAccessibleName(accessibleName());
                each->setAccessibleDescription(text);
            }
    });
    ageTimer_.setSingleShot(true);
    ageTimer_.setInterval(patience);
    connect(&ageTimer_, &QTimer::timeout, this, [this] {
        old_ = behind_;
        ageChanged();
    });
    // A change of the Session is seen when the engine or an analysis answers it, which both do.
    for (const auto signal : {&Document::kindChanged, &Document::snapshotChanged, &Document::analysesChanged,
                              &Document::selectionChanged, &Document::optionsChanged})
        connect(&document_, signal, this, &View::scheduleRefresh);
    connect(&document_, &Document::optionsReplaced, this, &View::restoreKept);
}

View::~View()
{
    wantPlot({});
}

void View::setTheme(const Theme& theme)
{
    if (theme == theme_)
        return;
    theme_ = theme;
    whole_->setFont(theme.font(Theme::Text::Small));
    scheduleRefresh();
    update();
}

void View::scheduleRefresh()
{
    if (pending_ || !isSeen())
        return;
    pending_ = true;
    QTimer::singleShot(gathering, this, [this] {
        if (pending_ && isSeen())
            refreshNow();
        pending_ = false;
    });
}

void View::refreshNow()
{
    pending_ = false;
    ++refreshes_;
    refresh();
    partChanged();
    if (!forFile_ && !speakTimer_.isActive())
        speakTimer_.start();
}

void View::partChanged()
{
    const bool part = !forFile_ && !showsAll();
    if (part) {
        const QRect picture = pictureRect();
        const int edge = static_cast<int>(theme_.px(6));
        whole_->adjustSize();
        whole_->move(picture.right() - edge - whole_->width(), picture.top() + edge);
        whole_->raise();
    }
    whole_->setVisible(part);
}

bool View::wasJustRaised() const
{
    return sinceRaised_.isValid() && sinceRaised_.elapsed() < raising;
}

bool View::event(QEvent* event)
{
    const bool done = QWidget::event(event);
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest)
        partChanged();
    else if (event->type() == QEvent::WindowActivate && qobject_cast<QDockWidget*>(window()))
        sinceRaised_.start();
    return done;
}

void View::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (inFront_)
        becameSeen();
}

void View::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    becameHidden();
}

void View::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    scheduleRefresh();
}

void View::setInFront(bool inFront)
{
    if (inFront == inFront_)
        return;
    inFront_ = inFront;
    if (!isVisible())
        return;
    if (inFront)
        becameSeen();
    else
        becameHidden();
}

void View::becameSeen()
{
    becameVisible();
    refreshNow();
}

void View::wantPlot(const std::string& plot)
{
    if (plot == wanted_)
        return;
    if (!plot.empty())
        document_.wantPlot(plot);
    if (!wanted_.empty())
        document_.leavePlot(wanted_);
    wanted_ = plot;
}

void View::paintTo(QPainter& painter, const QRectF& rect)
{
    painter.drawPixmap(rect.toRect(), grab());
}

void View::paintFrame(QPainter& painter, const QRectF& rect, double)
{
    paintTo(painter, rect);
}

QImage View::picture(double scale)
{
    QImage image(size() * scale, QImage::Format_RGB32);
    image.fill(Qt::white);
    const Theme before = theme_;
    setTheme(Theme::print(before.scale()));
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(scale, scale);
    paintTo(painter, QRectF(QPointF(), size()));
    painter.end();
    setTheme(before);
    return image;
}

void View::setForFile(bool transparent)
{
    forFile_ = true;
    transparent_ = transparent;
}

void View::prepare()
{
    becameVisible();
    refreshNow();
}

namespace {

QString clipboardText(DataTable table)
{
    table.made = std::string("casimir ") + version + (table.made.empty() ? "" : "\n") + table.made;
    return QString::fromStdString(csvText(table));
}

} // namespace

void View::copyPicture()
{
    QApplication::clipboard()->setImage(picture(copyScale));
}

void View::copyData()
{
    if (auto table = data())
        QApplication::clipboard()->setText(clipboardText(std::move(*table)));
}

void View::copy()
{
    auto* both = new QMimeData;
    both->setImageData(picture(copyScale));
    if (auto table = data())
        both->setText(clipboardText(std::move(*table)));
    QApplication::clipboard()->setMimeData(both);
}

QList<QAction*> View::viewActions()
{
    if (actions_)
        actions_->deleteLater();
    actions_ = new QObject(this);
    return makeActions(actions_);
}

QList<QAction*> View::makeActions(QObject*)
{
    return {};
}

void View::showMenu(const QPoint& global)
{
    QMenu menu(this);
    menu.addActions(viewActions());
    menu.addSeparator();
    menu.addAction(makeAction(actions_, tr("Copy Picture"), [this] { copyPicture(); }));
    if (data())
        menu.addAction(makeAction(actions_, tr("Copy Data"), [this] { copyData(); }));
    if (!menu.isEmpty())
        menu.exec(global);
}

void View::contextMenuEvent(QContextMenuEvent* event)
{
    event->accept();
    if (event->reason() != QContextMenuEvent::Mouse || !menuOnRelease())
        showMenu(event->globalPos());
}

void View::tell(const QString& reason)
{
    Q_EMIT document_.refused({}, reason);
}

std::string View::option(const std::string& key, const std::string& otherwise) const
{
    return document_.option(info_.id + "." + key, otherwise);
}

void View::setOption(const std::string& key, const std::string& value)
{
    document_.setOption(info_.id + "." + key, value);
    scheduleRefresh();
}

bool View::flag(const std::string& key, bool otherwise) const
{
    return option(key, otherwise ? "on" : "off") == "on";
}

double View::number(const std::string& key, double otherwise) const
{
    const std::string text = option(key);
    try {
        return text.empty() ? otherwise : parseNumber(text);
    } catch (const Error&) {
        return otherwise; // a session edited by hand
    }
}

std::vector<std::string> View::idList(const std::string& key) const
{
    std::vector<std::string> ids;
    for (const QString& id : QString::fromStdString(option(key)).split(u',', Qt::SkipEmptyParts))
        ids.push_back(id.toStdString());
    return ids;
}

void View::setIdList(const std::string& key, const std::vector<std::string>& ids)
{
    QStringList list;
    for (const std::string& id : ids)
        list << QString::fromStdString(id);
    setOption(key, list.join(u',').toStdString());
}

QAction* View::makeAction(QObject* owner, const QString& text, std::function<void()> act)
{
    auto* action = new QAction(text, owner);
    connect(action, &QAction::triggered, this, [act = std::move(act)] { act(); });
    return action;
}

QAction* View::makeSwitch(QObject* owner, const QString& text, bool on, std::function<void(bool)> act)
{
    auto* action = new QAction(text, owner);
    action->setCheckable(true);
    action->setChecked(on);
    connect(action, &QAction::triggered, this, [act = std::move(act)](bool checked) { act(checked); });
    return action;
}

QMenu* View::makeMenu(QObject* owner, const QString& text)
{
    auto* menu = new QMenu(text, this);
    connect(owner, &QObject::destroyed, menu, &QObject::deleteLater);
    return menu;
}

QMenu* View::makeLayerMenu(QObject* owner, const std::vector<std::string>& layers)
{
    QMenu* menu = makeMenu(owner, tr("Layers"));
    const std::vector<std::string> hidden = idList("hidden");
    for (const std::string& layer : layers) {
        QString name = QString::fromStdString(layer);
        name.front() = name.front().toUpper();
        const bool shown = std::find(hidden.begin(), hidden.end(), layer) == hidden.end();
        menu->addAction(makeSwitch(owner, name, shown, [this, layer](bool on) {
            std::vector<std::string> list = idList("hidden");
            std::erase(list, layer);
            if (!on)
                list.push_back(layer);
            setIdList("hidden", list);
        }));
    }
    return menu;
}

QList<QAction*> View::movingPartActions(QObject* owner, const std::optional<PlotInfo>& plot)
{
    QList<QAction*> actions;
    if (!plot)
        return actions;
    if (const auto* orbits = capability<HasOrbits>(*document_.system());
        orbits && orbits->orbitPlot() == plot->id)
        actions << makeSwitch(owner, tr("Orbit Through the State"), flag("orbit", true),
                              [this](bool on) { setOption("orbit", on ? "on" : "off"); });
    if (plot->followsState && plot->picksState) {
        QMenu* tails = makeMenu(owner, tr("Tail"));
        for (const int seconds : {0, 1, 4, 10, 30})
            tails->addAction(makeSwitch(owner, seconds == 0 ? tr("None") : tr("%1 s").arg(seconds),
                                        number("tail", MovingParts().tail) == seconds, [this, seconds](bool) {
                                            setOption("tail", std::to_string(seconds));
                                        }));
        actions << tails->menuAction();
    }
    if (!document_.session().ghosts.empty())
        actions << makeAction(owner, tr("Remove Kept Orbits"), [this] { document_.clearGhosts(); });
    return actions;
}

void View::setBehind(bool behind)
{
    if (behind == behind_)
        return;
    behind_ = behind;
    if (behind) {
        ageTimer_.start();
    } else {
        ageTimer_.stop();
        if (std::exchange(old_, false))
            ageChanged();
    }
}

void View::paintAge(QPainter& painter, const QRectF& rect) const
{
    if (!old_)
        return;
    painter.setFont(theme_.font(Theme::Text::Small));
    painter.setPen(theme_.mutedText());
    painter.drawText(rect.adjusted(0, theme_.px(4), -theme_.px(8), 0), Qt::AlignRight | Qt::AlignTop,
                     tr("computing…"));
}

void View::paintMessage(QPainter& painter, const QRectF& rect, const QString& text) const
{
    painter.setFont(theme_.font());
    painter.setPen(theme_.mutedText());
    const double pad = theme_.px(16);
    painter.drawText(rect.adjusted(pad, pad, -pad, -pad), Qt::AlignCenter | Qt::TextWordWrap, text);
}

} // namespace casimir
