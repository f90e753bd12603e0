#include "ui/views/motion_pictures.h"

#include "core/base/error.h"
#include "ui/views/view_text.h"

#include <QPointer>
#include <QThreadPool>

#include <algorithm>

namespace casimir {

namespace {

constexpr int tailPoints = 240;

PlotTrack orbitsThrough(const System& system, const std::string& plot, const std::vector<StateInputs>& ghosts)
{
    PlotTrack picture;
    const auto* orbits = capability<HasOrbits>(system);
    const bool known = orbits && orbits->orbitPlot() == plot;
    for (const StateInputs& ghost : ghosts) {
        try {
            const State x = system.start(ghost);
            PlotTrack at;
            system.track(plot, 0, x, at);
            if (known)
                for (Polyline& line : orbits->orbitThrough(x).lines) {
                    line.colour = {Role::Neutral};
                    line.style = LineStyle::Dashed;
                    line.emphasised = false;
                    picture.lines.push_back(std::move(line));
                }
            for (Mark& mark : at.marks) {
                if (mark.shape != MarkShape::Disc)
                    continue;
                mark.shape = MarkShape::Ring;
                mark.colour = {Role::Neutral};
                mark.label.clear();
                picture.marks.push_back(std::move(mark));
            }
        } catch (const Error&) {
            // A ghost that the present values do not allow is not shown.
        }
    }
    return picture;
}

} // namespace

Colour inColourOf(const MotionTrack& motion, Colour colour)
{
    return colour.role == Role::Motion ? Colour::motion(motion.colour) : colour;
}

PlotTrack trackOf(const MotionTrack& motion, const std::string& plot, double t)
{
    PlotTrack track;
    if (motion.state.size() == 0 || !motion.state.allFinite())
        return track;
    motion.system->track(plot, t, motion.state, track);
    for (Mark& mark : track.marks)
        mark.colour = inColourOf(motion, mark.colour);
    for (Polyline& line : track.lines)
        line.colour = inColourOf(motion, line.colour);
    return track;
}

std::vector<Polyline> Tails::of(const MotionTrack& motion, const std::string& plot, double t, double seconds,
                                const PlotTrack& now)
{
    const auto placeIn = [](const PlotTrack& track) {
        const auto state = std::find_if(track.marks.begin(), track.marks.end(),
                                        [](const Mark& mark) { return mark.shape == MarkShape::Disc; });
        return state == track.marks.end() ? Place() : Place({state->x, state->y});
    };
    std::vector<Polyline> tails;
    const Place present = placeIn(now);
    if (!present)
        return tails;
    const double spacing = seconds / tailPoints;
    State x;
    PlotTrack track;
    const auto add = [&](const Recording& recording, double end, std::optional<Place> last, bool past) {
        const double begin = std::max(std::min(t, motion.recording->end()) - seconds, recording.begin());
        if (!(end > begin))
            return;
        const auto placeAt = [&](double at) {
            recording.glimpse(at, x);
            track.marks.clear();
            track.lines.clear();
            recording.system()->track(plot, at, x, track);
            return placeIn(track);
        };
        Polyline& tail = tails.emplace_back();
        tail.colour = Colour::motion(motion.colour);
        tail.emphasised = true;
        tail.past = past;
        const auto append = [&tail](const Place& place) {
            if (place) {
                tail.x.push_back(place->first);
                tail.y.push_back(place->second);
            }
        };
        auto& kept = kept_.of(recording);
        kept.look(recording, spacing, plot, begin, end,
                  [&](std::int64_t k) { return placeAt(static_cast<double>(k) * spacing); });
        for (const Place& place : kept.samples())
            append(place);
        append(last ? *last : placeAt(end));
    };
    for (const EarlierTrack& piece : motion.earlier)
        add(*piece.recording, std::min(t, piece.until), {}, true);
    add(*motion.recording, std::min(t, motion.recording->end()), present, false);
    return tails;
}

StateInputs presentInputs(const Document& document)
{
    const auto snapshot = document.snapshot();
    if (!snapshot->motions.empty() && &snapshot->motions.front().system->kind() == &document.kind() &&
        snapshot->motions.front().state.size() > 0)
        return snapshot->motions.front().system->inputsOf(snapshot->motions.front().state);
    return runsFrom(*document.system(), document.session().motions.front());
}

StateInputs pickedInputs(const Document& document, const std::string& plot, double x, double y)
{
    const auto system = document.system();
    PlotRequest request{plot, {}, presentInputs(document)};
    for (const PlotInfo& info : document.plots())
        if (info.id == plot)
            request.options = document.chosenOptions(info);
    return system->pickFrom(request, x, y);
}

namespace {

// What a map says of the cell under (x, y).
std::string mapReadOut(const Plot& plot, const HeatMap& map, double x, double y)
{
    const auto cell = [](const PlotAxis& axis, double v, int count) {
        const double part = axis.scale == Scale::Logarithmic
                                ? std::log(v / axis.min) / std::log(axis.max / axis.min)
                                : (v - axis.min) / (axis.max - axis.min);
        return part >= 0 && part <= 1 ? std::min(count - 1, static_cast<int>(part * count)) : -1;
    };
    const int column = cell(plot.x, x, map.columns), row = cell(plot.y, y, map.rows);
    const auto at = static_cast<std::size_t>(row) * map.columns + column;
    if (column < 0 || row < 0 || at >= map.values.size())
        return {};
    if (!std::isfinite(map.values[at]))
        return map.blank;
    const double value = map.values[at];
    if (map.labels.empty())
        return shownValue(map.quantity, value);
    const auto kind = static_cast<std::size_t>(std::lround(value));
    return kind < map.labels.size() ? map.labels[kind] : std::string();
}

} // namespace

std::string readOut(const Document& document, const Plot& plot, const PlotInfo& info, double x, double y)
{
    std::string text =
        plot.axes ? shownValue(plot.x.quantity, x) + ",  " + shownValue(plot.y.quantity, y) : "";
    for (const HeatMap& map : plot.maps)
        if (const std::string answer = mapReadOut(plot, map, x, y); !answer.empty())
            text += (text.empty() ? "" : ",  ") + answer;
    const auto system = document.system();
    if (!info.picksState || !findQuantity(*system, plot.level.id))
        return text;
    try {
        if (const StateInputs inputs = pickedInputs(document, plot.id, x, y); !inputs.empty())
            text += ",  " + shownValue(plot.level, system->quantity(plot.level.id, 0, system->start(inputs)));
    } catch (const Error&) {
        // No state there; the coordinates still say where.
    }
    return text;
}

void fillOverlay(PlotOverlay& overlay, const Document& document, const PlotInfo& info,
                 const MovingParts& parts, GhostOrbits& ghosts, Tails& tails)
{
    overlay.tracks.clear();
    overlay.lines.clear();
    overlay.marks.clear();
    overlay.selectedMark = document.selection();
    const auto leading = document.system();
    if (const auto* orbits = capability<HasOrbits>(*leading);
        orbits && orbits->orbitPlot() == info.id && parts.orbit)
        if (const auto finding = document.orbit(); finding && finding->value)
            for (Polyline line : finding->value->lines) {
                line.colour = {Role::Motion, document.session().motions.front().colour};
                line.emphasised = false;
                overlay.lines.push_back(std::move(line));
            }
    ghosts.request(leading, info.id, document.session().ghosts);
    if (!document.session().ghosts.empty())
        overlay.tracks.push_back(ghosts.picture());
    overlay.ellipsoid.reset();
    if (!info.followsState)
        return;
    const auto snapshot = document.snapshot();
    for (auto motion = snapshot->motions.rbegin(); motion != snapshot->motions.rend(); ++motion) {
        if (!motion->visible || &motion->system->kind() != &document.kind())
            continue;
        PlotTrack track = trackOf(*motion, info.id, snapshot->t);
        // Where a click can choose a state, its path means something.
        if (parts.tail > 0 && info.picksState) {
            for (Polyline& tail : tails.of(*motion, info.id, snapshot->t, parts.tail, track))
                if (!tail.x.empty())
                    overlay.lines.push_back(std::move(tail));
        }
        overlay.tracks.push_back(std::move(track));
        if (const auto* companion = capability<HasCompanion>(*motion->system);
            companion && motion->state.size() > 0) // the leading Motion comes last
            overlay.ellipsoid = companion->companion(info.id, motion->state);
    }
    tails.tidy();
}

GhostOrbits::GhostOrbits(QObject* parent) : QObject(parent) {}
GhostOrbits::~GhostOrbits() = default;

bool GhostOrbits::Wish::sameAs(const Wish& other) const
{
    return plot == other.plot && ghosts == other.ghosts && system && other.system &&
           &system->kind() == &other.system->kind() && system->values() == other.system->values();
}

void GhostOrbits::request(std::shared_ptr<const System> system, const std::string& plot,
                          const std::vector<StateInputs>& ghosts)
{
    Wish wish{std::move(system), plot, ghosts};
    if (wish.sameAs(wish_))
        return;
    wish_ = std::move(wish);
    if (wish_.ghosts.empty()) {
        picture_ = {};
        return;
    }
    if (running_)
        again_ = true;
    else
        start();
}

void GhostOrbits::start()
{
    running_ = true;
    again_ = false;
    // The answer is delivered through the application, which outlives the pool's threads, and dropped if the
    // asker is gone.
    QThreadPool::globalInstance()->start([self = QPointer<GhostOrbits>(this), wish = wish_] {
        PlotTrack picture;
        QString failure;
        try {
            picture = orbitsThrough(*wish.system, wish.plot, wish.ghosts);
        } catch (const std::exception& error) {
            failure = QString::fromUtf8(error.what());
        }
        QMetaObject::invokeMethod(
            QThreadPool::globalInstance(),
            [self, wish, failure, picture = std::move(picture)]() mutable {
                if (!self)
                    return;
                self->running_ = false;
                if (!failure.isEmpty())
                    Q_EMIT self->failed(failure);
                if (!self->wish_.ghosts.empty())
                    self->picture_ = std::move(picture);
                if (self->again_)
                    self->start();
                Q_EMIT self->changed();
            },
            Qt::QueuedConnection);
    });
}

} // namespace casimir
