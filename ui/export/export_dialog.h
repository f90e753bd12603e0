// ExportDialog: figures, films and data by hand. It shows what a figure will look like and the command line
// that makes the same, writes figures and tables itself and leaves films and long runs to an ExportJob. What
// is wanted is said by its pages, how it is made by figure_export and the program itself.
#pragma once

#include "core/session/export_spec.h"
#include "ui/export/export_job.h"

#include <QDialog>
#include <QTimer>

#include <functional>
#include <memory>

class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QTabWidget;

namespace casimir {

class DataPage;
struct DataWish;
class Document;
class FigurePage;
class FigurePreview;
class FilmPage;
class Studio;
class View;

class ExportDialog : public QDialog {
    Q_OBJECT
public:
    // `views` gives the views on screen; `sessionFile` where the session is saved, empty where it is not.
    ExportDialog(Document& document, std::function<std::vector<View*>()> views, const std::string& present,
                 QString sessionFile, QWidget* parent = nullptr);
    ~ExportDialog() override;

    const FigurePreview& preview() const { return *preview_; }
    QString command() const;
    QString path() const;

Q_SIGNALS:
    void wrote(const QString& path);

protected:
    void reject() override;

private:
    enum Tab { Figure, Film, Data };

    Recipe recipe() const;
    Recipe dataRecipe(const DataWish& wish) const;
    void refresh();
    void suggestName();
    void browse();
    void begin();
    bool mayWrite(const QStringList& files);
    void writeFigure();
    void finishFigure();
    void writeData();
    void setBusy(bool busy);
    void tell(const QString& text, bool complaint = false);
    View* viewNamed(const std::string& id) const;

    Document& document_;
    std::function<std::vector<View*>()> views_;
    QString sessionFile_;
    QTabWidget* tabs_;
    FigurePage* figure_;
    FilmPage* film_;
    DataPage* data_;
    FigurePreview* preview_;
    QLineEdit *path_, *command_;
    QLabel* status_;
    QProgressBar* progress_;
    QPushButton *export_, *cancel_;
    ExportJob job_;
    std::unique_ptr<Studio> studio_; // of a figure that is being computed
    QTimer poll_;
    QString folder_, suggested_;
};

} // namespace casimir
