// The order of the rooms: what a file includes lies in its own room or in one below. Core knows neither Qt
// nor VTK.
#include "tests/core/support/files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace {

// From the bottom up. The catalogue is where the systems end: what is asked of a system by name is above it.
const std::vector<std::string> rooms{
    "core/base",     "core/numerics", "core/model",  "core/files", "core/systems",
    "core/analysis", "core/session",  "core/engine", "ui",         "app"};

template <class See>
int eachInclude(See see)
{
    const std::regex include(R"re(^\s*#\s*include\s*[<"]([^>"]+)[>"])re");
    const std::filesystem::path root = casimir::test::sourceFolder();
    int files = 0;
    for (const char* top : {"core", "ui", "app"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / top)) {
            if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp")
                continue;
            ++files;
            const std::string place = std::filesystem::relative(entry.path(), root).generic_string();
            std::ifstream file(entry.path());
            std::smatch found;
            for (std::string line; std::getline(file, line);)
                if (std::regex_search(line, found, include))
                    see(place, found[1].str());
        }
    return files;
}

// One beyond the last for what is in no room.
std::size_t roomOf(const std::string& path)
{
    return static_cast<std::size_t>(
        std::find_if(rooms.begin(), rooms.end(),
                     [&](const std::string& room) { return path.starts_with(room + "/"); }) -
        rooms.begin());
}

} // namespace

TEST(Core, includesNeitherQtNorVtk)
{
    const std::regex forbidden("^(Q[A-Z]|Qt|vtk)");
    const int files = eachInclude([&](const std::string& place, const std::string& included) {
        if (place.starts_with("core/"))
            EXPECT_FALSE(std::regex_search(included, forbidden)) << place << ": " << included;
    });
    EXPECT_GT(files, 300);
}

TEST(Rooms, noArrowPointsUp)
{
    int arrows = 0;
    eachInclude([&](const std::string& place, const std::string& included) {
        const std::size_t from = roomOf(place), to = roomOf(included);
        if (to == rooms.size())
            return; // the standard library's, or generated
        ASSERT_LT(from, rooms.size()) << place << " is in no room";
        ++arrows;
        // The command line asks the window's exporter for pictures; nothing else in app is asked for.
        EXPECT_LE(to, from) << place << " includes " << included;
    });
    EXPECT_GT(arrows, 1000);
}
