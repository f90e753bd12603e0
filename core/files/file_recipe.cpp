#include "core/files/file_recipe.h"

#include "core/base/error.h"
#include "core/files/crc32.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace casimir {

namespace {

constexpr std::string_view pngStart = "\x89PNG\r\n\x1a\n";
constexpr std::string_view pngKey = "Casimir recipe";
constexpr std::string_view svgOpen = "<metadata id=\"casimir-recipe\">", svgClose = "</metadata>";
constexpr std::string_view pdfOpen = "/CasimirRecipe (";
constexpr std::size_t headerChunk = 25; // IHDR with its length, name and checksum

std::string bigEndian(std::uint32_t x)
{
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes += static_cast<char>((x >> shift) & 0xFF);
    return bytes;
}

std::uint32_t fromBigEndian(std::string_view bytes)
{
    std::uint32_t x = 0;
    for (const char byte : bytes.substr(0, 4))
        x = x << 8 | static_cast<unsigned char>(byte);
    return x;
}

std::string intoPng(std::string bytes, const std::string& recipe)
{
    std::string chunk = "tEXt" + std::string(pngKey) + std::string(1, '\0') + recipe;
    chunk = bigEndian(static_cast<std::uint32_t>(chunk.size() - 4)) + chunk + bigEndian(crc32(chunk));
    return bytes.insert(pngStart.size() + headerChunk, chunk);
}

std::string_view inPng(std::string_view bytes)
{
    for (std::size_t at = pngStart.size(); at + 12 <= bytes.size();) {
        const std::size_t length = fromBigEndian(bytes.substr(at));
        if (at + 12 + length > bytes.size())
            break;
        const std::string_view name = bytes.substr(at + 4, 4), body = bytes.substr(at + 8, length);
        if (name == "tEXt" && body.starts_with(pngKey) && body.size() > pngKey.size() &&
            body[pngKey.size()] == '\0')
            return body.substr(pngKey.size() + 1);
        at += 12 + length;
    }
    return {};
}

std::string intoSvg(std::string bytes, const std::string& recipe)
{
    const auto svg = bytes.find("<svg");
    const auto end = svg == std::string::npos ? svg : bytes.find('>', svg);
    if (end == std::string::npos)
        throw Error("this is not an SVG picture");
    return bytes.insert(end + 1, "\n" + std::string(svgOpen) + recipe + std::string(svgClose));
}

// The number that follows `key` in the trailer or an object; throws where there is none.
std::size_t numberAfter(std::string_view text, std::string_view key)
{
    auto at = text.rfind(key);
    if (at != std::string_view::npos) {
        at += key.size();
        while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])))
            ++at;
        std::size_t x = 0;
        if (std::from_chars(text.data() + at, text.data() + text.size(), x).ec == std::errc())
            return x;
    }
    throw Error("this is not a PDF as this program writes them");
}

// An incremental update: the information dictionary again with one entry more, and a table of references that
// points back to the one before.
std::string intoPdf(std::string bytes, const std::string& recipe)
{
    const auto trailer = bytes.rfind("trailer");
    const auto ending = bytes.rfind("startxref");
    if (trailer == std::string::npos || ending == std::string::npos || ending < trailer)
        throw Error("this is not a PDF as this program writes them");
    const std::string_view last = std::string_view(bytes).substr(trailer, ending - trailer);
    const auto open = last.find("<<"), close = last.rfind(">>");
    const std::size_t info = numberAfter(last, "/Info");
    const std::size_t before = numberAfter(std::string_view(bytes).substr(ending), "startxref");
    const auto object = bytes.find(fmt::format("\n{} 0 obj", info));
    const auto objectEnd = object == std::string::npos ? object : bytes.find("endobj", object);
    if (objectEnd == std::string::npos || open == std::string_view::npos || close == std::string_view::npos)
        throw Error("this is not a PDF as this program writes them");
    std::string dictionary = bytes.substr(object + 1, objectEnd - object - 1);
    dictionary.erase(dictionary.rfind(">>"));
    std::string text;
    for (const char c : recipe) {
        if (c == '(' || c == ')' || c == '\\')
            text += '\\';
        text += c;
    }
    const std::string entries(last.substr(open + 2, close - open - 2));
    if (bytes.back() != '\n')
        bytes += '\n';
    const std::size_t place = bytes.size();
    bytes += dictionary + std::string(pdfOpen) + text + ")\n>>\nendobj\n";
    const std::size_t table = bytes.size();
    bytes += fmt::format("xref\n0 1\n0000000000 65535 f \n{} 1\n{:010} 00000 n \n", info, place);
    bytes += fmt::format("trailer\n<<{}/Prev {}\n>>\nstartxref\n{}\n%%EOF\n", entries, before, table);
    return bytes;
}

