// Runs the real program in a folder of its own and reads what it left there.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace casimir::test {

namespace fs = std::filesystem;

struct Outcome {
    int status = -1;
    std::string out, err;
    long lines() const { return std::count(err.begin(), err.end(), '\n'); }
};

inline std::string slurp(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// Each test works in a folder of its own.
class CommandLine : public testing::Test {
protected:
    void SetUp() override
    {
        std::string pattern = (fs::temp_directory_path() / "casimir-test-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
    }
    void TearDown() override
    {
        fs::permissions(folder_, fs::perms::owner_all);
        fs::remove_all(folder_);
    }
    Outcome run(const std::string& arguments, const std::string& before = "") const
    {
        const std::string command = "cd '" + folder_.string() + "' && " + before + " '" CASIMIR_PROGRAM "' " +
                                    arguments + " >out.txt 2>err.txt </dev/null";
        const int code = std::system(command.c_str());
        return {WIFEXITED(code) ? WEXITSTATUS(code) : -1, slurp(folder_ / "out.txt"),
                slurp(folder_ / "err.txt")};
    }
    nlohmann::json json(const std::string& arguments) const
    {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(outcome.err, "");
        return nlohmann::json::parse(outcome.out);
    }
    // One line that names the fault; status 2; nothing on standard output, no file left.
    void expectRefused(const std::string& arguments, const std::string& sentence) const
    {
        SCOPED_TRACE(arguments);
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 2);
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(outcome.lines(), 1) << outcome.err;
        EXPECT_THAT(outcome.err, testing::StartsWith("casimir: "));
        EXPECT_THAT(outcome.err, testing::HasSubstr(sentence));
    }
    std::vector<std::string> files() const
    {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder_))
            if (entry.path().filename() != "out.txt" && entry.path().filename() != "err.txt")
                names.push_back(entry.path().filename().string());
        return names;
    }

    fs::path folder_;
};

inline std::vector<std::vector<double>> rows(const std::string& csv, std::vector<std::string>& head)
{
    std::vector<std::vector<double>> all;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("#"))
            continue;
        std::vector<std::string> cells;
        std::istringstream parts(line);
        for (std::string cell; std::getline(parts, cell, ',');)
            cells.push_back(cell);
        if (head.empty()) {
            head = cells;
            continue;
        }
        std::vector<double> row;
        for (const std::string& cell : cells)
            row.push_back(cell == "null" ? std::nan("") : std::stod(cell));
        all.push_back(row);
    }
    return all;
}

} // namespace casimir::test
