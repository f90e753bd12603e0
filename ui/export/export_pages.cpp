#include "ui/export/export_pages.h"

#include "core/analysis/plot_sweep.h"
#include "ui/export/film_encoder.h"
#include "ui/render/symbol_text.h"
#include "ui/views/view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>

#include <algorithm>

namespace casimir {

namespace {

const std::string sweepMark = "sweep:"; // before the plot, in the choice of what is written

constexpr double perInch = 96, perMillimetre = perInch / 25.4;
constexpr int numberWidth = 90; // pixels

QDoubleSpinBox* numberBox(const char* name, double lo, double hi, double x, int decimals,
                          const QString& unit = {})
{
    auto* box = new QDoubleSpinBox;
    box->setObjectName(QString::fromLatin1(name));
    box->setRange(lo, hi);
    box->setDecimals(decimals);
    box->setValue(x);
    box->setSuffix(unit);
    box->setKeyboardTracking(false);
    return box;
}

QComboBox* choice(const char* name)
{
    auto* box = new QComboBox;
    box->setObjectName(QString::fromLatin1(name));
    return box;
}

QLabel* noteLabel(const char* name)
{
    auto* label = new QLabel;
    label->setObjectName(QString::fromLatin1(name));
    label->setWordWrap(true);
    label->setProperty("muted", true);
    return label;
}

QWidget* row(std::initializer_list<QWidget*> widgets)
{
    auto* holder = new QWidget;
    auto* layout = new QHBoxLayout(holder);
    layout->setContentsMargins(0, 0, 0, 0);
    for (QWidget* widget : widgets)
        layout->addWidget(widget);
    layout->addStretch(1);
    return holder;
}

void choose(QComboBox* box, const QString& data)
{
    if (const int index = box->findData(data); index >= 0)
        box->setCurrentIndex(index);
}

std::string chosen(const QComboBox* box)
{
    return box->currentData().toString().toStdString();
}

// What is shared by the views' own entries and the ones for several.
std::vector<std::string> allViews(const Document& document)
{
    std::vector<std::string> ids;
    for (const ViewInfo& info : viewsOf(*document.system()))
        ids.push_back(info.id);
    return ids;
}

void addViews(QComboBox* box, const Document& document)
{
    for (const ViewInfo& info : viewsOf(*document.system()))
        box->addItem(QString::fromStdString(info.title), QString::fromStdString(info.id));
}

} // namespace

LookForm::LookForm(bool film, QWidget* parent)
    : QWidget(parent),
      preset_(choice("look:preset")),
      theme_(choice("look:theme")),
      scale_(choice("look:scale")),
      width_(numberBox("look:width", 1, 8192, film ? 960 : 900, 0)),
      height_(numberBox("look:height", 1, 8192, film ? 540 : 675, 0)),
      dpi_(numberBox("look:dpi", 24, 1536, 300, 0, tr(" dpi"))),
      unit_(new QLabel),
      transparent_(new QCheckBox(tr("Transparent background")))
{
    transparent_->setObjectName("look:transparent");
    if (film) {
        preset_->addItem(tr("Full HD, 1920 × 1080"), QSizeF(960, 540));
        preset_->addItem(tr("HD, 1280 × 720"), QSizeF(640, 360));
        preset_->addItem(tr("Small, 960 × 540"), QSizeF(480, 270));
        preset_->addItem(tr("Square, 1080 × 1080"), QSizeF(540, 540));
    } else {
        preset_->addItem(tr("As on screen"), "screen");
        preset_->addItem(tr("Single column, 90 mm"), singleColumn);
        preset_->addItem(tr("Double column, 180 mm"), doubleColumn);
        preset_->addItem(tr("Slide, 16 : 9"), QSizeF(960, 540));
        preset_->addItem(tr("Millimetres"), "mm");
    }
    preset_->addItem(tr("Pixels"), "px");
    for (const auto& [name, id] :
         {std::pair(tr("Print, white"), "print"), {tr("Light"), "light"}, {tr("Dark"), "dark"}})
        theme_->addItem(name, id);
    for (const int scale : {1, 2, 3, 4})
        scale_->addItem(tr("%1×").arg(scale), scale);
    scale_->setCurrentIndex(1);
    scale_->setToolTip(tr("Device pixels for one pixel of the size"));

    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->addRow(tr("Size"), preset_);
    form->addRow(QString(), row({width_, new QLabel(QStringLiteral("×")), height_, unit_}));
    form->addRow(tr("Resolution"), row({scale_, dpi_}));
    form->addRow(tr("Colours"), theme_);
    form->addRow(QString(), transparent_);
    for (QComboBox* box : {theme_, scale_})
        connect(box, &QComboBox::currentIndexChanged, this, &LookForm::changed);
    for (QDoubleSpinBox* box : {width_, height_, dpi_})
        connect(box, &QDoubleSpinBox::valueChanged, this, &LookForm::changed);
    connect(transparent_, &QCheckBox::toggled, this, &LookForm::changed);
    connect(preset_, &QComboBox::currentIndexChanged, this, &LookForm::choosePreset);
    choosePreset(0);
}

void LookForm::setScreenSize(QSize size)
{
    screen_ = size;
    if (preset_->currentData() == "screen")
        choosePreset(preset_->currentIndex());
}

void LookForm::choosePreset(int index)
{
    const QVariant preset = preset_->itemData(index);
    const bool before = millimetres_;
    QSizeF size(width_->value(), height_->value());
    bool own = false;
    if (preset.typeId() == QMetaType::Double) {
        millimetres_ = true;
        size = {preset.toDouble(), preset.toDouble() * 3 / 4};
    } else if (preset.typeId() == QMetaType::QSizeF) {
        millimetres_ = false;
        size = preset.toSizeF();
    } else if (preset == "screen") {
        millimetres_ = false;
        size = screen_;
    } else {
        // The person's own numbers start from what was there.
        own = true;
        millimetres_ = preset == "mm";
        if (millimetres_ != before)
            size *= millimetres_ ? 1 / perMillimetre : perMillimetre;
    }
    {
        const QSignalBlocker a(width_), b(height_);
        for (QDoubleSpinBox* box : {width_, height_})
            box->setDecimals(millimetres_ ? 1 : 0);
        width_->setValue(size.width());
        height_->setValue(size.height());
    }
    // The height of a column is the author's choice.
    width_->setEnabled(own);
    height_->setEnabled(own || millimetres_);
    unit_->setText(millimetres_ ? tr("mm") : tr("px"));
    scale_->setVisible(!millimetres_);
    dpi_->setVisible(millimetres_);
    Q_EMIT changed();
}

void LookForm::fill(ExportSpec& spec) const
{
    spec.size = {width_->value(), height_->value(), millimetres_,
                 millimetres_ ? dpi_->value() / perInch : scale_->currentData().toDouble()};
    spec.theme = chosen(theme_);
    spec.transparent = transparent_->isChecked();
}

FigurePage::FigurePage(Document& document, const std::string& view,
                       std::function<View*(const std::string&)> viewOf, QWidget* parent)
    : QWidget(parent),
      document_(document),
      viewOf_(std::move(viewOf)),
      views_(choice("figure:view")),
      format_(choice("figure:format")),
      t_(numberBox("figure:t", -1e6, 1e6, document.snapshot()->t, 4, tr(" s"))),
      look_(new LookForm(false)),
      note_(noteLabel("figure:note"))
{
    addViews(views_, document);
    views_->insertSeparator(views_->count());
    views_->addItem(tr("All views on one page"), ":page");
    views_->addItem(tr("All views, a file each"), ":each");
    choose(views_, QString::fromStdString(view));
    for (const char* format : {"svg", "pdf", "png"})
        format_->addItem(QString::fromLatin1(format).toUpper(), QString::fromLatin1(format));
    auto* form = new QFormLayout(this);
    form->addRow(tr("View"), views_);
    form->addRow(tr("Format"), format_);
    form->addRow(note_);
    form->addRow(look_);
    form->addRow(tr("Time"), t_);
    for (QComboBox* box : {views_, format_})
        connect(box, &QComboBox::currentIndexChanged, this, &FigurePage::refresh);
    connect(look_, &LookForm::changed, this, &FigurePage::refresh);
    connect(t_, &QDoubleSpinBox::valueChanged, this, &FigurePage::refresh);
    refresh();
}

void FigurePage::setFormat(const QString& format)
{
    choose(format_, format);
}

ExportSpec FigurePage::spec() const
{
    ExportSpec spec;
    look_->fill(spec);
    spec.format = chosen(format_);
    spec.t = t_->value();
    const std::string what = chosen(views_);
    spec.views = what.starts_with(":") ? allViews(document_) : std::vector{what};
    spec.arrangement = what == ":each" ? Arrangement::Each : Arrangement::Page;
    return spec;
}

QString FigurePage::suggestedName() const
{
    const std::string what = chosen(views_);
    const QString kind = QString::fromStdString(document_.kind().id);
    const QString name = what == ":page"   ? tr("%1-page").arg(kind)
                         : what == ":each" ? kind
                                           : kind + "-" + QString::fromStdString(what);
    return name + "." + QString::fromStdString(chosen(format_));
}

void FigurePage::refresh()
{
    const ExportSpec spec = this->spec();
    if (const View* view = viewOf_(spec.views.front()); view && spec.views.size() == 1) {
        const QSignalBlocker quiet(look_);
        look_->setScreenSize(view->size());
    }
    int asVectors = 0;
    QString because;
    for (const std::string& id : spec.views) {
        View* view = viewOf_(id);
        const QString reason = view ? view->pixelsBecause() : QString();
        if (reason.isEmpty())
            ++asVectors;
        else
            because = reason;
    }
    const ExportSpec now = this->spec();
    const QString format = QString::fromStdString(now.format).toUpper();
    const int density = std::max(300, static_cast<int>(now.size.scale * perInch));
    QString note;
    if (now.format == "png")
        note = tr("A picture of %1 × %2 pixels.").arg(now.size.pixelWidth()).arg(now.size.pixelHeight());
    else if (because.isEmpty())
        note = tr("True vectors and text.");
    else if (asVectors == 0)
        note = tr("This view goes into the %1 as a picture of %2 dots per inch, its numbers as text: %3.")
                   .arg(format)
                   .arg(density)
                   .arg(because);
    else
        note = tr("True vectors and text, but some views in space as pictures of %2 dots per inch inside the "
                  "%1: "
                  "%3.")
                   .arg(format)
                   .arg(density)
                   .arg(because);
    note_->setText(note);
    Q_EMIT changed();
}

FilmPage::FilmPage(Document& document, const std::string& view, QWidget* parent)
    : QWidget(parent),
      document_(document),
      views_(choice("film:view")),
      format_(choice("film:format")),
      what_(choice("film:what")),
      parameter_(choice("film:parameter")),
      begin_(numberBox("film:begin", -1e6, 1e6, 0, 3, tr(" s"))),
      end_(numberBox("film:end", -1e6, 1e6, 10, 3, tr(" s"))),
      fps_(numberBox("film:fps", 1, 240, 30, 0)),
      speed_(numberBox("film:speed", 0.01, 100, 1, 2, QStringLiteral("×"))),
      from_(numberBox("film:from", -1e9, 1e9, 0, 4)),
      to_(numberBox("film:to", -1e9, 1e9, 1, 4)),
      look_(new LookForm(true)),
      note_(noteLabel("film:note"))
{
    if (usualViews(*document.system()).size() > 1)
        views_->addItem(tr("Stage, portrait and chart"), ":composed");
    addViews(views_, document);
    choose(views_, QString::fromStdString(view));
    for (const auto& [name, id] : {std::pair(tr("MP4 (H.264)"), "mp4"),
                                   {tr("WebM (VP9)"), "webm"},
                                   {tr("GIF"), "gif"},
                                   {tr("APNG"), "apng"},
                                   {tr("Numbered PNGs"), "frames"}})
        format_->addItem(name, QString::fromLatin1(id));
    what_->addItem(tr("The motion"), "motion");
    what_->addItem(tr("The motion, camera going around"), "turn");
    what_->addItem(tr("Camera going around, motion at rest"), "still");
    what_->addItem(tr("A parameter that changes"), "sweep");
    const Kind& kind = document.kind();
    const auto addParameter = [&](const Parameter& parameter) {
        if (parameter.type == ParameterType::Real || parameter.type == ParameterType::Integer)
            parameter_->addItem(tr("%1  %2").arg(SymbolText::symbol(parameter.symbol).plain(),
                                                 SymbolText::upright(parameter.name).plain()),
                                QString::fromStdString(parameter.id));
    };
    for (const Parameter& parameter : kind.schema.parameters())
        addParameter(parameter);
    for (const Alias& alias : kind.schema.aliases())
        addParameter(alias.description);
    if (parameter_->count() == 0)
        what_->removeItem(what_->count() - 1);

    for (QDoubleSpinBox* box : {from_, to_})
        box->setMaximumWidth(numberWidth); // their ranges would make the page as wide as a billion
    parameter_->setMaximumWidth(2 * numberWidth);
    auto* form = new QFormLayout(this);
    form->addRow(tr("View"), views_);
    form->addRow(tr("Format"), format_);
    form->addRow(tr("Film of"), what_);
    form->addRow(tr("Parameter"), row({parameter_, from_, new QLabel(tr("to")), to_}));
    form->addRow(tr("Time"), row({begin_, new QLabel(tr("to")), end_}));
    form->addRow(tr("Frames a second"), row({fps_, new QLabel(tr("speed")), speed_}));
    form->addRow(look_);
    form->addRow(note_);
    for (QComboBox* box : {views_, format_, what_})
        connect(box, &QComboBox::currentIndexChanged, this, &FilmPage::refresh);
    const auto presentValue = [this] {
        const std::string address = chosen(parameter_);
        const Value value = document_.value(address);
        const double x = std::holds_alternative<long>(value)     ? static_cast<double>(std::get<long>(value))
                         : std::holds_alternative<double>(value) ? std::get<double>(value)
                                                                 : 0;
        const QSignalBlocker a(from_), b(to_);
        from_->setValue(x);
        to_->setValue(x == 0 ? 1 : 2 * x);
        refresh();
    };
    connect(parameter_, &QComboBox::currentIndexChanged, this, presentValue);
    for (QDoubleSpinBox* box : {begin_, end_, fps_, speed_, from_, to_})
        connect(box, &QDoubleSpinBox::valueChanged, this, &FilmPage::refresh);
    connect(look_, &LookForm::changed, this, &FilmPage::refresh);
    if (parameter_->count() > 0)
        presentValue();
    refresh();
}

ExportSpec FilmPage::spec() const
{
    ExportSpec spec;
    look_->fill(spec);
    spec.format = chosen(format_);
    const std::string view = chosen(views_), what = chosen(what_);
    spec.views = view == ":composed" ? usualViews(*document_.system()) : std::vector{view};
    spec.arrangement = Arrangement::Composed;
    Film film{begin_->value(), end_->value(), fps_->value(), speed_->value()};
    film.turns = what == "turn" || what == "still" ? 1 : 0;
    film.still = what == "still";
    if (what == "sweep")
        film.sweep = FilmSweep{chosen(parameter_), from_->value(), to_->value()};
    spec.film = film;
    return spec;
}

QString FilmPage::suggestedName() const
{
    const std::string format = chosen(format_), view = chosen(views_);
    const QString name = QString::fromStdString(document_.kind().id) + "-" +
                         (view == ":composed" ? QStringLiteral("film") : QString::fromStdString(view));
    return format == "frames" ? name + "/" : name + "." + QString::fromStdString(format);
}

void FilmPage::refresh()
{
    const ExportSpec spec = this->spec();
    const bool sweep = spec.film->sweep.has_value();
    for (QWidget* widget : std::initializer_list<QWidget*>{parameter_, from_, to_})
        widget->setEnabled(sweep);
    QString note;
    if (spec.film->end > spec.film->begin)
        note = tr("%1 frames, %2 s of film, %3 × %4 pixels.")
                   .arg(spec.film->frames())
                   .arg(spec.film->frames() / spec.film->fps, 0, 'g', 4)
                   .arg(spec.size.pixelWidth())
                   .arg(spec.size.pixelHeight());
    if (spec.format != "frames" && !ffmpegComplaint().empty())
        note +=
            tr("\nFilms need ffmpeg, which is not installed (Debian package: ffmpeg). Numbered PNGs work.");
    note_->setText(note);
    Q_EMIT changed();
}

DataPage::DataPage(Document& document, const std::string& view, QWidget* parent)
    : QWidget(parent),
      document_(document),
      what_(choice("data:what")),
      motion_(choice("data:motion")),
      format_(choice("data:format")),
      tEnd_(numberBox("data:t-end", 1e-3, 1e6, document.session().run.tEnd, 3, tr(" s"))),
      dt_(numberBox("data:dt", 1e-6, 1e6, document.session().run.tEnd / 1000, 6, tr(" s"))),
      note_(noteLabel("data:note"))
{
    what_->addItem(tr("The whole trajectory"), "trajectory");
    what_->addItem(tr("The equilibria"), "equilibria");
    for (const ViewInfo& info : viewsOf(*document.system()))
        if (info.id != "stage")
            what_->addItem(tr("What is seen in: %1").arg(QString::fromStdString(info.title)),
                           QString::fromStdString(info.id));
    for (const PlotInfo& info : plotsOf(*document.system()))
        if (sweepOf(info.id))
            what_->addItem(tr("The sweep that makes: %1").arg(QString::fromStdString(info.title)),
                           QString::fromStdString(sweepMark + info.id));
    choose(what_, QString::fromStdString(view));
    auto* form = new QFormLayout(this);
    const std::vector<Motion>& motions = document.session().motions;
    for (std::size_t k = 0; k < motions.size(); ++k)
        motion_->addItem(QString::fromStdString(motions[k].label), static_cast<int>(k));
    form->addRow(tr("Data"), what_);
    form->addRow(tr("Motion"), motion_);
    form->setRowVisible(motion_, motions.size() > 1);
    form->addRow(tr("Format"), format_);
    form->addRow(tr("Until"), tEnd_);
    form->addRow(tr("Spacing of rows"), dt_);
    form->addRow(note_);
    for (QComboBox* box : {what_, motion_, format_})
        connect(box, &QComboBox::currentIndexChanged, this, &DataPage::refresh);
    for (QDoubleSpinBox* box : {tEnd_, dt_})
        connect(box, &QDoubleSpinBox::valueChanged, this, &DataPage::refresh);
    refresh();
}

std::optional<Sweep> DataPage::sweepOf(const std::string& plot) const
{
    const auto finding = document_.plot(plot);
    return finding && finding->value
               ? sweepBehind(*document_.system(),
                             runsFrom(*document_.system(), document_.session().motions.front()),
                             *finding->value)
               : std::nullopt;
}

DataWish DataPage::wish() const
{
    const auto motion = static_cast<std::size_t>(std::max(0, motion_->currentData().toInt()));
    DataWish wish{chosen(what_), chosen(format_), motion, tEnd_->value(), dt_->value()};
    if (wish.what.starts_with(sweepMark))
        wish.sweep = sweepOf(wish.what.substr(sweepMark.size()));
    return wish;
}

QString DataPage::suggestedName() const
{
    std::string what = chosen(what_);
    if (what.starts_with(sweepMark))
        what = what.substr(sweepMark.size()) + "-sweep";
    else if (what == "trajectory" && motion_->count() > 1)
        what += "-" + std::to_string(motion_->currentIndex() + 1);
    return QString::fromStdString(document_.kind().id + "-" + what + "." + chosen(format_));
}

void DataPage::refresh()
{
    const std::string what = chosen(what_);
    const bool table = what == "equilibria", run = what == "trajectory", sweep = what.starts_with(sweepMark);
    const int wanted = table ? 3 : sweep ? 1 : 2;
    if (format_->count() != wanted || (table != (format_->findData("tex") >= 0))) {
        const QSignalBlocker quiet(format_);
        format_->clear();
        format_->addItem(tr("CSV"), "csv");
        if (table) {
            format_->addItem(tr("LaTeX"), "tex");
            format_->addItem(tr("Markdown"), "md");
        } else if (!sweep) {
            format_->addItem(tr("NumPy (.npz)"), "npz");
        }
    }
    motion_->setEnabled(run);
    tEnd_->setEnabled(run);
    dt_->setEnabled(run);
    const std::optional<Sweep> asked = wish().sweep;
    note_->setText(asked ? tr("%1 points and %2 numbers at each, computed on all cores by the command below.")
                               .arg(asked->points())
                               .arg(asked->quantities.size())
                   : chosen(format_) == "npz"
                       ? tr("In Python: data = numpy.load(\"%1\"), then data.files lists the columns and "
                            "data[\"made\"] tells how they were made.")
                             .arg(suggestedName())
                       : QString());
    Q_EMIT changed();
}

} // namespace casimir
