#include "ui/window/action_table.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>

namespace casimir {

ActionTable::ActionTable(QWidget* window, std::vector<ActionSpec> specs) : specs_(std::move(specs))
{
    for (const ActionSpec& spec : specs_) {
        auto* action = new QAction(spec.text, window);
        action->setObjectName("action:" + spec.id);
        action->setShortcuts(spec.keys);
        action->setCheckable(spec.checkable);
        QString plain = spec.text;
        plain.remove('&');
        QString tip = spec.tip.isEmpty() ? plain : spec.tip;
        if (!spec.keys.isEmpty())
            tip += QString(" (%1)").arg(spec.keys.front().toString(QKeySequence::NativeText));
        action->setToolTip(tip);
        action->setStatusTip(spec.tip);
        if (spec.act)
            QObject::connect(action, &QAction::triggered, window, spec.act);
        window->addAction(action);
        actions_.push_back(action);
    }
}

QAction* ActionTable::action(const QString& id) const
{
    for (std::size_t i = 0; i < specs_.size(); ++i)
        if (specs_[i].id == id)
            return actions_[i];
    return nullptr;
}

void ActionTable::fillMenus(QMenuBar* bar) const
{
    QList<QMenu*> menus;
    for (std::size_t i = 0; i < specs_.size(); ++i) {
        if (specs_[i].menu.isEmpty())
            continue;
        QMenu* menu = nullptr;
        for (QMenu* candidate : menus)
            if (candidate->title() == specs_[i].menu)
                menu = candidate;
        if (!menu) {
            menu = bar->addMenu(specs_[i].menu);
            menu->setObjectName("menu:" + QString(specs_[i].menu).remove('&'));
            menu->setToolTipsVisible(true);
            menus.push_back(menu);
        }
        if (specs_[i].separatorBefore)
            menu->addSeparator();
        menu->addAction(actions_[i]);
    }
}

QString ActionTable::sheet() const
{
    QString html, menu;
    html += "<table cellspacing='0' cellpadding='4'>";
    for (const ActionSpec& spec : specs_) {
        if (spec.keys.isEmpty())
            continue;
        if (spec.menu != menu) {
            menu = spec.menu;
            html += QString("<tr><td colspan='2'><br><b>%1</b></td></tr>")
                        .arg(QString(menu).remove('&').toHtmlEscaped());
        }
        QStringList keys;
        for (const QKeySequence& key : spec.keys)
            keys << key.toString(QKeySequence::NativeText).toHtmlEscaped();
        html += QString("<tr><td style='padding-right:24px'><tt>%1</tt></td><td>%2</td></tr>")
                    .arg(keys.join(", "), QString(spec.text).remove('&').toHtmlEscaped());
    }
    return html + "</table>";
}

} // namespace casimir
