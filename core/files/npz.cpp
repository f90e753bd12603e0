#include "core/files/npz.h"

#include "core/base/error.h"
#include "core/files/crc32.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace casimir {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

namespace {

// Offsets in a plain ZIP have 32 bits.
constexpr std::uint64_t mostBytes = 0xFFFF0000;
constexpr std::uint16_t zipVersion = 20, utf8Names = 1 << 11, firstOf1980 = 1 << 5 | 1;

template <class T>
void append(std::string& bytes, T x)
{
    char raw[sizeof x];
    std::memcpy(raw, &x, sizeof x);
    bytes.append(raw, sizeof x);
}

// Version 1.0 of the format: padded so that the numbers begin at a multiple of 64 bytes.
std::string npyHeader(const std::string& type, const std::vector<std::size_t>& shape)
{
    std::string sides;
    for (const std::size_t side : shape)
        sides += fmt::format("{}, ", side);
    if (shape.size() > 1)
        sides.resize(sides.size() - 2);
    else if (shape.size() == 1)
        sides.resize(sides.size() - 1);
    std::string words =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, sides);
    words.append(63 - (10 + words.size()) % 64, ' ');
    words += '\n';
    std::string header("\x93NUMPY\x01\x00", 8);
    append(header, static_cast<std::uint16_t>(words.size()));
    return header + words;
}

std::u32string decoded(std::string_view utf8)
{
    std::u32string text;
    for (std::size_t i = 0; i < utf8.size();) {
        const auto lead = static_cast<unsigned char>(utf8[i]);
        const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
        char32_t c = more == 0 ? lead : lead & (0x3F >> more);
        ++i;
        for (int k = 0; k < more && i < utf8.size(); ++k, ++i)
            c = c << 6 | (static_cast<unsigned char>(utf8[i]) & 0x3F);
        text += c;
    }
    return text;
}

} // namespace

NpzWriter::NpzWriter(Sink sink) : sink_(std::move(sink)) {}

void NpzWriter::put(std::string_view bytes)
{
    written_ += bytes.size();
    sink_(bytes);
}

void NpzWriter::add(const std::string& name, const std::string& header, std::string_view body)
{
    if (written_ + header.size() + body.size() > mostBytes)
        throw Error(
            "the data is larger than a .npz file of 4 GB can be; write it as .csv, or with a larger --dt");
    Member member;
    member.name = name + ".npy";
    member.crc = crc32(body, crc32(header));
    member.size = static_cast<std::uint32_t>(header.size() + body.size());
    member.offset = static_cast<std::uint32_t>(written_);
    std::string local("PK\x03\x04", 4);
    append(local, zipVersion);
    append(local, utf8Names);
    append(local, std::uint16_t{0}); // stored
    append(local, std::uint16_t{0});
    append(local, firstOf1980);
    append(local, member.crc);
    append(local, member.size);
    append(local, member.size);
    append(local, static_cast<std::uint16_t>(member.name.size()));
    append(local, std::uint16_t{0});
    put(local + member.name + header);
    put(body);
    members_.push_back(std::move(member));
}

void NpzWriter::array(const std::string& name, std::span<const double> numbers,
                      std::vector<std::size_t> shape)
{
    if (shape.empty())
        shape = {numbers.size()};
    add(name, npyHeader("<f8", shape), {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
}

void NpzWriter::text(const std::string& name, std::string_view utf8)
{
    std::u32string characters = decoded(utf8);
    if (characters.empty())
        characters = U" ";
    add(name, npyHeader(fmt::format("<U{}", characters.size()), {}),
        {reinterpret_cast<const char*>(characters.data()), characters.size() * sizeof(char32_t)});
}

void NpzWriter::finish()
{
    const std::uint64_t start = written_;
    std::string directory;
    for (const Member& member : members_) {
        directory.append("PK\x01\x02", 4);
        append(directory, zipVersion);
        append(directory, zipVersion);
        append(directory, utf8Names);
        append(directory, std::uint16_t{0});
        append(directory, std::uint16_t{0});
        append(directory, firstOf1980);
        append(directory, member.crc);
        append(directory, member.size);
        append(directory, member.size);
        append(directory, static_cast<std::uint16_t>(member.name.size()));
        for (int i = 0; i < 4; ++i) // extra, comment, disk, attributes within
            append(directory, std::uint16_t{0});
        append(directory, std::uint32_t{0});
        append(directory, member.offset);
        directory += member.name;
    }
    std::string end("PK\x05\x06\x00\x00\x00\x00", 8);
    append(end, static_cast<std::uint16_t>(members_.size()));
    append(end, static_cast<std::uint16_t>(members_.size()));
    append(end, static_cast<std::uint32_t>(directory.size()));
    append(end, static_cast<std::uint32_t>(start));
    append(end, std::uint16_t{0});
    put(directory);
    put(end);
}

} // namespace casimir
