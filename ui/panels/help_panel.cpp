#include "ui/panels/help_panel.h"

#include "core/systems/catalogue.h"
#include "ui/panels/panel_parts.h"

#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextDocument>
#include <QVBoxLayout>

namespace casimir {

namespace {

// A pause in typing after which the notes are one step of the history.
constexpr int typingPause = 600; // ms

// Markdown gives structure only; sizes, distances and colours are the theme's.
void applyTheme(QTextDocument& text, const Theme& theme)
{
    for (QTextBlock block = text.begin(); block.isValid(); block = block.next()) {
        QTextCursor cursor(block);
        QTextBlockFormat format = block.blockFormat();
        const int level = format.headingLevel();
        const bool item = block.textList() != nullptr;
        format.setLineHeight(118, QTextBlockFormat::ProportionalHeight);
        format.setTopMargin(theme.px(level == 1 ? 2 : level > 1 ? 14 : item ? 2 : 4));
        format.setBottomMargin(theme.px(level > 0 ? 3 : item ? 2 : 4));
        cursor.setBlockFormat(format);
        cursor.select(QTextCursor::BlockUnderCursor);
        QTextCharFormat letters;
        letters.setForeground(theme.text());
        if (level > 0) {
            QFont font = theme.font(level == 1 ? Theme::Text::Title : Theme::Text::Normal);
            font.setBold(true);
            letters.setFont(font, QTextCharFormat::FontPropertiesAll);
            // Markdown enlarges headings relative to the text around them.
            letters.setProperty(QTextFormat::FontSizeAdjustment, 0);
        }
        cursor.mergeCharFormat(letters);
    }
}

// "J_z" and "Π^*" with their indices below and above the line, as everywhere else; not in what is typed,
// which is set as code.
void typesetIndices(QTextDocument& page)
{
    static const QRegularExpression index(QStringLiteral(
        R"((?<=(?<![\p{L}_])\p{L}|(?<![\p{L}_])d\p{L}|[ⁱᵝ\p{M}])(?:_(?:\p{L}{1,3}\d?|\d+|\*)|\^\*)(?![\p{L}\d_]))"));
    for (QTextCursor at = page.find(index, 0); !at.isNull(); at = page.find(index, at)) {
        QTextCharFormat format = at.charFormat();
        if (format.fontFixedPitch())
            continue;
        const QString mark = at.selectedText();
        format.setVerticalAlignment(mark.startsWith(u'_') ? QTextCharFormat::AlignSubScript
                                                          : QTextCharFormat::AlignSuperScript);
        at.insertText(mark.mid(1), format);
    }
}

} // namespace

HelpPanel::HelpPanel(Document& document, QWidget* parent) : QWidget(parent), document_(document)
{
    setObjectName(QStringLiteral("help"));
    browser_ = new QTextBrowser(this);
    browser_->setObjectName(QStringLiteral("help-text"));
    browser_->setFrameShape(QFrame::NoFrame);
    browser_->setOpenExternalLinks(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(browser_);
    connect(&document_, &Document::kindChanged, this, &HelpPanel::refresh);
    connect(&document_, &Document::sessionChanged, this, &HelpPanel::refresh);
    setTheme(theme_);
}

QSize HelpPanel::sizeHint() const
{
    return {static_cast<int>(theme_.px(280)), static_cast<int>(theme_.px(320))};
}

void HelpPanel::setTheme(const Theme& theme)
{
    theme_ = theme;
    dress(*this, theme);
    browser_->setFont(theme.font());
    browser_->document()->setDefaultFont(theme.font());
    browser_->document()->setDocumentMargin(theme.px(10));
    shown_.clear();
    refresh();
}

void HelpPanel::refresh()
{
    const Session& session = document_.session();
    const std::string key = session.kind + '\n' + session.title + '\n' + session.about;
    if (key == shown_)
        return;
    shown_ = key;
    fill();
}

void HelpPanel::fill()
{
    const Session& session = document_.session();
    const std::string_view page = helpPage(session.kind);
    QString text = QString::fromUtf8(page.data(), static_cast<qsizetype>(page.size()));
    if (text.isEmpty())
        text = QStringLiteral("# %1\n\n%2\n")
                   .arg(QString::fromStdString(document_.kind().title),
                        QString::fromStdString(document_.kind().summary));
    if (!session.about.empty()) {
        // What this session shows comes first, below the title of the page.
        const QString about =
            QStringLiteral("\n## %1\n%2\n")
                .arg(QString::fromStdString(session.title), QString::fromStdString(session.about));
        const qsizetype end = text.startsWith(QLatin1String("# ")) ? text.indexOf(QLatin1Char('\n')) + 1 : 0;
        text.insert(end, about);
    }
    const std::string_view exports = helpPage("taking-home");
    text += "\n\n" + QString::fromUtf8(exports.data(), static_cast<qsizetype>(exports.size()));
    text += QStringLiteral("\n\n## %1\n%2\n")
                .arg(tr("The paper"), QString::fromStdString(document_.kind().paper));
    browser_->setMarkdown(text);
    applyTheme(*browser_->document(), theme_);
    typesetIndices(*browser_->document());
    browser_->verticalScrollBar()->setValue(0);
}

NotesPanel::NotesPanel(Document& document, QWidget* parent) : QWidget(parent), document_(document)
{
    setObjectName(QStringLiteral("notes"));
    edit_ = new QPlainTextEdit(this);
    edit_->setObjectName(QStringLiteral("notes-text"));
    edit_->setFrameShape(QFrame::NoFrame);
    edit_->setPlaceholderText(tr("Notes, saved with the session"));
    edit_->setTabChangesFocus(true);
    edit_->installEventFilter(this);
    edit_->document()->setDocumentMargin(10);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(edit_);
    pause_.setSingleShot(true);
    pause_.setInterval(typingPause);
    connect(&pause_, &QTimer::timeout, this, &NotesPanel::store);
    connect(edit_, &QPlainTextEdit::textChanged, &pause_, qOverload<>(&QTimer::start));
    connect(&document_, &Document::sessionChanged, this, &NotesPanel::refresh);
    setTheme(theme_);
    refresh();
}

NotesPanel::~NotesPanel() = default;

QSize NotesPanel::sizeHint() const
{
    return {static_cast<int>(theme_.px(280)), static_cast<int>(theme_.px(160))};
}

void NotesPanel::setTheme(const Theme& theme)
{
    theme_ = theme;
    dress(*this, theme);
    edit_->setFont(theme.font());
}

void NotesPanel::store()
{
    pause_.stop();
    document_.setNotes(edit_->toPlainText());
}

void NotesPanel::refresh()
{
    // Text that was typed and not stored yet is newer than the Session's.
    if (pause_.isActive())
        return;
    const QString notes = QString::fromStdString(document_.session().notes);
    if (notes == edit_->toPlainText())
        return;
    const QSignalBlocker quiet(edit_);
    edit_->setPlainText(notes);
}

bool NotesPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == edit_ && event->type() == QEvent::FocusOut && pause_.isActive())
        store();
    return QWidget::eventFilter(watched, event);
}

} // namespace casimir
