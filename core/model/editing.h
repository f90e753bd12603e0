// Editing by hand: what of a system a person may take hold of on the stage, what may be done at a point of
// it, and how entries of its lists come and go. Every edit is described as a Change, a plain value; who asks
// makes it one step of the history. A system has these by deriving from them, as with other capabilities.
#pragma once

#include "core/model/colour.h"
#include "core/model/parameter.h"
#include "core/model/system.h"

#include <Eigen/Core>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace casimir {

// Values to assign, together, and the start of the leading Motion where it must follow.
struct Change {
    std::string text; // for the history: "Move the hinge of 1 and 2"
    std::vector<Assignment> assignments = {};
    StateInputs state = {};
};

// A point of the stage that can be dragged.
struct StageHandle {
    std::string id;
    std::string name;                             // "hinge of 1 and 2", in the markup of Quantity
    Eigen::Vector3d at = Eigen::Vector3d::Zero(); // in the inertial frame of the pose
};

// Something that can be done at a point of the stage; `number` where it needs one (how many bodies).
struct StageAction {
    std::string id;
    std::string text; // as in a menu
    std::optional<Parameter> number = {};
};

// All of it at time t and state x; points in the inertial frame. Where an edit is impossible the refusal says
// why; a Change that the values do not allow is refused by the Schema like any other.
class HasStageEditing {
public:
    virtual ~HasStageEditing() = default;
    virtual std::vector<StageHandle> stageHandles(double t, const State& x) const = 0;
    virtual Outcome<Change> dragHandle(std::string_view id, double t, const State& x,
                                       const Eigen::Vector3d& to) const = 0;
    virtual std::vector<StageAction> stageActions(double t, const State& x,
                                                  const Eigen::Vector3d& at) const = 0;
    virtual Outcome<Change> stageAct(std::string_view id, double t, const State& x, const Eigen::Vector3d& at,
                                     long number) const = 0;
};

// A parameter that is a list whose entries refer to each other, so that one more or one less takes more than
// a row of the table.
class HasListEditing {
public:
    virtual ~HasListEditing() = default;
    virtual Outcome<Change> withEntry(std::string_view list, double t, const State& x) const = 0;
    virtual Outcome<Change> withoutEntry(std::string_view list, std::size_t index, double t,
                                         const State& x) const = 0;
};

} // namespace casimir
