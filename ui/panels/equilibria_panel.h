// EquilibriaPanel: the equilibria of the leading system in a table, what is said of the chosen one, and the
// orbit through the start. Everything shown comes from the Document's findings.
#pragma once

#include "ui/document/document.h"
#include "ui/panels/equilibria_view.h"
#include "ui/panels/panel_parts.h"
#include "ui/render/theme.h"

#include <QTimer>
#include <QWidget>

class QMenu;
class QToolButton;

namespace casimir {

class EquilibriaPanel : public QWidget {
    Q_OBJECT

public:
    explicit EquilibriaPanel(Document& document, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    QSize sizeHint() const override;
    void copyTable() const; // as CSV, to the clipboard

private:
    void refresh();
    void showSelection();
    void fillNearMenu();
    void startNear(const Equilibrium& equilibrium, const Eigen::VectorXd& direction, double sign);
    const Equilibrium* selected() const;
    void copy(const std::string& text) const;

    Document& document_;
    QTimer age_;
    Theme theme_;
    std::shared_ptr<const Analysis> computed_;
    std::shared_ptr<const Analysis> shown_; // the same with the digits that are known
    EquilibriaView* view_;
    QLabel* status_;
    QLabel* detail_;
    FactList* facts_;
    QToolButton* near_;
    QMenu* nearMenu_;
    QToolButton* copy_;
    QLabel* orbitTitle_;
    QLabel* orbitKind_;
    FactList* orbit_;
};

} // namespace casimir
