// The pages of the export dialog: each a form that says what is wanted as a plain value. Nothing here writes.
#pragma once

#include "core/analysis/sweep.h"
#include "core/session/export_spec.h"
#include "ui/document/document.h"

#include <QWidget>

#include <functional>
#include <optional>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;

namespace casimir {

class View;

// The widths, heights and looks that figures and films share.
class LookForm : public QWidget {
    Q_OBJECT
public:
    LookForm(bool film, QWidget* parent = nullptr);
    // The size of the view on screen, for "As on screen".
    void setScreenSize(QSize size);
    void fill(ExportSpec& spec) const;

Q_SIGNALS:
    void changed();

private:
    void choosePreset(int index);

    QComboBox *preset_, *theme_, *scale_;
    QDoubleSpinBox *width_, *height_, *dpi_;
    QLabel* unit_;
    QCheckBox* transparent_;
    QSize screen_{900, 675};
    bool millimetres_ = false;
};

class FigurePage : public QWidget {
    Q_OBJECT
public:
    FigurePage(Document& document, const std::string& view, std::function<View*(const std::string&)> viewOf,
               QWidget* parent = nullptr);
    ExportSpec spec() const;
    QString suggestedName() const;
    void setFormat(const QString& format);

Q_SIGNALS:
    void changed();

private:
    void refresh();

    Document& document_;
    std::function<View*(const std::string&)> viewOf_;
    QComboBox *views_, *format_;
    QDoubleSpinBox* t_;
    LookForm* look_;
    QLabel* note_;
};

class FilmPage : public QWidget {
    Q_OBJECT
public:
    FilmPage(Document& document, const std::string& view, QWidget* parent = nullptr);
    ExportSpec spec() const;
    QString suggestedName() const;

Q_SIGNALS:
    void changed();

private:
    void refresh();

    Document& document_;
    QComboBox *views_, *format_, *what_, *parameter_;
    QDoubleSpinBox *begin_, *end_, *fps_, *speed_, *from_, *to_;
    LookForm* look_;
    QLabel* note_;
};

// Numbers: of a view, of the whole run, of the equilibria, of the sweep that makes a map or a diagram.
struct DataWish {
    std::string what; // a view, "trajectory" or "equilibria"
    std::string format;
    std::size_t motion = 0; // whose trajectory
    double tEnd = 0, dt = 0;
    std::optional<Sweep> sweep = {};
};

class DataPage : public QWidget {
    Q_OBJECT
public:
    DataPage(Document& document, const std::string& view, QWidget* parent = nullptr);
    DataWish wish() const;
    QString suggestedName() const;

Q_SIGNALS:
    void changed();

private:
    void refresh();
    std::optional<Sweep> sweepOf(const std::string& plot) const; // nothing for one that is not computed

    Document& document_;
    QComboBox *what_, *motion_, *format_;
    QDoubleSpinBox *tEnd_, *dt_;
    QLabel* note_;
};

} // namespace casimir
