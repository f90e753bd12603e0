// Where a command writes: standard output, or a file that appears whole or not at all.
#pragma once

#include "app/cli/arguments.h"
#include "core/files/output_file.h"

#include <memory>
#include <string_view>

namespace casimir::cli {

// The person pressed Ctrl+C.
struct Interrupted {};

// To standard output; throws Error when that fails.
void print(std::string_view text);

class Output {
public:
    // `-o FILE` and `--force` of the arguments; standard output without. Throws Error.
    explicit Output(const Arguments& arguments);

    void write(std::string_view text);
    void commit();

private:
    std::unique_ptr<OutputFile> file_;
};

} // namespace casimir::cli
