// Misuse: a value out of range, an unknown name, a file that cannot be read. The text is a sentence for a
// person and carries the offending value. A computation that does not succeed is not misuse; it returns a
// Status (status.h).
#pragma once

#include <stdexcept>
#include <string>

namespace casimir {

class Error : public std::runtime_error {
public:
    explicit Error(const std::string& sentence) : std::runtime_error(sentence) {}
};

} // namespace casimir
