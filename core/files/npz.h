// .npz, the archive numpy.load() reads: an uncompressed ZIP of one .npy file for each array. Written in one
// go to a sink, nothing kept.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace casimir {

class NpzWriter {
public:
    using Sink = std::function<void(std::string_view)>;
    explicit NpzWriter(Sink sink);

    // Names as numpy shows them; the shape must hold as many numbers as there are, one dimension without it.
    void array(const std::string& name, std::span<const double> numbers, std::vector<std::size_t> shape = {});
    void text(const std::string& name, std::string_view utf8); // an array of no dimension
    void finish();                                             // once, at the end

private:
    struct Member {
        std::string name;
        std::uint32_t crc = 0, size = 0, offset = 0;
    };
    void add(const std::string& name, const std::string& header, std::string_view body);
    void put(std::string_view bytes);

    Sink sink_;
    std::uint64_t written_ = 0;
    std::vector<Member> members_;
};

} // namespace casimir
