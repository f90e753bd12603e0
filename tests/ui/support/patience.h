// To be included by tests that ask for an edit and look at what it made: it is there when the call returns,
// however busy the machine.
#pragma once

#include "ui/document/document.h"

namespace casimir::test {

inline const bool patient = [] {
    Document::patience = std::chrono::seconds(20);
    return true;
}();

} // namespace casimir::test
