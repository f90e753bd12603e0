#include "ui/panels/parameter_control.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "ui/panels/limits_dialog.h"
#include "ui/panels/list_cells.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace casimir {

namespace {

QString qt(const std::string& text)
{
    return QString::fromStdString(text);
}

// Parameter::namesEntry: kept from 0, shown from 1.
QString shownEntry(long index)
{
    return index < 0 ? QStringLiteral("–") : QString::number(index + 1);
}
QString storedEntry(const QString& typed)
{
    bool whole = false;
    const long number = typed.trimmed().toLong(&whole);
    if (whole)
        return QString::number(std::max(number, 0L) - 1);
    return typed.isEmpty() || typed == QStringLiteral("–") ? QStringLiteral("-1") : typed;
}

QLabel* makeRefusal(QWidget* parent, const std::string& id)
{
    auto* label = new QLabel(parent);
    label->setObjectName(QStringLiteral("refusal:") + qt(id));
    label->setProperty("refusal", true);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->hide();
    return label;
}

// The sign of a linked pair.
class LinkSign : public QWidget {
public:
    explicit LinkSign(QWidget* parent) : QWidget(parent) {}
    void setTheme(const Theme& theme)
    {
        theme_ = theme;
        setFixedSize(static_cast<int>(theme.px(14)), static_cast<int>(theme.px(14)));
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        drawGlyph(painter, Glyph::Link, QRectF(rect()), theme_.mutedText());
    }

private:
    Theme theme_;
};

std::string textOf(const Value& value)
{
    struct Visitor {
        std::string operator()(double x) const { return numberText(x); }
        std::string operator()(long n) const { return std::to_string(n); }
        std::string operator()(const std::string& s) const { return s; }
        std::string operator()(const Eigen::VectorXd& v) const
        {
            std::string text;
            for (const double x : v)
                text += (text.empty() ? "" : ", ") + numberText(x);
            return text;
        }
        std::string operator()(const Eigen::MatrixXd& m) const
        {
            std::string text;
            for (Eigen::Index i = 0; i < m.rows(); ++i)
                text += (i ? "; " : "") + (*this)(Eigen::VectorXd(m.row(i).transpose()));
            return text;
        }
        std::string operator()(const RecordList& list) const { return std::to_string(list.size()); }
    };
    return std::visit(Visitor(), value);
}

// The next of 1, 2, 5 times a power of ten that is at least x in magnitude.
double roundedUp(double x)
{
    if (x == 0)
        return 0;
    const double magnitude = std::abs(x), power = std::pow(10.0, std::floor(std::log10(magnitude)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
        if (factor * power >= magnitude)
            return std::copysign(factor * power, x);
    return x;
}

} // namespace

ParameterControl::ParameterControl(Document& document, Parameter parameter, QWidget* parent)
    : QWidget(parent), document_(document), parameter_(std::move(parameter))
{
    setObjectName(QStringLiteral("control:") + qt(parameter_.id));
    symbol_ = new SymbolLabel(this);
    symbol_->setText(SymbolText::symbol(parameter_.symbol));
    name_ = new ElidedLabel(SymbolText::upright(parameter_.name).plain(), this);
    name_->setProperty("muted", true);
    refusal_ = makeRefusal(this, parameter_.id);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    head_ = new QHBoxLayout;
    head_->setSpacing(4);
    head_->addWidget(symbol_);
    head_->addWidget(name_, 1);
    body_ = new QVBoxLayout;
    body_->setSpacing(2);
    layout->addLayout(head_);
    layout->addLayout(body_);
    layout->addWidget(refusal_);
    connect(symbol_, &SymbolLabel::doubleClicked, this, &ParameterControl::setToDefault);
    setToolTip(toolTipText());
}

ParameterControl* ParameterControl::make(Document& document, const Parameter& parameter, const Alias* alias,
                                         QWidget* parent)
{
    switch (parameter.type) {
    case ParameterType::Real:
        return new RealControl(document, parameter, alias, parent);
    case ParameterType::Integer:
        return new IntegerControl(document, parameter, parent);
    case ParameterType::Choice:
        return new ChoiceControl(document, parameter, parent);
    case ParameterType::Text:
        return new TextControl(document, parameter, parent);
    case ParameterType::Vector:
    case ParameterType::Matrix:
        return new ElementsControl(document, parameter, parent);
    case ParameterType::List:
        return new ListControl(document, parameter, parent);
    }
    return nullptr;
}

bool ParameterControl::owns(const std::string& address) const
{
    return address == parameter_.id || address.starts_with(parameter_.id + ".");
}

void ParameterControl::setTheme(const Theme& theme)
{
    symbol_->setTheme(theme);
    symbol_->setFixedWidth(std::max(static_cast<int>(theme.px(26)), symbol_->sizeHint().width()));
    name_->setFont(theme.font(Theme::Text::Small));
    refusal_->setFont(theme.font(Theme::Text::Small));
}

// A refusal begins with an address, as it is typed on the command line; beside the control a person reads
// the symbol, or which row of the table is meant.
QString ParameterControl::inWords(QString reason) const
{
    static const QRegularExpression address(
        QStringLiteral(R"(^(\w+)(?:\.(\d+)(?:\.(\w+))?(?:\.\d+)?)?(?=:| (?!\d)))"));
    const QRegularExpressionMatch found = address.match(reason);
    if (!found.hasMatch() || found.captured(1).toStdString() != parameter_.id)
        return reason;
    std::string words = parameter_.symbol.empty() ? parameter_.name : parameter_.symbol;
    if (const std::size_t i = found.captured(2).toULong();
        found.hasCaptured(2) && !found.hasCaptured(3) && i < parameter_.components.size())
        words = parameter_.components[i];
    for (const Parameter& field : parameter_.fields)
        if (field.id == found.captured(3).toStdString())
            words = tr("%1 in row %2").arg(qt(field.name)).arg(found.captured(2).toInt() + 1).toStdString();
    return reason.replace(0, found.capturedLength(), SymbolText::upright(words).plain());
}

void ParameterControl::showRefusal(const QString& reason)
{
    refusal_->setText(inWords(reason));
    refusal_->show();
}

void ParameterControl::clearRefusal()
{
    refusal_->hide();
    refusal_->clear();
}

Value ParameterControl::present() const
{
    return document_.value(parameter_.id);
}

QString ParameterControl::valueText() const
{
    return qt(textOf(present()));
}

QString ParameterControl::toolTipText() const
{
    const SymbolText symbol = SymbolText::quantity({"", parameter_.symbol, "", parameter_.unit});
    QString text = QStringLiteral("<p style='white-space:pre'><b>%1</b>&nbsp;&nbsp;%2</p>")
                       .arg(SymbolText::upright(parameter_.name).html(), symbol.html());
    if (!parameter_.meaning.empty())
        text += QStringLiteral("<p>%1</p>").arg(SymbolText::upright(parameter_.meaning).html());
    if (parameter_.type != ParameterType::Choice && parameter_.type != ParameterType::Text &&
        parameter_.type != ParameterType::List)
        text += QStringLiteral("<p>%1</p>")
                    .arg(tr("Allowed: %1.").arg(qt(parameter_.range.describe()).toHtmlEscaped()));
    return text;
}

void ParameterControl::setToDefault()
{
    document_.setParameterToDefault(parameter_.id);
}

void ParameterControl::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    menu.addAction(tr("Set to default"), this, &ParameterControl::setToDefault);
    menu.addAction(tr("Copy value"), this, [this] { QApplication::clipboard()->setText(valueText()); });
    extendMenu(menu);
    menu.exec(event->globalPos());
}

void ParameterControl::extendMenu(QMenu&) {}

NumberField* ParameterControl::fieldFor(const std::string& address, const QString& unit)
{
    auto* field = new NumberField(this);
    field->setObjectName(QStringLiteral("value:") + qt(address));
    field->setAccessibleName(qt(parameter_.name));
    field->setUnit(unit);
    field->setContextMenuPolicy(Qt::NoContextMenu);
    connect(field, &NumberField::committed, this, [this, address, field](const QString& number) {
        if (document_.setParameterText(address, number))
            field->restore();
    });
    connect(field, &NumberField::edited, this, &ParameterControl::clearRefusal);
    return field;
}

RealControl::RealControl(Document& document, const Parameter& parameter, const Alias* alias, QWidget* parent)
    : ParameterControl(document, parameter, parent)
{
    if (alias && !alias->linked.empty()) {
        const Parameter& linked = document.kind().schema.resolve(alias->linked);
        link_ = new LinkSign(this);
        linkedSymbol_ = new SymbolLabel(this);
        linkedSymbol_->setText(SymbolText::symbol(linked.symbol));
        linkedSymbol_->setMuted(true);
        const QString tip = tr("Moves together with %1.").arg(SymbolText::upright(linked.name).plain());
        link_->setToolTip(tip);
        linkedSymbol_->setToolTip(tip);
        head()->addWidget(link_);
        head()->addWidget(linkedSymbol_);
    }
    field_ = fieldFor(parameter_.id, SymbolText::upright(parameter_.unit).plain());
    head()->addWidget(field_);
    slider_ = new ValueSlider(this);
    slider_->setObjectName(QStringLiteral("slider:") + qt(parameter_.id));
    slider_->setAccessibleName(qt(parameter_.name));
    body()->addWidget(slider_);

    connect(slider_, &ValueSlider::dragBegan, this, [this] {
        if (!sincePress_.isValid() || sincePress_.elapsed() > QApplication::doubleClickInterval())
            stepsBeforePress_ = document_.undoStack()->index();
        sincePress_.start();
        document_.beginGesture();
    });
    connect(slider_, &ValueSlider::dragged, this,
            [this](double x) { document_.setParameter(parameter_.id, x); });
    connect(slider_, &ValueSlider::dragEnded, this, [this] { document_.endGesture(); });
    connect(slider_, &ValueSlider::dragCancelled, this, [this] {
        document_.cancelGesture();
        clearRefusal();
    });
    connect(slider_, &ValueSlider::stepped, this,
            [this](double x) { document_.setParameter(parameter_.id, x); });
    connect(slider_, &ValueSlider::defaultAsked, this, [this] {
        // The first of the two clicks may have moved the slider; that was not meant.
        const bool clicked =
            sincePress_.isValid() && sincePress_.elapsed() <= QApplication::doubleClickInterval();
        if (clicked && document_.undoStack()->index() == stepsBeforePress_ + 1)
            document_.undoStack()->undo();
        setToDefault();
    });
}

void RealControl::setTheme(const Theme& theme)
{
    ParameterControl::setTheme(theme);
    slider_->setTheme(theme);
    if (link_) {
        static_cast<LinkSign*>(link_)->setTheme(theme);
        linkedSymbol_->setTheme(theme, Theme::Text::Small);
    }
}

void RealControl::refresh()
{
    const Value value = present();
    const double* number = std::get_if<double>(&value);
    const double x = number ? *number : std::nan("");
    field_->setValue(x);
    slider_->setEnabled(std::isfinite(x));
    fitLimits(x);
    slider_->setNumber(x);
}

void RealControl::fitLimits(double value)
{
    const auto& chosen = document_.session().limits;
    const auto it = chosen.find(parameter_.id);
    const SliderLimits limits =
        it == chosen.end() ? SliderLimits{parameter_.sliderMin, parameter_.sliderMax} : it->second;
    if (!asked_ || !(*asked_ == limits)) {
        asked_ = limits;
        min_ = limits.min;
        max_ = limits.max;
    }
    const bool logarithmic = parameter_.scale == Scale::Logarithmic && min_ > 0;
    if (std::isfinite(value) && value > max_)
        max_ = std::min(value > 0 ? roundedUp(value) : value, std::max(value, parameter_.range.max));
    if (std::isfinite(value) && value < min_) {
        // Downwards, the next round number of a logarithmic scale is a power of ten.
        const double lower = logarithmic && value > 0 ? std::pow(10.0, std::floor(std::log10(value)))
                             : value < 0              ? roundedUp(value)
                                                      : value;
        min_ = std::max(lower, std::min(value, parameter_.range.min));
    }
    slider_->setLimits(min_, max_, parameter_.scale);
}

QString RealControl::valueText() const
{
    return qt(numberText(field_->value()));
}

void RealControl::extendMenu(QMenu& menu)
{
    menu.addSeparator();
    menu.addAction(tr("Edit limits…"), this, &RealControl::editLimits);
    menu.addAction(tr("Reset limits"), this, [this] {
        asked_.reset();
        const SliderLimits standard{parameter_.sliderMin, parameter_.sliderMax};
        if (document_.session().limits.contains(parameter_.id))
            document_.setLimits(parameter_.id, standard);
        refresh();
    });
}

void RealControl::editLimits()
{
    LimitsDialog dialog(parameter_, {min_, max_}, this);
    if (dialog.exec() == QDialog::Accepted)
        document_.setLimits(parameter_.id, dialog.limits());
}

IntegerControl::IntegerControl(Document& document, const Parameter& parameter, QWidget* parent)
    : ParameterControl(document, parameter, parent)
{
    box_ = new WholeNumberBox(this);
    box_->setObjectName(QStringLiteral("value:") + qt(parameter_.id));
    const auto bounded = [](double x) { return static_cast<int>(std::clamp(x, -1e9, 1e9)); };
    box_->setRange(bounded(std::ceil(parameter_.range.min)), bounded(std::floor(parameter_.range.max)));
    box_->setAlignment(Qt::AlignRight);
    box_->setKeyboardTracking(false);
    if (!parameter_.unit.empty())
        box_->setSuffix(QLatin1Char(' ') + SymbolText::upright(parameter_.unit).plain());
    head()->addWidget(box_);
    connect(box_, &QSpinBox::valueChanged, this, [this](int n) {
        if (!document_.setParameter(parameter_.id, static_cast<long>(n)))
            refresh();
    });
}

void IntegerControl::refresh()
{
    const QSignalBlocker quiet(box_);
    const Value value = present();
    if (const long* n = std::get_if<long>(&value))
        box_->setValue(static_cast<int>(*n));
}

ChoiceControl::ChoiceControl(Document& document, const Parameter& parameter, QWidget* parent)
    : ParameterControl(document, parameter, parent)
{
    box_ = new CalmComboBox(this);
    box_->setObjectName(QStringLiteral("value:") + qt(parameter_.id));
    for (const Choice& choice : parameter_.choices)
        box_->addItem(SymbolText::upright(choice.name).plain(), qt(choice.id));
    head()->addWidget(box_, 1);
    connect(box_, &QComboBox::activated, this, [this](int i) {
        if (!document_.setParameter(parameter_.id, box_->itemData(i).toString().toStdString()))
            refresh();
    });
}

void ChoiceControl::refresh()
{
    const Value value = present();
    if (const auto* id = std::get_if<std::string>(&value))
        box_->setCurrentIndex(box_->findData(qt(*id)));
}

TextControl::TextControl(Document& document, const Parameter& parameter, QWidget* parent)
    : ParameterControl(document, parameter, parent)
{
    line_ = new QLineEdit(this);
    line_->setObjectName(QStringLiteral("value:") + qt(parameter_.id));
    head()->addWidget(line_, 1);
    leaveOnEnterOrEscape(*line_, [this] { refresh(); });
    connect(line_, &QLineEdit::editingFinished, this, [this] {
        if (!document_.setParameterText(parameter_.id, line_->text()))
            refresh();
    });
}

void TextControl::refresh()
{
    line_->setText(valueText());
}

ElementsControl::ElementsControl(Document& document, const Parameter& parameter, QWidget* parent)
    : ParameterControl(document, parameter, parent)
{
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(4);
    grid->setVerticalSpacing(2);
    body()->addLayout(grid);
    const auto add = [&](const std::string& address, int row, int column) {
        NumberField* field = fieldFor(address, {});
        fields_.emplace_back(address, field);
        grid->addWidget(field, row, column);
    };
    if (parameter_.type == ParameterType::Vector) {
        for (std::size_t i = 0; i < parameter_.components.size(); ++i) {
            auto* label = new SymbolLabel(this);
            label->setText(SymbolText::symbol(parameter_.components[i]));
            label->setMuted(true);
            labels_.push_back(label);
            grid->addWidget(label, 0, static_cast<int>(2 * i));
            add(parameter_.id + "." + std::to_string(i), 0, static_cast<int>(2 * i + 1));
        }
    } else {
        const auto& standard = std::get<Eigen::MatrixXd>(parameter_.defaultValue);
        for (Eigen::Index i = 0; i < standard.rows(); ++i)
            for (Eigen::Index j = 0; j < standard.cols(); ++j)
                add(parameter_.id + "." + std::to_string(i) + "." + std::to_string(j), static_cast<int>(i),
                    static_cast<int>(j));
    }
}

void ElementsControl::refresh()
{
    for (const auto& [address, field] : fields_)
        field->setValue(std::get<double>(document_.session().values.at(address)));
}

void ElementsControl::setTheme(const Theme& theme)
{
    ParameterControl::setTheme(theme);
    for (SymbolLabel* label : labels_)
        label->setTheme(theme, Theme::Text::Small);
}

ListControl::ListControl(Document& document, const Parameter& parameter, QWidget* parent)
    : ParameterControl(document, parameter, parent)
{
    add_ = new GlyphButton(Glyph::Plus, tr("Add one"), this);
    add_->setObjectName(QStringLiteral("add:") + qt(parameter_.id));
    remove_ = new GlyphButton(Glyph::Minus, tr("Remove the chosen one"), this);
    remove_->setObjectName(QStringLiteral("remove:") + qt(parameter_.id));
    head()->addWidget(add_);
    head()->addWidget(remove_);
    table_ = new QTableWidget(this);
    table_->setObjectName(QStringLiteral("value:") + qt(parameter_.id));
    table_->setColumnCount(static_cast<int>(parameter_.fields.size()));
    for (int j = 0; j < table_->columnCount(); ++j) {
        const Parameter& field = parameter_.fields[static_cast<std::size_t>(j)];
        auto* item = new QTableWidgetItem(
            SymbolText::quantity({"", field.symbol.empty() ? field.name : field.symbol, "", field.unit})
                .plain());
        item->setToolTip(SymbolText::upright(field.name + ". " + field.meaning).plain());
        table_->setHorizontalHeaderItem(j, item);
    }
    table_->setItemDelegate(new ListCells(parameter_.fields, table_));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setStretchLastSection(true);
    body()->addWidget(table_);
    connect(add_, &QToolButton::clicked, this, &ListControl::add);
    connect(remove_, &QToolButton::clicked, this, &ListControl::removeCurrent);
    connect(table_, &QTableWidget::itemChanged, this, [this](QTableWidgetItem* item) {
        if (refreshing_)
            return;
        const std::string where = address(item->row(), item->column());
        const ParameterType type = document_.kind().schema.resolve(where).type;
        const bool number = type == ParameterType::Real || type == ParameterType::Integer;
        QString text = number ? plainNumber(item->text()) : item->text();
        if (document_.kind().schema.resolve(where).namesEntry)
            text = storedEntry(text);
        clearRefusal();
        if (!document_.setParameterText(where, text))
            refresh();
    });
}

std::string ListControl::address(int row, int column) const
{
    return parameter_.id + "." + std::to_string(row) + "." +
           parameter_.fields[static_cast<std::size_t>(column)].id;
}

void ListControl::add()
{
    if (const auto* editing = capability<HasListEditing>(*document_.system())) {
        const Document::Present now = document_.present();
        const auto edit = editing->withEntry(parameter_.id, now.t, now.x);
        if (document_.apply(edit))
            table_->setCurrentCell(table_->rowCount() - 1, 0);
        else if (!edit)
            showRefusal(qt(edit.refusal));
        return;
    }
    RecordList list = document_.session().values.list(parameter_.id);
    list.push_back(list.empty() ? document_.kind().schema.defaultRecord(parameter_) : list.back());
    document_.setParameter(parameter_.id, list);
}

void ListControl::removeCurrent()
{
    RecordList list = document_.session().values.list(parameter_.id);
    if (list.empty())
        return;
    const int row = table_->currentRow() < 0 ? static_cast<int>(list.size()) - 1 : table_->currentRow();
    if (const auto* editing = capability<HasListEditing>(*document_.system())) {
        const Document::Present now = document_.present();
        const auto edit = editing->withoutEntry(parameter_.id, static_cast<std::size_t>(row), now.t, now.x);
        if (!document_.apply(edit) && !edit)
            showRefusal(qt(edit.refusal));
        return;
    }
    list.erase(list.begin() + row);
    document_.setParameter(parameter_.id, list);
}

void ListControl::refresh()
{
    refreshing_ = true;
    const RecordList& list = document_.session().values.list(parameter_.id);
    const int rows = static_cast<int>(list.size());
    const bool sized = table_->rowCount() != rows;
    table_->setRowCount(rows);
    if (sized) {
        QStringList numbers;
        for (int i = 1; i <= rows; ++i)
            numbers << QString::number(i);
        table_->setVerticalHeaderLabels(numbers);
    }
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < table_->columnCount(); ++j) {
            const Parameter& field = parameter_.fields[static_cast<std::size_t>(j)];
            const Value* value = list[static_cast<std::size_t>(i)].find(field.id);
            const QString text = !value             ? QString()
                                 : field.namesEntry ? shownEntry(std::get<long>(*value))
                                                    : qt(textOf(*value));
            QTableWidgetItem* item = table_->item(i, j);
            if (!item) {
                item = new QTableWidgetItem;
                item->setTextAlignment(field.type == ParameterType::Choice ||
                                               field.type == ParameterType::Text
                                           ? Qt::AlignLeft | Qt::AlignVCenter
                                           : Qt::AlignRight | Qt::AlignVCenter);
                table_->setItem(i, j, item);
            }
            if (item->text() != text)
                item->setText(text);
        }
    add_->setEnabled(list.size() < parameter_.maxCount);
    remove_->setEnabled(list.size() > parameter_.minCount);
    if (sized) {
        const int row = table_->verticalHeader()->defaultSectionSize();
        // With room for the bar that scrolls the columns, which would cover the last row.
        table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() +
                               std::clamp(rows, 1, 8) * row +
                               table_->horizontalScrollBar()->sizeHint().height() + 4);
    }
    refreshing_ = false;
}

