// The table of everything a person can do in the window by menu, toolbar or key. Menus, the toolbar and the
// sheet of shortcuts are all made from it, so that none can drift from the others.
#pragma once

#include <QKeySequence>
#include <QList>
#include <QString>

#include <functional>
#include <vector>

class QAction;
class QMenuBar;
class QWidget;

namespace casimir {

struct ActionSpec {
    QString id;
    QString menu; // "File"; empty: not in a menu
    QString text;
    QList<QKeySequence> keys = {};
    QString tip = {};
    std::function<void()> act = {};
    bool checkable = false;
    bool separatorBefore = false;
};

class ActionTable {
public:
    ActionTable(QWidget* window, std::vector<ActionSpec> specs);

    QAction* action(const QString& id) const; // null where there is none
    const std::vector<ActionSpec>& specs() const { return specs_; }
    void fillMenus(QMenuBar* bar) const;
    // The sheet of shortcuts as HTML, by menu.
    QString sheet() const;

private:
    std::vector<ActionSpec> specs_;
    std::vector<QAction*> actions_;
};

} // namespace casimir
