// MainWindow: puts the views and panels of the present system into one window and wires them to the document.
// It shows nothing itself and knows no system by name.
#pragma once

#include "ui/document/document.h"
#include "ui/render/theme.h"
#include "ui/window/action_table.h"

#include <QMainWindow>
#include <QPointer>

#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QMenu;
class QSplitter;

namespace casimir {

class Autosave;
class View;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    // `settings` is where the layout is kept; tests give a name of their own.
    explicit MainWindow(const QString& settings = "Casimir", QWidget* parent = nullptr);
    ~MainWindow() override;

    Document& document() { return document_; }
    const ActionTable& actions() const { return *actions_; }
    View* view(const QString& id) const;

    // Tells the person why, and returns false, where the file cannot be read.
    bool openFile(const QString& path);
    bool saveFile(const QString& path);

    enum class ThemeChoice { Desktop, Light, Dark };
    void setThemeChoice(ThemeChoice choice);
    void setLectureMode(bool on);

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    static constexpr int layoutVersion = 1;

    std::vector<ActionSpec> makeActions();
    void buildBars();
    void rebuildViews();
    void placeDocks();
    void adaptToSize();
    void resetLayout();
    void saveLayout() const;
    bool restoreLayout();
    QDockWidget* addPanel(const QString& id, const QString& title, QWidget* widget);
    void applyTheme();
    void refreshTitle();
    void refreshStatus();
    void refreshHand();
    void showView(int number);
    void prepareSessions();
    void chooseFileToOpen();
    QStringList recentFiles() const;
    void rememberFile(const QString& path);
    void keepThumbnail(const QString& path);
    void offerRemains();
    void restore(const QString& path, const QString& title, const QString& file);
    bool settleUnsaved();
    void showGallery();
    void noteVisibleViews();
    void showSessionViews();
    std::vector<ShownView> shownViews() const;
    std::string placeOf(const View& view, const std::vector<ShownView>& before) const;
    void placeViews(const std::vector<ShownView>& wanted);
    bool save(bool askForName);
    void showExport();
    void copyPresent();
    void copyCommand();
    void showShortcuts();
    void showAbout();
    View* presentView() const;
    void giveKeysBack();

    Document document_;
    std::unique_ptr<Autosave> autosave_;
    QMenu* recent_ = nullptr;
    QString settingsName_;
    std::unique_ptr<ActionTable> actions_;
    QSplitter* centre_ = nullptr;
    QComboBox* systems_ = nullptr;
    QComboBox* presets_ = nullptr;
    QLabel* statusText_ = nullptr;
    QLabel* runText_ = nullptr;
    std::vector<QDockWidget*> panelDocks_;
    std::vector<QDockWidget*> viewDocks_;
    std::vector<View*> views_;
    QPointer<View> lastUsed_; // had the keys last
    ThemeChoice themeChoice_ = ThemeChoice::Desktop;
    Theme theme_;
    bool lecture_ = false;
    bool compact_ = false; // all docks of a side share one place, as the window is small
    QByteArray beforeLecture_, beforeCompact_;
};

} // namespace casimir