void ListControl::setTheme(const Theme& theme)
{
    ParameterControl::setTheme(theme);
    add_->setTheme(theme);
    remove_->setTheme(theme);
    table_->verticalHeader()->setDefaultSectionSize(static_cast<int>(theme.px(22)));
}

StateControl::StateControl(Document& document, const StateInput& input, QWidget* parent)
    : QWidget(parent), document_(document), input_(input)
{
    const Quantity& quantity = input_.quantity;
    setObjectName(QStringLiteral("state-control:") + qt(quantity.id));
    symbol_ = new SymbolLabel(this);
    symbol_->setText(SymbolText::symbol(quantity.symbol));
    name_ = new ElidedLabel(SymbolText::upright(quantity.name).plain(), this);
    name_->setProperty("muted", true);
    field_ = new NumberField(this);
    field_->setObjectName(QStringLiteral("state:") + qt(quantity.id));
    field_->setAccessibleName(name_->text());
    field_->setUnit(SymbolText::upright(quantity.unit).plain());
    refusal_ = makeRefusal(this, "state:" + quantity.id);
    setToolTip(QStringLiteral("<p><b>%1</b></p><p>%2</p>")
                   .arg(SymbolText::upright(quantity.name).html(),
                        tr("Allowed: %1.").arg(qt(input_.range.describe()).toHtmlEscaped())));

    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(4);
    layout->setVerticalSpacing(0);
    layout->addWidget(symbol_, 0, 0);
    layout->addWidget(name_, 0, 1);
    layout->addWidget(field_, 0, 2);
    layout->addWidget(refusal_, 1, 0, 1, 3);
    layout->setColumnStretch(1, 1);
    connect(symbol_, &SymbolLabel::doubleClicked, this, [this] {
        document_.setState({{id(), input_.defaultValue}});
    });
    connect(field_, &NumberField::edited, this, &StateControl::clearRefusal);
    connect(field_, &NumberField::committed, this, [this](const QString& number) {
        try {
            if (document_.setState({{id(), parseNumber(number.toStdString(), input_.quantity.unit)}})) {
                clearRefusal();
                field_->restore();
            }
        } catch (const Error& error) {
            showRefusal(QString::fromUtf8(error.what()));
        }
    });
}

void StateControl::refresh()
{
    double value = input_.defaultValue;
    for (const auto& [given, x] : document_.session().motions.front().state)
        if (given == id())
            value = x;
    field_->setValue(value);
}

void StateControl::setTheme(const Theme& theme)
{
    symbol_->setTheme(theme);
    symbol_->setFixedWidth(std::max(static_cast<int>(theme.px(26)), symbol_->sizeHint().width()));
    name_->setFont(theme.font(Theme::Text::Small));
    refusal_->setFont(theme.font(Theme::Text::Small));
}

void StateControl::showRefusal(const QString& reason)
{
    // It may begin with the id, as it is typed on the command line.
    const QString typed = qt(id());
    const bool named = reason.startsWith(typed + ' ') || reason.startsWith(typed + ':');
    refusal_->setText(named ? SymbolText::upright(input_.quantity.symbol).plain() + reason.mid(typed.size())
                            : reason);
    refusal_->show();
}

void StateControl::clearRefusal()
{
    refusal_->hide();
    refusal_->clear();
}

} // namespace casimir
