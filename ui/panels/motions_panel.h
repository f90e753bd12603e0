// MotionsPanel: the Motions of the Session, each with its colour, name, method and what differs from the
// Session's parameters.
#pragma once

#include "ui/document/document.h"
#include "ui/panels/number_field.h"
#include "ui/panels/panel_parts.h"
#include "ui/render/theme.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QWidget>

#include <functional>
#include <optional>
#include <string>
#include <vector>

class QVBoxLayout;

namespace casimir {

// "mu=40, m1=0,5" as assignments, and back. Throws Error: no '=', unknown address, not a value.
std::vector<Assignment> parseAssignments(const Schema& schema, const QString& text);
QString assignmentsText(const std::vector<Assignment>& assignments);

// One Motion.
class MotionCard : public QWidget {
    Q_OBJECT

public:
    MotionCard(Document& document, std::size_t index, QWidget* parent);
    void refresh();
    void showStep(); // the one in use, where it is chosen automatically
    void setTheme(const Theme& theme);
    void showRefusal(const QString& reason);
    void clearRefusal();
    // Its Motion is gone, or another one has its place: what was typed is nobody's, nothing is written any
    // more.
    void retire();
    void forgetTyped();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Motion* motion() const; // null where it is gone
    void change(const std::function<void(Motion&)>& how, const QString& what);
    std::optional<MethodInfo> method() const; // the one in use; none where the system does not know it
    double stepInUse() const;                 // NaN: none was made
    void fillColours();
    void commitOverrides();

    Document& document_;
    const std::size_t index_;
    bool retired_ = false;
    Theme theme_;
    QToolButton* swatch_;
    QLineEdit* label_;
    QCheckBox* visible_;
    GlyphButton* more_;
    QComboBox* method_;
    ElidedLabel* accuracyName_;
    NumberField* accuracy_;
    QLineEdit* overrides_;
    QLabel* refusal_;
};

class MotionsPanel : public QWidget {
    Q_OBJECT

public:
    explicit MotionsPanel(Document& document, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    QSize sizeHint() const override;

private:
    void refresh();
    void addCopy(bool otherMethod, bool fromPresent);

    Document& document_;
    Theme theme_;
    std::string builtFor_;
    QWidget* content_;
    QVBoxLayout* cards_;
    QToolButton* add_;
    std::vector<MotionCard*> list_;
};

} // namespace casimir
