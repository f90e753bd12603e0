#include "tests/bench/peer_process.h"

#include "core/base/error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>

namespace casimir::bench {

namespace fs = std::filesystem;

namespace {

const char* const python = "/usr/bin/python3";

std::string lastLineOf(const fs::path& file)
{
    std::ifstream in(file);
    std::string line, last;
    while (std::getline(in, line))
        if (line.find_first_not_of(" \t\r") != std::string::npos)
            last = line;
    return last;
}

} // namespace

ScratchFolder::ScratchFolder()
{
    std::string name = (fs::temp_directory_path() / "casimir-bench-XXXXXX").string();
    if (!mkdtemp(name.data()))
        throw Error(fmt::format("No folder could be made in {}.", fs::temp_directory_path().string()));
    path_ = name;
}

ScratchFolder::~ScratchFolder()
{
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

void ScratchFolder::write(const std::string& file, const std::string& text) const
{
    const fs::path whole = path_ / file;
    fs::create_directories(whole.parent_path());
    std::ofstream out(whole);
    out << text;
    if (!out.flush())
        throw Error(fmt::format("{} could not be written.", whole.string()));
}

fs::path programNamed(const std::string& name)
{
    for (const char* folder : {"/usr/bin", "/usr/local/bin"})
        if (const fs::path path = fs::path(folder) / name; access(path.c_str(), X_OK) == 0)
            return path;
    return {};
}

void runProgram(const fs::path& folder, const std::vector<std::string>& words, std::vector<std::string> made)
{
    made.insert(made.end(), {"out", "err"});
    for (const std::string& file : made)
        fs::remove(folder / file);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    constexpr int how = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "out", how, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "err", how, 0600);
    std::vector<std::string> copies = words;
    std::vector<char*> arguments;
    for (std::string& word : copies)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    const int refused = posix_spawn(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (refused != 0)
        throw Error(fmt::format("{} could not be started: {}.", words.front(), std::strerror(refused)));
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return;
    const std::string end = WIFEXITED(status) ? fmt::format("status {}", WEXITSTATUS(status))
                                              : fmt::format("signal {}", WTERMSIG(status));
    throw Error(fmt::format("{} ended with {}: {}", words.front(), end, lastLineOf(folder / "err")));
}

bool pythonHas(const std::string& module)
{
    try {
        const ScratchFolder folder;
        runProgram(folder.path(), {python, "-c",
                                   fmt::format("import importlib.util, sys; "
                                               "sys.exit(importlib.util.find_spec('{}') is None)",
                                               module)});
        return true;
    } catch (const Error&) {
        return false;
    }
}

PythonAnswer comparePython(const std::string& script, nlohmann::json work, int repetitions,
                           const std::function<void()>& baseline)
{
    constexpr int rounds = 3;
    const ScratchFolder folder;
    work["repetitions"] = (repetitions + rounds - 1) / rounds;
    folder.write("work.json", work.dump());
    // Memory once given is kept, as by a program that draws one picture after the other: a factor of 3.
    setenv("MALLOC_TRIM_THRESHOLD_", "1000000000", 1);
    setenv("MALLOC_MMAP_THRESHOLD_", "1000000000", 1);
    PythonAnswer answer;
    std::vector<double> times, baselines, ratios;
    baseline();
    for (int round = 0; round < rounds; ++round) {
        runProgram(folder.path(), {python, "-B", CASIMIR_BENCH_SOURCES "/" + script, "work.json"});
        answer.result = nlohmann::json::parse(std::ifstream(folder.path() / "out"));
        for (const double seconds : answer.result.at("seconds")) {
            times.push_back(seconds);
            baselines.push_back(timeOf(baseline));
            ratios.push_back(times.back() / baselines.back());
        }
    }
    answer.comparison = {spreadOf(times), spreadOf(baselines), spreadOf(ratios)};
    return answer;
}

} // namespace casimir::bench
