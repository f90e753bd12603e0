#include "core/files/output_file.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace casimir {

namespace fs = std::filesystem;

namespace {

// The names of what grows, where a signal handler can read them. A name beyond the last slot is not removed.
std::array<std::atomic<const char*>, 16> growingNames{};
static_assert(std::atomic<const char*>::is_always_lock_free);

void remember(const char* name)
{
    for (auto& slot : growingNames)
        if (const char* empty = nullptr; slot.compare_exchange_strong(empty, name))
            return;
}

void forget(const char* name)
{
    for (auto& slot : growingNames)
        if (const char* held = name; slot.compare_exchange_strong(held, nullptr))
            return;
}

} // namespace

void removeGrowingFiles() noexcept
{
    for (auto& slot : growingNames)
        if (const char* name = slot.load())
            ::unlink(name);
}

OutputFile::OutputFile(const fs::path& path, bool replace) : path_(path), replace_(replace)
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
    growing_ = folder / fmt::format(".{}.{}{}", path.stem().string(), ::getpid(), path.extension().string());
    stream_.open(growing_, std::ios::binary | std::ios::trunc);
    if (!stream_)
        throw Error(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
    remember(growing_.c_str());
}

OutputFile::~OutputFile()
{
    forget(growing_.c_str());
    if (committed_)
        return;
    stream_.close();
    std::error_code ignored;
    fs::remove(growing_, ignored);
}

void OutputFile::write(std::string_view text)
{
    stream_.write(text.data(), static_cast<std::streamsize>(text.size()));
    if (!stream_)
        throw Error(fmt::format("cannot write {}: {}", path_.string(), std::strerror(errno)));
}

void OutputFile::commit()
{
    stream_.close();
    if (!stream_)
        throw Error(fmt::format("cannot write {}: {}", path_.string(), std::strerror(errno)));
    std::error_code error;
    if (!replace_ && fs::exists(path_, error))
        throw Error(fmt::format("{} was written by another program meanwhile; use --force to replace it",
                                path_.string()));
    fs::rename(growing_, path_, error);
    if (error)
        throw Error(fmt::format("cannot write {}: {}", path_.string(), error.message()));
    committed_ = true;
}

} // namespace casimir
