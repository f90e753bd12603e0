// LimitsDialog: from where to where a slider goes.
#pragma once

#include "core/model/parameter.h"
#include "core/session/session.h"

#include <QDialog>

class QLabel;
class QLineEdit;

namespace casimir {

class LimitsDialog : public QDialog {
    Q_OBJECT

public:
    LimitsDialog(const Parameter& parameter, SliderLimits present, QWidget* parent);
    SliderLimits limits() const { return limits_; } // once accepted

    void accept() override;

private:
    const Parameter parameter_;
    SliderLimits limits_;
    QLineEdit* min_;
    QLineEdit* max_;
    QLabel* complaint_;
};

// Why a slider of the parameter cannot have these limits; empty where it can.
QString limitsComplaint(const Parameter& parameter, SliderLimits limits);

} // namespace casimir
