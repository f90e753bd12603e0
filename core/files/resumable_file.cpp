#include "core/files/resumable_file.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace casimir {

namespace fs = std::filesystem;

namespace {

Error cannotWrite(const fs::path& path)
{
    return Error(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
}

std::string contents(int descriptor, const fs::path& path)
{
    std::string text;
    char block[1 << 16];
    for (;;) {
        const ssize_t n = ::read(descriptor, block, sizeof block);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            throw Error(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
        if (n == 0)
            return text;
        text.append(block, static_cast<std::size_t>(n));
    }
}

} // namespace

fs::path growingName(const fs::path& path)
{
    return path.string() + ".part";
}

ResumableFile::ResumableFile(const fs::path& path, std::string_view head, bool replace)
    : path_(path), growing_(growingName(path)), replace_(replace)
{
    std::error_code error;
    if (path.empty())
        throw Error("the name of the file to write is empty");
    if (fs::is_directory(path, error))
        throw Error(fmt::format("{} is a folder, not a file", path.string()));
    if (!replace && fs::exists(path, error))
        throw Error(fmt::format("{} exists already; use --force to replace it", path.string()));
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, error))
        throw Error(fmt::format("there is no folder {}", folder.string()));
    try {
        open();
        adopt(head);
    } catch (...) {
        if (descriptor_ >= 0)
            ::close(descriptor_);
        throw;
    }
}

void ResumableFile::open()
{
    descriptor_ = ::open(growing_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
        throw cannotWrite(growing_);
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
        throw Error(fmt::format("{} is being written by another program", growing_.string()));
}

void ResumableFile::adopt(std::string_view head)
{
    const std::string earlier = contents(descriptor_, growing_);
    std::size_t keep = 0;
    if (earlier.starts_with(head)) {
        keep = earlier.rfind('\n') + 1; // a row that was cut off is computed again
        const auto begin = earlier.begin() + static_cast<std::ptrdiff_t>(head.size());
        rows_ = std::count(begin, earlier.begin() + static_cast<std::ptrdiff_t>(keep), '\n');
    } else if (!head.starts_with(earlier) && !replace_) {
        throw Error(
            fmt::format("{} holds another sweep, left unfinished; finish that one with its own command, "
                        "choose another file, or use --force to begin anew",
                        growing_.string()));
    }
    if (::ftruncate(descriptor_, static_cast<off_t>(keep)) != 0 || ::lseek(descriptor_, 0, SEEK_END) < 0)
        throw cannotWrite(growing_);
    if (keep == 0)
        append(head);
}

ResumableFile::~ResumableFile()
{
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

void ResumableFile::append(std::string_view text)
{
    while (!text.empty()) {
        const ssize_t n = ::write(descriptor_, text.data(), text.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            throw cannotWrite(growing_);
        text.remove_prefix(static_cast<std::size_t>(n));
    }
}

void ResumableFile::commit()
{
    std::error_code error;
    if (!replace_ && fs::exists(path_, error))
        throw Error(fmt::format("{} was written by another program meanwhile; use --force to replace it",
                                path_.string()));
    fs::rename(growing_, path_, error);
    if (error)
        throw Error(fmt::format("cannot write {}: {}", path_.string(), error.message()));
}

} // namespace casimir
