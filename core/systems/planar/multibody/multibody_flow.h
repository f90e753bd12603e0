// Motions of one tree from many starts, each in a lane of a vector with a step of its own: how much a small
// disturbance grows until a given time, or when a joint has first made a full turn. For maps over starts.
#pragma once

#include "core/numerics/integration.h"
#include "core/systems/planar/multibody/multibody.h"

#include <atomic>
#include <functional>
#include <optional>

namespace casimir::planar {

struct TreeFlow {
    enum class Question { Growth, Turn };
    Question question = Question::Growth;
    double tEnd = 1;
    double rtol = 1e-7;
    // A momentum and a time (that of a radian) that are usual here: errors and disturbances of momenta count
    // against the one, first steps are a part of the other.
    double momentum = 1, time = 1;
    State disturbance = {}; // Growth: its direction at the start
    long maxSteps = 200'000;
};

struct TreeStart {
    int orbit = 0; // a number of the caller's
    State x;
};

struct TreeEnd {
    // Growth: ln |d(tEnd)|/|d(0)|, |d|^2 the sum of squares of angles and of momenta/momentum. Turn: the time
    // at which some joint not prescribed is 2 pi from where it started, infinite if none is by tEnd. NaN
    // where the motion could not be followed.
    double answer = 0;
    long steps = 0; // tried
};

// Follows the starts that `next` hands out until it hands out none or `stop` is set, on this thread. The
// orbits end in any order.
using NextTreeStart = std::function<std::optional<TreeStart>()>;
using TreeEnded = std::function<void(int orbit, const TreeEnd& end)>;
void followTrees(const Tree& tree, const TreeFlow& flow, const NextTreeStart& next, const TreeEnded& ended,
                 const std::atomic<bool>& stop);
// The same one after the other: the same digits, slower where there are several.
void followTreesSingly(const Tree& tree, const TreeFlow& flow, const NextTreeStart& next,
                       const TreeEnded& ended, const std::atomic<bool>& stop);

} // namespace casimir::planar
