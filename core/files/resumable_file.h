// A table that grows row by row beside its place (FILE.part) and is renamed when complete. What an
// interruption leaves behind is continued by whoever writes the same head; another head is refused.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace casimir {

std::filesystem::path growingName(const std::filesystem::path& path); // FILE.part

class ResumableFile {
public:
    // `head` says all that the rows depend on. Throws Error when the place cannot be written, holds a file
    // and `replace` is false, is being written by another program, or when FILE.part belongs to another head
    // and `replace` is false.
    ResumableFile(const std::filesystem::path& path, std::string_view head, bool replace);
    ~ResumableFile(); // without commit(), FILE.part remains
    ResumableFile(const ResumableFile&) = delete;
    ResumableFile& operator=(const ResumableFile&) = delete;

    long rows() const { return rows_; } // complete ones that an earlier run has left
    const std::filesystem::path& growing() const { return growing_; }

    void append(std::string_view text); // throws Error
    void commit();

private:
    void open();
    void adopt(std::string_view head);

    std::filesystem::path path_, growing_;
    int descriptor_ = -1;
    long rows_ = 0;
    bool replace_;
};

} // namespace casimir
