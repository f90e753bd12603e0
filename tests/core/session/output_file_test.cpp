#include "core/files/output_file.h"

#include "core/base/error.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <string>

namespace casimir {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
protected:
    OutputFileTest()
    {
        std::string name = (fs::temp_directory_path() / "casimir-output-XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
    }
    ~OutputFileTest() override { fs::remove_all(folder_); }

    fs::path at(const char* name) const { return folder_ / name; }
    static std::string text(const fs::path& path)
    {
        std::ostringstream out;
        out << std::ifstream(path).rdbuf();
        return out.str();
    }
    long count() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }

    fs::path folder_;
};

TEST_F(OutputFileTest, IsThereWholeOrNotAtAll)
{
    {
        OutputFile given(at("a.csv"), false);
        given.write("half");
        EXPECT_FALSE(fs::exists(at("a.csv")));
    }
    EXPECT_EQ(count(), 0);
    OutputFile file(at("a.csv"), false);
    file.write("one\n");
    file.write("two\n");
    file.commit();
    EXPECT_EQ(text(at("a.csv")), "one\ntwo\n");
    EXPECT_EQ(count(), 1);
}

TEST_F(OutputFileTest, AnEarlierFileStaysUntilTheNewOneIsWhole)
{
    std::ofstream(at("a.csv")) << "old";
    EXPECT_THROW(OutputFile(at("a.csv"), false), Error);
    {
        OutputFile given(at("a.csv"), true);
        given.write("new");
    }
    EXPECT_EQ(text(at("a.csv")), "old");
    OutputFile file(at("a.csv"), true);
    file.write("new");
    file.commit();
    EXPECT_EQ(text(at("a.csv")), "new");
}

TEST_F(OutputFileTest, WhatAnotherProgramWroteMeanwhileIsNotReplaced)
{
    OutputFile file(at("a.csv"), false);
    file.write("mine");
    std::ofstream(at("a.csv")) << "theirs";
    EXPECT_THROW(file.commit(), Error);
    EXPECT_EQ(text(at("a.csv")), "theirs");
}

TEST_F(OutputFileTest, PlacesThatCannotBeWrittenAreRefused)
{
    EXPECT_THROW(OutputFile("", true), Error);
    EXPECT_THROW(OutputFile(folder_, true), Error);
    EXPECT_THROW(OutputFile(at("nowhere") / "a.csv", true), Error);
    EXPECT_EQ(count(), 0);
}

} // namespace
} // namespace casimir
