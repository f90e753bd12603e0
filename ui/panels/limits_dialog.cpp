#include "ui/panels/limits_dialog.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "ui/panels/number_field.h"
#include "ui/render/symbol_text.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace casimir {

QString limitsComplaint(const Parameter& parameter, SliderLimits limits)
{
    // An open end may be where the slider ends, but not lie beyond.
    const auto allowed = [&](double x) {
        return parameter.range.contains(x) || x == parameter.range.min || x == parameter.range.max;
    };
    for (const double x : {limits.min, limits.max})
        if (!allowed(x))
            return LimitsDialog::tr("%1 is not allowed: the value must be %2.")
                .arg(QString::fromStdString(numberText(x)),
                     QString::fromStdString(parameter.range.describe()));
    if (!(limits.min < limits.max))
        return LimitsDialog::tr("The lower limit must be less than the upper one.");
    if (parameter.scale == Scale::Logarithmic && limits.min <= 0)
        return LimitsDialog::tr("A logarithmic slider starts above 0.");
    return {};
}

LimitsDialog::LimitsDialog(const Parameter& parameter, SliderLimits present, QWidget* parent)
    : QDialog(parent), parameter_(parameter), limits_(present)
{
    setObjectName(QStringLiteral("limits"));
    setWindowTitle(tr("Limits of %1").arg(SymbolText::upright(parameter.name).plain()));
    const auto edit = [this](double x, const QString& name) {
        auto* line = new QLineEdit(QString::fromStdString(numberText(x)), this);
        line->setObjectName(name);
        line->setAlignment(Qt::AlignRight);
        return line;
    };
    min_ = edit(present.min, QStringLiteral("limits:min"));
    max_ = edit(present.max, QStringLiteral("limits:max"));
    complaint_ = new QLabel(this);
    complaint_->setObjectName(QStringLiteral("limits:complaint"));
    complaint_->setProperty("refusal", true);
    complaint_->setWordWrap(true);
    complaint_->hide();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    connect(buttons, &QDialogButtonBox::accepted, this, &LimitsDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &LimitsDialog::reject);
    const QString unit = parameter.unit.empty()
                             ? QString()
                             : QStringLiteral(" (%1)").arg(SymbolText::upright(parameter.unit).plain());
    auto* form = new QFormLayout;
    form->addRow(tr("From") + unit, min_);
    form->addRow(tr("To") + unit, max_);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(complaint_);
    layout->addWidget(buttons);
}

void LimitsDialog::accept()
{
    QString complaint;
    try {
        limits_ = {parseNumber(plainNumber(min_->text()).toStdString(), parameter_.unit),
                   parseNumber(plainNumber(max_->text()).toStdString(), parameter_.unit)};
        complaint = limitsComplaint(parameter_, limits_);
    } catch (const Error& error) {
        complaint = QString::fromUtf8(error.what());
    }
    complaint_->setText(complaint);
    complaint_->setVisible(!complaint.isEmpty());
    if (complaint.isEmpty())
        QDialog::accept();
}

} // namespace casimir
