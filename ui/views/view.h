// View: a widget that shows one view of the Document, and what all views share: refreshing at most once per
// turn of the event loop and only while seen, options kept in the Session, the actions of the context menu,
// the mark of a picture older than the Session. What is drawn is up to the derived classes.
#pragma once

#include "core/analysis/general_plots.h"
#include "core/files/data_table.h"
#include "core/model/system.h"
#include "ui/document/document.h"
#include "ui/render/theme.h"

#include <QElapsedTimer>
#include <QList>
#include <QTimer>
#include <QWidget>

#include <functional>
#include <optional>
#include <set>
#include <string>

class QAction;
class QMenu;
class QPainter;
class QToolButton;

namespace casimir {

class View : public QWidget {
    Q_OBJECT
public:
    View(Document& document, ViewInfo info, QWidget* parent = nullptr);
    ~View() override;

    virtual QString viewId() const { return QString::fromStdString(info_.id); }
    const ViewInfo& info() const { return info_; }

    const Theme& theme() const { return theme_; }
    virtual void setTheme(const Theme& theme);

    // What can be switched and done here, for the context menu and the window's own; made anew by each call,
    // and the ones of the call before are deleted when the event loop comes round.
    QList<QAction*> viewActions();

    // The picture on any painter; a view whose picture is not made by a painter draws its last frame.
    virtual void paintTo(QPainter& painter, const QRectF& rect);

    // The same for a file, where it may be asked for again and again with only the state moved.
    virtual void paintFrame(QPainter& painter, const QRectF& rect, double pixelRatio);
    // Why the view goes into an SVG or PDF as a picture in pixels; empty where as vectors and text.
    virtual QString pixelsBecause() { return {}; }
    // What is on screen, in print colours, at `scale` device pixels for one of the screen's.
    QImage picture(double scale);
    // The numbers behind what is seen; none where they are not of the kind that fits a table.
    virtual std::optional<DataTable> data() { return std::nullopt; }

    // A view made for a file: nothing in it may depend on what was seen before, only on the Session and the
    // time. `transparent`: without a background.
    void setForFile(bool transparent);
    // Up to when the motion must be known for the picture at time t.
    virtual double horizon(double t) const { return t; }
    // Asks for what the picture needs and takes what is there; settled() when all of it is.
    void prepare();
    virtual bool settled() const { return true; }
    // Writes into the Session what a person moved here and what is otherwise kept only after a while.
    virtual void keepNow() {}
    // Shows again what the Session keeps of the view (camera, zoom), after another one brought its own.
    virtual void restoreKept() {}

    // How often the expensive part of the picture was made: the layer under what moves, the actors of a
    // scene.
    virtual int rebuilds() const { return 0; }
    int refreshes() const { return refreshes_; }

    // Picture and data together: whoever pastes takes what it understands.
    void copy();

    // What the window's keys do with the picture: nearer by a factor > 1, moved by steps, seen whole again as
    // at first. Views bind no keys themselves but Escape, so that each key has one meaning.
    static constexpr double keyZoom = 1.25; // factor of one key press
    virtual void zoomBy(double) {}
    virtual void moveBy(int /*right*/, int /*up*/) {}
    virtual void showAll() {}
    virtual bool showsAll() const { return true; }

    // Whether a person may look at it now. Qt calls a widget behind another tab visible.
    bool isSeen() const { return isVisible() && inFront_; }

public Q_SLOTS:
    void scheduleRefresh();
    // Said by what holds the view: false while it stands behind another tab.
    void setInFront(bool inFront);

protected:
    // What is seen, in words and numbers, for who cannot see it.
    virtual QString spoken() { return {}; }
    // Brings the picture up to what the Document says now.
    virtual void refresh() = 0;
    void refreshNow();
    virtual void becameVisible() {}
    virtual void becameHidden() {}
    virtual QList<QAction*> makeActions(QObject* owner);
    // Views that use the right button for something else ask for the menu when it is released.
    virtual bool menuOnRelease() const { return false; }
    void showMenu(const QPoint& global);

    bool forFile() const { return forFile_; }
    bool transparent() const { return transparent_; }
    void copyPicture();
    void copyData();

    Document& document() { return document_; }
    const Document& document() const { return document_; }

    void tell(const QString& reason); // why something could not be done, where refusals are shown
    std::string option(const std::string& key, const std::string& otherwise = {}) const;
    void setOption(const std::string& key, const std::string& value);
    bool flag(const std::string& key, bool otherwise) const;
    double number(const std::string& key, double otherwise) const;
    // A set of ids kept as one option, separated by commas.
    std::vector<std::string> idList(const std::string& key) const;
    void setIdList(const std::string& key, const std::vector<std::string>& ids);

    QAction* makeAction(QObject* owner, const QString& text, std::function<void()> act);
    QAction* makeSwitch(QObject* owner, const QString& text, bool on, std::function<void(bool)> act);
    QMenu* makeMenu(QObject* owner, const QString& text);

    // The layers of a plot; those not shown are kept in the option "hidden".
    QMenu* makeLayerMenu(QObject* owner, const std::vector<std::string>& layers);
    // Orbit, tail and kept orbits of a plot that follows the state.
    QList<QAction*> movingPartActions(QObject* owner, const std::optional<PlotInfo>& plot);

    // True once the picture has been behind the Session for so long that a person should be told.
    bool showsAge() const { return old_; }
    void setBehind(bool behind);
    virtual void ageChanged() { update(); }
    void paintAge(QPainter& painter, const QRectF& rect) const;
    void paintMessage(QPainter& painter, const QRectF& rect, const QString& text) const;

    // Where the picture is, beside what stands around it.
    virtual QRect pictureRect() const { return rect(); }
    // To be called when another part is seen: a button brings the whole back.
    void partChanged();
    // A click that brought a floating view to the front says nothing else.
    bool wasJustRaised() const;

    bool event(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    // What is chosen for one size (how many points, what there is room for) is chosen again for another.
    void resizeEvent(QResizeEvent* event) override;
    // Asks the Document to keep this plot computed; an empty name: none. Ends with the view.
    void wantPlot(const std::string& plot);
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void becameSeen();

    Document& document_;
    ViewInfo info_;
    Theme theme_;
    QObject* actions_ = nullptr;
    std::string wanted_;
    QTimer ageTimer_, speakTimer_;
    QToolButton* whole_;
    QElapsedTimer sinceRaised_;
    bool inFront_ = true;
    bool pending_ = false, behind_ = false, old_ = false;
    bool forFile_ = false, transparent_ = false;
    int refreshes_ = 0;
};

} // namespace casimir
