// The checksum of PNG chunks and ZIP members (CRC-32 of ISO 3309).
#pragma once

#include <cstdint>
#include <string_view>

namespace casimir {

// Of `bytes` after what gave `before`; 0 at the start.
std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0);

} // namespace casimir
