// A file that is either written whole or not at all: it grows under another name beside its place and is
// renamed at the end.
#pragma once

#include <filesystem>
#include <fstream>
#include <string_view>

namespace casimir {

// Removes every file that is still growing; for a signal handler that ends the process, and safe there.
void removeGrowingFiles() noexcept;

class OutputFile {
public:
    // Throws Error when the place cannot be written, or holds a file and `replace` is false.
    OutputFile(const std::filesystem::path& path, bool replace);
    ~OutputFile(); // without commit(), nothing remains
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view text);
    // Throws Error when anything could not be written (a full disk); an earlier file is then still what it
    // was.
    void commit();
    // The name under which the file grows, for a program that writes it itself.
    const std::filesystem::path& growing() const { return growing_; }

private:
    std::filesystem::path path_, growing_;
    std::ofstream stream_;
    bool replace_;
    bool committed_ = false;
};

} // namespace casimir
