#include "ui/views/option_bar.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "ui/panels/number_field.h"
#include "ui/render/symbol_text.h"
#include "ui/views/row_layout.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>
#include <QToolTip>

#include <limits>

namespace casimir {

namespace {

bool sameOptions(const std::vector<Parameter>& a, const std::vector<Parameter>& b)
{
    const auto sameChoice = [](const Choice& p, const Choice& q) { return p.id == q.id && p.name == q.name; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const Parameter& p, const Parameter& q) {
        return p.id == q.id && p.type == q.type && p.name == q.name &&
               std::equal(p.choices.begin(), p.choices.end(), q.choices.begin(), q.choices.end(), sameChoice);
    });
}

} // namespace

OptionBar::OptionBar(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), rows_(new RowLayout(this))
{
    rows_->setContentsMargins(8, 4, 8, 0);
    rows_->setSpacing(6);
    QWidget::hide();
}

void OptionBar::show(const std::optional<PlotInfo>& info)
{
    const bool rebuild =
        !info || !info_ || info->id != info_->id || !sameOptions(info->options, info_->options);
    info_ = info;
    if (rebuild)
        build();
    setVisible(!controls_.empty());
    if (controls_.empty())
        return;
    const Values chosen = document_.chosenOptions(*info_);
    for (const Control& control : controls_) {
        const QSignalBlocker quiet(control.widget);
        const Value& value = *chosen.find(control.option.id);
        if (auto* box = qobject_cast<QComboBox*>(control.widget))
            box->setCurrentIndex(box->findData(QString::fromStdString(std::get<std::string>(value))));
        else if (auto* spin = qobject_cast<QSpinBox*>(control.widget))
            spin->setValue(static_cast<int>(std::get<long>(value)));
        else if (auto* field = qobject_cast<NumberField*>(control.widget); field && !field->hasFocus())
            fill(*field, control.option.id, std::get<double>(value));
    }
}

void OptionBar::fill(NumberField& field, const std::string& option, double value) const
{
    if (value != automaticValue)
        return field.setValue(value);
    double used = std::numeric_limits<double>::quiet_NaN();
    if (const auto plot = document_.plot(info_->id); plot && plot->value)
        for (const auto& [id, x] : plot->value->automatic)
            if (id == option)
                used = x;
    field.setAutomatic(used);
}

void OptionBar::build()
{
    controls_.clear();
    while (QLayoutItem* item = rows_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    if (!info_)
        return;
    for (const Parameter& option : info_->options) {
        const QString words = QString::fromStdString(option.name);
        auto* pair = new QWidget(this); // a control and its words stay together
        auto* beside = new QHBoxLayout(pair);
        beside->setContentsMargins(0, 0, 0, 0);
        beside->setSpacing(6);
        auto* label = new QLabel(words, pair);
        label->setToolTip(QString::fromStdString(option.meaning));
        beside->addWidget(label);
        QWidget* widget = nullptr;
        if (option.type == ParameterType::Choice) {
            auto* box = new QComboBox(pair);
            for (const Choice& choice : option.choices)
                box->addItem(SymbolText::upright(choice.name).plain(), QString::fromStdString(choice.id));
            box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
            box->setMinimumContentsLength(6);
            connect(box, &QComboBox::activated, this,
                    [this, box, option] { choose(option, box->currentData().toString().toStdString()); });
            widget = box;
        } else if (option.type == ParameterType::Integer) {
            auto* spin = new QSpinBox(pair);
            spin->setRange(static_cast<int>(option.range.min), static_cast<int>(option.range.max));
            spin->setKeyboardTracking(false);
            connect(spin, &QSpinBox::valueChanged, this,
                    [this, option](int value) { choose(option, std::to_string(value)); });
            connect(spin, &QSpinBox::editingFinished, spin, &QWidget::clearFocus);
            widget = spin;
        } else {
            auto* field = new NumberField(pair);
            field->setUnit(QString::fromStdString(option.unit));
            connect(field, &NumberField::committed, this, [this, field, option](const QString& number) {
                choose(option, number.toStdString());
                fill(*field, option.id, document_.chosenOptions(*info_).real(option.id));
                field->restore();
            });
            widget = field;
        }
        widget->setObjectName(QString::fromStdString("option." + option.id));
        widget->setToolTip(QString::fromStdString(option.meaning));
        widget->setAccessibleName(words);
        label->setBuddy(widget);
        beside->addWidget(widget);
        rows_->addWidget(pair);
        pair->show();
        controls_.push_back({option, widget});
    }
}

void OptionBar::choose(const Parameter& option, const std::string& text)
{
    try {
        (void)plotOptions(*info_, {{option.id, text}});
        document_.setOption(info_->id + "." + option.id, text);
    } catch (const Error& error) {
        QToolTip::showText(mapToGlobal(QPoint(0, height())), QString::fromUtf8(error.what()), this);
    }
}

} // namespace casimir
