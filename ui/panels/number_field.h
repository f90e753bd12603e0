// NumberField: a line for one number with its unit. Shows it rounded, offers it in full while it is edited,
// takes comma or point, and never decides whether a number is allowed: that is asked of whoever listens to
// committed().
#pragma once

#include <QLineEdit>
#include <QString>

namespace casimir {

// What a person typed as parseNumber() takes it, who reads units: "−0,5 kg" -> "−0.5 kg".
QString plainNumber(const QString& typed);

// Rounded to six digits with a true minus sign; "–" where there is no number.
QString fieldText(double x, int digits = 6);

class NumberField : public QLineEdit {
    Q_OBJECT

public:
    explicit NumberField(QWidget* parent = nullptr);

    void setUnit(const QString& unit);
    void setValue(double value);
    // Left to the program, which takes `used` (NaN: not known yet): "automatic (0.01 s)"; emptied, it is so
    // again.
    void setAutomatic(double used);
    bool isAutomatic() const { return automatic_; }
    double value() const { return value_; }
    void setDigits(int digits);
    void restore(); // the last good value, instead of what was typed

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void committed(const QString& number); // as plainNumber() gives it
    void edited();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void take(double value, bool automatic);
    void showValue();
    bool commit(); // false where what was typed stays, to be mended
    int wantedWidth() const;

    double value_ = 0;
    bool automatic_ = false;
    int digits_ = 6;
    bool restored_ = false;
    QString unit_;
    int hinted_ = 0; // the width last asked for
};

} // namespace casimir
