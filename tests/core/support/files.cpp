#include "tests/core/support/files.h"

#include <nlohmann/json.hpp>

#include <fstream>

namespace casimir::test {

std::filesystem::path sourceFolder()
{
    return CASIMIR_SOURCE_DIR;
}

nlohmann::ordered_json referenceFile(const std::string& file)
{
    return nlohmann::ordered_json::parse(std::ifstream(sourceFolder() / "tests/reference" / file));
}

} // namespace casimir::test
