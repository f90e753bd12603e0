// Kind: the catalogue's entry for a system: its words, its parameters, its presets, and how to make a System
// at given values.
#pragma once

#include "core/model/analysis.h"
#include "core/model/parameter.h"
#include "core/model/system.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace casimir {

// What `--input FILE` says, once read: assignments and a start.
struct Input {
    std::vector<Assignment> assignments;
    StateInputs state;
};

struct Kind {
    std::string id;
    std::string title;
    std::string paper;   // authors, title, journal, year
    std::string summary; // one sentence for `list` and the gallery
    Schema schema;
    std::function<std::shared_ptr<const System>(const Kind&, const Values&)> factory;
    // The paper's claims, computed with parameters drawn from `seed`.
    std::function<std::vector<Claim>(unsigned seed)> claims = {};
    // Reads the JSON of `--input`; throws Error naming an unknown key. Without one, the keys are parameter
    // ids and "state".
    std::function<Input(const Kind&, const nlohmann::ordered_json&)> readInput = {};

    // Checks the values (throws Error) and makes the system.
    std::shared_ptr<const System> make(const Values& values) const;
    std::shared_ptr<const System> make() const { return make(schema.defaults()); }
};

} // namespace casimir