std::string inPdf(std::string_view bytes)
{
    std::string text;
    auto at = bytes.rfind(pdfOpen);
    if (at == std::string_view::npos)
        return text;
    for (at += pdfOpen.size(); at < bytes.size() && bytes[at] != ')'; ++at) {
        if (bytes[at] == '\\' && at + 1 < bytes.size())
            ++at;
        text += bytes[at];
    }
    return text;
}

std::string inCsv(std::string_view bytes)
{
    const std::string start = "# " + std::string(recipeLine);
    for (std::size_t at = 0; at < bytes.size() && bytes[at] == '#';) {
        const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
        if (bytes.substr(at).starts_with(start))
            return std::string(bytes.substr(at + start.size(), end - at - start.size()));
        at = end + 1;
    }
    return {};
}

// The text of the archive's member recipe.npy: one string of NumPy, four bytes a character.
std::string inNpz(std::string_view bytes)
{
    constexpr std::string_view member = "recipe.npy", magic = "\x93NUMPY";
    const auto name = bytes.find(member);
    const auto npy = name == std::string_view::npos ? name : bytes.find(magic, name);
    if (npy == std::string_view::npos || npy + magic.size() + 4 > bytes.size())
        return {};
    const auto byte = [&](std::size_t at) {
        return static_cast<std::size_t>(static_cast<unsigned char>(bytes[at]));
    };
    const std::size_t lengthAt = npy + magic.size() + 2,
                      begin = lengthAt + 2 + byte(lengthAt) + 256 * byte(lengthAt + 1);
    const std::string_view header = bytes.substr(lengthAt, begin - lengthAt);
    const auto type = header.find("'<U");
    std::size_t count = 0;
    if (type == std::string_view::npos ||
        std::from_chars(header.data() + type + 3, header.data() + header.size(), count).ec != std::errc() ||
        begin + 4 * count > bytes.size())
        return {};
    std::string text;
    for (std::size_t k = 0; k < count; ++k)
        text += bytes[begin + 4 * k];
    return text;
}

} // namespace

std::string withRecipe(std::string bytes, const std::string& format, const std::string& recipe)
{
    if (format == "png") {
        if (!bytes.starts_with(pngStart) || bytes.size() < pngStart.size() + headerChunk)
            throw Error("this is not a PNG picture");
        return intoPng(std::move(bytes), recipe);
    }
    if (format == "svg")
        return intoSvg(std::move(bytes), recipe);
    return intoPdf(std::move(bytes), recipe);
}

std::string recipeIn(std::string_view bytes)
{
    std::string recipe;
    const auto first = bytes.find_first_not_of(" \t\r\n");
    if (bytes.starts_with(pngStart)) {
        recipe = inPng(bytes);
    } else if (bytes.starts_with("%PDF")) {
        recipe = inPdf(bytes);
    } else if (bytes.starts_with("PK\x03\x04")) {
        recipe = inNpz(bytes);
    } else if (bytes.starts_with("#")) {
        recipe = inCsv(bytes);
    } else if (first != std::string_view::npos && bytes[first] == '{') {
        return std::string(bytes);
    } else if (const auto open = bytes.find(svgOpen); open != std::string_view::npos) {
        const auto begin = open + svgOpen.size(), end = bytes.find(svgClose, begin);
        if (end != std::string_view::npos)
            recipe = bytes.substr(begin, end - begin);
    }
    if (recipe.empty())
        throw Error(
            "there is no recipe in it; only figures and data of views exported by this program carry one");
    return recipe;
}

} // namespace casimir
