// What the Motions of a snapshot look like in a plot: their states and tails in their own colours, the orbits
// kept for comparison, and the inputs that a click asks for. Shared by the plane and the surface.
#pragma once

#include "core/analysis/general_plots.h"
#include "core/engine/kept_samples.h"
#include "core/engine/simulation.h"
#include "ui/document/document.h"
#include "ui/render/plot_painter.h"

#include <QObject>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace casimir {

// What a system says about its own Motion, in the colour of that Motion.
Colour inColourOf(const MotionTrack& motion, Colour colour);

PlotTrack trackOf(const MotionTrack& motion, const std::string& plot, double t);
// The paths of the Motions' states over the last seconds, as far as they are recorded, kept from frame to
// frame.
class Tails {
public:
    // Of one Motion, what was before its parameters were changed first; none where
    // nothing is tracked. `now` is its track at the time t.
    std::vector<Polyline> of(const MotionTrack& motion, const std::string& plot, double t, double seconds,
                             const PlotTrack& now);
    void tidy() { kept_.tidy(); } // once all Motions were asked for

private:
    using Place = std::optional<std::pair<double, double>>;
    PerRecording<KeptSamples<Place>> kept_;
};

// Where the leading Motion is now, as inputs.
StateInputs presentInputs(const Document& document);

// The inputs that a click at (x, y) asks for; empty where it asks for nothing.
StateInputs pickedInputs(const Document& document, const std::string& plot, double x, double y);

// What is known of a point of the plot: its coordinates, and the level that a motion from there would have.
std::string readOut(const Document& document, const Plot& plot, const PlotInfo& info, double x, double y);

// The orbits through the Session's ghosts, computed off the GUI thread: at most one computation at a time,
// the newest wish wins. Where a system knows no orbits a ghost is the mark of its state.
class GhostOrbits : public QObject {
    Q_OBJECT
public:
    explicit GhostOrbits(QObject* parent = nullptr);
    ~GhostOrbits() override;

    void request(std::shared_ptr<const System> system, const std::string& plot,
                 const std::vector<StateInputs>& ghosts);
    const PlotTrack& picture() const { return picture_; }
    bool busy() const { return running_; }

Q_SIGNALS:
    void changed();
    void failed(const QString& reason);

private:
    struct Wish {
        std::shared_ptr<const System> system;
        std::string plot;
        std::vector<StateInputs> ghosts;
        bool sameAs(const Wish& other) const;
    };
    void start();

    Wish wish_;
    bool running_ = false, again_ = false;
    PlotTrack picture_;
};

struct MovingParts {
    double tail = 4;   // s
    bool orbit = true; // the whole orbit of the leading Motion, where the system knows it
};

// Everything that moves in a plot: orbits, ghosts, tails, and the states above them, the leading one last.
// Hover and rubber band stay as they are.
void fillOverlay(PlotOverlay& overlay, const Document& document, const PlotInfo& info,
                 const MovingParts& parts, GhostOrbits& ghosts, Tails& tails);

} // namespace casimir
