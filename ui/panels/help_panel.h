// HelpPanel: what is seen, the equations and what to try, from the system's help page. NotesPanel: what a person writes down,
// kept in the Session.
#pragma once

#include "ui/document/document.h"
#include "ui/render/theme.h"

#include <QTimer>
#include <QWidget>

class QPlainTextEdit;
class QTextBrowser;

namespace casimir {

class HelpPanel : public QWidget {
    Q_OBJECT

public:
    explicit HelpPanel(Document& document, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    QSize sizeHint() const override;

private:
    void refresh();
    void fill();

    Document& document_;
    Theme theme_;
    QTextBrowser* browser_;
    std::string shown_;
};

class NotesPanel : public QWidget {
    Q_OBJECT

public:
    explicit NotesPanel(Document& document, QWidget* parent = nullptr);
    ~NotesPanel() override;
    void setTheme(const Theme& theme);
    QSize sizeHint() const override;
    void store(); // what was typed, without waiting for the pause in typing

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();

    Document& document_;
    Theme theme_;
    QPlainTextEdit* edit_;
    QTimer pause_;
};

} // namespace casimir
