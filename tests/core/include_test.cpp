// Core knows neither Qt nor VTK: no file of core/ includes a header of either.
#include "tests/core/support/files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>

TEST(Core, includesNeitherQtNorVtk)
{
    const std::regex forbidden(R"(^\s*#\s*include\s*[<"](Q[A-Z]|Qt|vtk|ui/))");
    int files = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(casimir::test::sourceFolder() / "core")) {
        if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp")
            continue;
        ++files;
        std::ifstream file(entry.path());
        for (std::string line; std::getline(file, line);)
            EXPECT_FALSE(std::regex_search(line, forbidden)) << entry.path() << ": " << line;
    }
    EXPECT_GT(files, 30);
}
