// ParameterPanel: the controls of all parameters of the present system in their groups, and of the leading Motion's start.
#pragma once

#include "ui/document/document.h"
#include "ui/panels/parameter_control.h"
#include "ui/render/theme.h"

#include <QWidget>

#include <string>
#include <vector>

class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace casimir {

class ParameterPanel : public QWidget {
    Q_OBJECT

public:
    explicit ParameterPanel(Document& document, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    QSize sizeHint() const override;

private:
    struct Group {
        QLabel* title;
        std::vector<ParameterControl*> controls;
    };

    void rebuild();
    void rebuildStart();
    void refresh();
    QLabel* addTitle(const QString& text, QVBoxLayout* layout);

    Document& document_;
    Theme theme_;
    QScrollArea* scroll_;
    std::string builtFor_;
    std::vector<Group> groups_;
    QVBoxLayout* startLayout_ = nullptr;
    std::vector<std::string> startIds_;
    std::vector<StateControl*> start_;
};

} // namespace casimir
