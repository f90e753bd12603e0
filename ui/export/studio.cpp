#include "ui/export/studio.h"

#include "core/base/error.h"
#include "ui/render/gl_host.h"
#include "ui/render/plot_painter.h"
#include "ui/views/view3d.h"
#include "ui/views/view_factory.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QPainter>
#include <QTimer>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace casimir {

namespace {

constexpr qint64 patience = 600'000; // ms until a picture must have been computed
constexpr int nap = 20;              // ms after which to look again though nothing was announced
constexpr int gap = 6;               // pixels between views
constexpr double leadWidth = 0.58;   // of the first view in a composed picture

Theme themeNamed(const std::string& name)
{
    return name == "dark" ? Theme::dark() : name == "light" ? Theme::light() : Theme::print();
}

} // namespace

std::vector<QRect> placesOf(std::size_t views, Arrangement arrangement, QSize size)
{
    std::vector<QRect> places;
    const int n = static_cast<int>(views), w = size.width(), h = size.height();
    // Cell i of n along a length, with gaps between them, in whole pixels.
    const auto from = [](int i, int count, int length) { return i * (length + gap) / count; };
    const auto span = [&](int i, int count, int length) {
        return from(i + 1, count, length) - gap - from(i, count, length);
    };
    if (arrangement == Arrangement::Each) {
        places.assign(views, QRect(QPoint(), size));
    } else if (arrangement == Arrangement::Composed && n > 1) {
        const int left = static_cast<int>(leadWidth * w), right = w - left - gap;
        places.emplace_back(0, 0, left, h);
        for (int i = 0; i < n - 1; ++i)
            places.emplace_back(left + gap, from(i, n - 1, h), right, span(i, n - 1, h));
    } else {
        // As many columns as make the cells nearest to the shape of a screen.
        int columns = 1;
        double best = 1e300;
        for (int c = 1; c <= n; ++c) {
            const int rows = (n + c - 1) / c;
            const double shape = (static_cast<double>(w) / c) / (static_cast<double>(h) / rows);
            const double cost = std::abs(std::log(shape / 1.4)) + 0.3 * (rows * c - n);
            if (cost < best) {
                best = cost;
                columns = c;
            }
        }
        const int rows = (n + columns - 1) / columns;
        for (int i = 0; i < n; ++i) {
            const int row = i / columns, inRow = std::min(columns, n - row * columns), column = i % columns;
            places.emplace_back(from(column, inRow, w), from(row, rows, h), span(column, inRow, w),
                                span(row, rows, h));
        }
    }
    return places;
}

Studio::Studio(Recipe recipe) : recipe_(std::move(recipe))
{
    checkExport(recipe_.spec, recipe_.session);
    shown_ = sessionAt(recipe_, 0);
    Session played = shown_;
    played.run.loop = false; // a figure may be of any time
    document_ = std::make_unique<Document>(std::move(played));
    const std::vector<ViewInfo> known = viewsOf(*document_->system());
    places_ = placesOf(recipe_.spec.views.size(), recipe_.spec.arrangement, layoutSize());
    for (std::size_t i = 0; i < recipe_.spec.views.size(); ++i) {
        const auto info = std::find_if(known.begin(), known.end(),
                                       [&](const ViewInfo& v) { return v.id == recipe_.spec.views[i]; });
        auto view = makeView(*document_, *info);
        view->setForFile(recipe_.spec.transparent);
        view->setTheme(themeNamed(recipe_.spec.theme));
        view->setMinimumSize(1, 1);
        view->resize(places_[i].size());
        // Charts lay themselves out when shown; a view in space would ask the platform for OpenGL.
        if (!isPicture(*view)) {
            view->setAttribute(Qt::WA_DontShowOnScreen);
            view->show();
        }
        view->prepare();
        hosts_.emplace_back();
        views_.push_back(std::move(view));
    }
    seek(recipe_.spec.film ? recipe_.spec.film->timeAt(0) : recipe_.spec.t);
}

Studio::~Studio()
{
    // Drawings leave the contexts they were drawn in before either ends.
    hosts_.clear();
    views_.clear();
}

bool Studio::isPicture(const View& view)
{
    return qobject_cast<const View3d*>(&view) != nullptr;
}

Recipe Studio::figureRecipe() const
{
    Recipe figure{shown_, recipe_.spec};
    figure.spec.t = t_;
    figure.spec.film.reset();
    if (recipe_.spec.film)
        figure.spec.format = "png";
    if (turn_ != 0)
        for (const auto& view : views_)
            if (auto* view3d = qobject_cast<View3d*>(view.get()))
                figure.session.options[view->info().id + ".camera"] = view3d->cameraOption();
    return figure;
}

void Studio::seek(double t)
{
    t_ = t;
    double horizon = t;
    for (const auto& view : views_)
        horizon = std::max(horizon, view->horizon(t));
    prepared_ = false;
    // In a film what is known already usually suffices.
    const bool otherMotion = recipe_.spec.film && recipe_.spec.film->sweep;
    horizonReached_ = horizon_ && horizon <= *horizon_ && !otherMotion;
    if (!horizonReached_)
        horizon_ = horizon;
    document_->simulation().seek(horizonReached_ ? t_ : *horizon_);
}

