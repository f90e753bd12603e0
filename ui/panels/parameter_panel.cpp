#include "ui/panels/parameter_panel.h"

#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace casimir {

ParameterPanel::ParameterPanel(Document& document, QWidget* parent) : QWidget(parent), document_(document)
{
    setObjectName(QStringLiteral("parameters"));
    scroll_ = new QScrollArea(this);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll_);

    connect(&document_, &Document::kindChanged, this, &ParameterPanel::rebuild);
    connect(&document_, &Document::sessionChanged, this, &ParameterPanel::refresh);
    connect(&document_, &Document::refused, this, [this](const QString& address, const QString& reason) {
        const std::string where = address.toStdString();
        for (const Group& group : groups_)
            for (ParameterControl* control : group.controls)
                if (control->owns(where))
                    control->showRefusal(reason);
        for (StateControl* control : start_)
            if (where == "state:" + control->id())
                control->showRefusal(reason);
    });
    connect(&document_, &Document::accepted, this, [this](const QString& address) {
        const std::string where = address.toStdString();
        for (const Group& group : groups_)
            for (ParameterControl* control : group.controls)
                if (control->owns(where))
                    control->clearRefusal();
        for (StateControl* control : start_)
            if (where.starts_with("state"))
                control->clearRefusal();
    });
    rebuild();
    setTheme(theme_);
}

QSize ParameterPanel::sizeHint() const
{
    return {static_cast<int>(theme_.px(280)), static_cast<int>(theme_.px(560))};
}

QLabel* ParameterPanel::addTitle(const QString& text, QVBoxLayout* layout)
{
    auto* title = new QLabel(text, scroll_->widget());
    title->setProperty("muted", true);
    title->setContentsMargins(0, 6, 0, 0);
    layout->addWidget(title);
    return title;
}

void ParameterPanel::rebuild()
{
    builtFor_ = document_.session().kind;
    groups_.clear();
    start_.clear();
    startIds_.clear();
    auto* content = new QWidget;
    content->setObjectName(QStringLiteral("parameter-list"));
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(12, 4, 12, 10);
    layout->setSpacing(4);
    // The scroll area deletes the controls of the system before.
    scroll_->setWidget(content);

    std::vector<std::pair<std::string, std::vector<std::pair<const Parameter*, const Alias*>>>> groups;
    const auto add = [&groups](const Parameter& parameter, const Alias* alias) {
        auto it = std::find_if(groups.begin(), groups.end(),
                               [&parameter](const auto& group) { return group.first == parameter.group; });
        if (it == groups.end())
            it = groups.insert(groups.end(), {parameter.group, {}});
        it->second.emplace_back(&parameter, alias);
    };
    const Schema& schema = document_.kind().schema;
    for (const Parameter& parameter : schema.parameters())
        add(parameter, nullptr);
    for (const Alias& alias : schema.aliases())
        add(alias.description, &alias);

    for (const auto& [name, members] : groups) {
        QString title = QString::fromStdString(name);
        if (!title.isEmpty())
            title[0] = title[0].toUpper();
        Group group{addTitle(title, layout), {}};
        for (const auto& [parameter, alias] : members) {
            group.controls.push_back(ParameterControl::make(document_, *parameter, alias, content));
            layout->addWidget(group.controls.back());
        }
        groups_.push_back(std::move(group));
    }
    startLayout_ = new QVBoxLayout;
    startLayout_->setSpacing(2);
    layout->addLayout(startLayout_);
    layout->addStretch(1);
    refresh();
    setTheme(theme_);
}

void ParameterPanel::rebuildStart()
{
    std::vector<std::string> ids;
    for (const StateInput& input : document_.system()->inputs())
        ids.push_back(input.quantity.id);
    if (ids == startIds_)
        return;
    startIds_ = ids;
    start_.clear();
    while (QLayoutItem* item = startLayout_->takeAt(0)) {
        if (item->widget())
            item->widget()->deleteLater();
        delete item;
    }
    if (ids.empty())
        return;
    QLabel* title = addTitle(tr("Start"), startLayout_);
    title->setFont(theme_.font(Theme::Text::Small));
    for (const StateInput& input : document_.system()->inputs()) {
        start_.push_back(new StateControl(document_, input, scroll_->widget()));
        start_.back()->setTheme(theme_);
        startLayout_->addWidget(start_.back());
    }
}

void ParameterPanel::refresh()
{
    // The session of another system is announced before its kind only when both are; controls of the old one cannot read it.
    if (builtFor_ != document_.session().kind)
        return rebuild();
    const Values& values = document_.session().values;
    for (const Group& group : groups_) {
        bool any = false;
        for (ParameterControl* control : group.controls) {
            const bool shown = control->parameter().isShown(values);
            control->setVisible(shown);
            any = any || shown;
            control->refresh();
        }
        group.title->setVisible(any && !group.title->text().isEmpty());
    }
    rebuildStart();
    for (StateControl* control : start_)
        control->refresh();
}

void ParameterPanel::setTheme(const Theme& theme)
{
    theme_ = theme;
    dress(*this, theme);
    QFont title = theme.font(Theme::Text::Small);
    title.setBold(true);
    for (const Group& group : groups_) {
        group.title->setFont(title);
        for (ParameterControl* control : group.controls)
            control->setTheme(theme);
    }
    for (int i = 0; startLayout_ && i < startLayout_->count(); ++i)
        if (auto* label = qobject_cast<QLabel*>(startLayout_->itemAt(i)->widget()))
            label->setFont(title);
    for (StateControl* control : start_)
        control->setTheme(theme);
    updateGeometry();
}

} // namespace casimir
