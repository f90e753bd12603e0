// Peers that are programs of their own, those in Python among them: a folder for their files, how they are
// run, and how the times they take are set against a baseline. What they compute is not here.
#pragma once

#include "tests/bench/report.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace casimir::bench {

// A folder that goes with its owner.
class ScratchFolder {
public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    void write(const std::string& file, const std::string& text) const; // makes its folders too

private:
    std::filesystem::path path_;
};

// Where the program is; empty if it is not installed. The system's folders alone are looked at.
std::filesystem::path programNamed(const std::string& name);

// Runs a program in a folder, its output in the files `out` and `err` there; throws casimir::Error with what
// it complained of if it does not end well. The files that it makes are taken away before: who writes over a
// file may wait for the disk, who makes one does not.
void runProgram(const std::filesystem::path& folder, const std::vector<std::string>& words,
                std::vector<std::string> made = {});

// The system's Python, which sees the packages of the distribution.
bool pythonHas(const std::string& module);

// A script of this folder, see peer.py: it is given `work` and does it `repetitions` times, in turn with the
// baseline; answers what it found and its processor time for one beside the baseline's.
struct PythonAnswer {
    nlohmann::json result;
    Comparison comparison;
};
PythonAnswer comparePython(const std::string& script, nlohmann::json work, int repetitions,
                           const std::function<void()>& baseline);

} // namespace casimir::bench
