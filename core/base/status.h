// The outcome of a computation that may honestly have no answer: no equilibrium, no convergence, a singular
// matrix.
#pragma once

#include <string>
#include <utility>

namespace casimir {

// `code` is a short word for programs ("ok", "degenerate", "not-converged", ...), `sentence` explains it to a
// person.
struct Status {
    std::string code = "ok";
    std::string sentence;

    bool ok() const { return code == "ok"; }
    static Status failed(std::string code, std::string sentence)
    {
        return {std::move(code), std::move(sentence)};
    }
    bool operator==(const Status&) const = default;
};

} // namespace casimir