void Studio::showFrame(int frame)
{
    const Film& film = *recipe_.spec.film;
    turn_ = film.angleAt(frame);
    if (film.sweep && frame != frame_) {
        shown_ = sessionAt(recipe_, frame);
        Session played = shown_;
        played.run.loop = false;
        document_->show(std::move(played));
    }
    if (frame != frame_ || t_ != film.timeAt(frame))
        seek(film.timeAt(frame));
    frame_ = frame;
}

bool Studio::reached(double t) const
{
    const auto snapshot = document_->snapshot();
    if (!document_->isCurrent(snapshot->sessionNumber) || snapshot->motions.empty())
        return false;
    // Where every motion ended earlier the clock stops with the last of them.
    bool ended = true;
    for (const MotionTrack& motion : snapshot->motions) {
        const bool stopped = !motion.recording->statusAt(t).ok();
        if (!motion.recording->contains(t) && !stopped)
            return false;
        ended = ended && stopped;
    }
    return snapshot->t == t || ended;
}

bool Studio::ready()
{
    if (!horizonReached_) {
        if (!reached(*horizon_))
            return false;
        horizonReached_ = true;
        document_->simulation().seek(t_);
    }
    if (!reached(t_))
        return false;
    const auto current = [&](const auto& finding) {
        return finding && finding->final && document_->isCurrent(finding->number);
    };
    if (!current(document_->analysis()))
        return false;
    if (capability<HasOrbits>(*document_->system()) && !current(document_->orbit()))
        return false;
    for (const auto& view : views_)
        if (!view->info().plot.empty() && !document_->isCurrent(view->info().plot))
            return false;
    if (!prepared_) {
        for (const auto& view : views_)
            view->prepare();
        prepared_ = true;
        const auto turns = [](const auto& view) {
            auto* view3d = qobject_cast<View3d*>(view.get());
            return view3d && view3d->drawing().turnable();
        };
        if (recipe_.spec.film && recipe_.spec.film->turns != 0 &&
            std::none_of(views_.begin(), views_.end(), turns))
            throw Error("a turntable needs a view in space; the chosen ones are flat");
    }
    return std::all_of(views_.begin(), views_.end(), [](const auto& view) { return view->settled(); });
}

bool Studio::waitUntilReady(const std::function<bool()>& cancelled)
{
    QElapsedTimer clock;
    clock.start();
    while (true) {
        document_->simulation().waitUntilIdle();
        QCoreApplication::processEvents(QEventLoop::ExcludeUserInputEvents);
        if (ready())
            return true;
        if (cancelled && cancelled())
            return false;
        if (clock.elapsed() > patience)
            throw Error(fmt::format("the picture was not computed within {} s", patience / 1000));
        if (!horizonReached_ || !reached(t_))
            continue; // only the answers of the engine are on their way
        QEventLoop loop;
        QTimer::singleShot(nap, &loop, &QEventLoop::quit);
        QObject::connect(document_.get(), &Document::analysesChanged, &loop, &QEventLoop::quit);
        loop.exec(QEventLoop::ExcludeUserInputEvents);
    }
}

void Studio::paintOne(QPainter& painter, std::size_t index, double pixelRatio, bool cached)
{
    View& view = *views_[index];
    painter.save();
    painter.translate(places_[index].topLeft());
    const QRectF rect(QPointF(), places_[index].size());
    auto* view3d = qobject_cast<View3d*>(&view);
    if (view3d && isVector(painter) && view3d->pixelsBecause().isEmpty()) {
        view3d->paintAsVectors(painter, rect);
    } else if (view3d) {
        if (!hosts_[index])
            hosts_[index] = std::make_unique<OffscreenGl>();
        view3d->paintOffscreen(*hosts_[index], painter, rect, pixelRatio,
                               view3d->drawing().turnable() ? turn_ : 0);
    } else if (cached) {
        view.paintFrame(painter, rect, pixelRatio);
    } else {
        view.paintTo(painter, rect);
    }
    painter.restore();
}

void Studio::paint(QPainter& painter, double pixelRatio, std::size_t only, bool cached)
{
    if (recipe_.spec.arrangement == Arrangement::Each)
        return paintOne(painter, only, pixelRatio, cached);
    for (std::size_t i = 0; i < views_.size(); ++i)
        paintOne(painter, i, pixelRatio, cached);
}

void Studio::paint(QPainter& painter, double pixelRatio, std::size_t only)
{
    paint(painter, pixelRatio, only, false);
}

QImage Studio::image(std::size_t only)
{
    const PictureSize& size = recipe_.spec.size;
    QImage image(size.pixelWidth(), size.pixelHeight(),
                 recipe_.spec.transparent ? QImage::Format_ARGB32_Premultiplied : QImage::Format_RGB32);
    if (image.isNull())
        throw Error(fmt::format("there is not enough memory for a picture of {} x {} pixels",
                                size.pixelWidth(), size.pixelHeight()));
    image.fill(recipe_.spec.transparent ? QColor(Qt::transparent)
                                        : themeNamed(recipe_.spec.theme).background());
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(size.scale, size.scale);
    // At other scales what is kept would not meet the pixels of the picture.
    const bool cached = size.scale == std::floor(size.scale);
    paint(painter, size.scale, only, cached);
    return image;
}

} // namespace casimir
