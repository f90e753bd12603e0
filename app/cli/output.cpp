#include "app/cli/output.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace casimir::cli {

void print(std::string_view text)
{
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw Error(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

Output::Output(const Arguments& arguments)
{
    if (const auto path = arguments.one("--output"))
        file_ = std::make_unique<OutputFile>(*path, arguments.has("--force"));
}

void Output::write(std::string_view text)
{
    if (file_)
        file_->write(text);
    else
        print(text);
}

void Output::commit()
{
    if (file_)
        file_->commit();
}

} // namespace casimir::cli
