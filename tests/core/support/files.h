// Files of the project that tests read: the reference values, and the sources themselves.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>

namespace casimir::test {

std::filesystem::path sourceFolder();

// What tests/reference/`file` holds, keys in their order.
nlohmann::ordered_json referenceFile(const std::string& file);

} // namespace casimir::test
