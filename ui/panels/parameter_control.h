// ParameterControl: what a person changes one parameter of the schema with, made after its type. It shows
// what the Session has and asks the Document for changes; which values are allowed is not decided here.
#pragma once

#include "core/model/parameter.h"
#include "ui/document/document.h"
#include "ui/panels/number_field.h"
#include "ui/panels/panel_parts.h"
#include "ui/panels/value_slider.h"
#include "ui/render/theme.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QWidget>

#include <functional>
#include <memory>
#include <string>
#include <vector>

class QComboBox;
class QHBoxLayout;
class QLineEdit;
class QMenu;
class QSpinBox;
class QTableWidget;
class QVBoxLayout;

namespace casimir {

// Symbol, name and, right of them, what the value is edited in; below, what follows; last, why a value was
// refused.
class ParameterControl : public QWidget {
    Q_OBJECT

public:
    ParameterControl(Document& document, Parameter parameter, QWidget* parent);

    // One for a parameter, or for an alias if it is one.
    static ParameterControl* make(Document& document, const Parameter& parameter, const Alias* alias,
                                  QWidget* parent);

    const Parameter& parameter() const { return parameter_; }
    bool owns(const std::string& address) const; // of the parameter or of an element in it
    virtual void refresh() = 0;                  // from the Session
    virtual void setTheme(const Theme& theme);
    void showRefusal(const QString& reason);
    void clearRefusal();

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    virtual void extendMenu(QMenu& menu);
    virtual QString valueText() const; // for the clipboard, in full
    QString toolTipText() const;
    void setToDefault();
    Value present() const;
    // A field whose commits go to the address.
    NumberField* fieldFor(const std::string& address, const QString& unit);
    QHBoxLayout* head() { return head_; }
    QVBoxLayout* body() { return body_; }

    Document& document_;
    const Parameter parameter_;

private:
    QString inWords(QString reason) const;
    SymbolLabel* symbol_;
    ElidedLabel* name_;
    QLabel* refusal_;
    QHBoxLayout* head_;
    QVBoxLayout* body_;
};

class RealControl : public ParameterControl {
    Q_OBJECT

public:
    RealControl(Document& document, const Parameter& parameter, const Alias* alias, QWidget* parent);
    void refresh() override;
    void setTheme(const Theme& theme) override;

protected:
    void extendMenu(QMenu& menu) override;
    QString valueText() const override;

private:
    void fitLimits(double value);
    void editLimits();

    NumberField* field_;
    ValueSlider* slider_;
    QWidget* link_ = nullptr;
    SymbolLabel* linkedSymbol_ = nullptr;
    std::optional<SliderLimits> asked_; // what the limits were before values outside widened them
    double min_ = 0, max_ = 1;
    int stepsBeforePress_ = 0; // of the history, at the first press of what may become a double click
    QElapsedTimer sincePress_;
};

class IntegerControl : public ParameterControl {
    Q_OBJECT

public:
    IntegerControl(Document& document, const Parameter& parameter, QWidget* parent);
    void refresh() override;

private:
    QSpinBox* box_;
};

class ChoiceControl : public ParameterControl {
    Q_OBJECT

public:
    ChoiceControl(Document& document, const Parameter& parameter, QWidget* parent);
    void refresh() override;

private:
    QComboBox* box_;
};

class TextControl : public ParameterControl {
    Q_OBJECT

public:
    TextControl(Document& document, const Parameter& parameter, QWidget* parent);
    void refresh() override;

private:
    QLineEdit* line_;
};

// A vector as a row of fields, a matrix as a square of them.
class ElementsControl : public ParameterControl {
    Q_OBJECT

public:
    ElementsControl(Document& document, const Parameter& parameter, QWidget* parent);
    void refresh() override;
    void setTheme(const Theme& theme) override;

private:
    std::vector<std::pair<std::string, NumberField*>> fields_; // by address
    std::vector<SymbolLabel*> labels_;
};

class ListControl : public ParameterControl {
    Q_OBJECT

public:
    ListControl(Document& document, const Parameter& parameter, QWidget* parent);
    void refresh() override;
    void setTheme(const Theme& theme) override;

private:
    std::string address(int row, int column) const;
    void add();
    void removeCurrent();

    QTableWidget* table_;
    GlyphButton* add_;
    GlyphButton* remove_;
    bool refreshing_ = false;
};

// One number of the leading Motion's start.
class StateControl : public QWidget {
    Q_OBJECT

public:
    StateControl(Document& document, const StateInput& input, QWidget* parent);
    void refresh();
    void setTheme(const Theme& theme);
    void showRefusal(const QString& reason);
    void clearRefusal();
    const std::string& id() const { return input_.quantity.id; }

private:
    Document& document_;
    const StateInput input_;
    SymbolLabel* symbol_;
    ElidedLabel* name_;
    NumberField* field_;
    QLabel* refusal_;
};

} // namespace casimir
