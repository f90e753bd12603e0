// The reference values and random chains that several tests of the tops read.
#pragma once

#include "core/systems/tops/families.h"
#include "tests/core/support/files.h"

#include <nlohmann/json.hpp>

#include <random>
#include <string>
#include <vector>

namespace casimir::tops::test {

using Json = nlohmann::json;

inline const Json& reference()
{
    static const Json json = casimir::test::referenceFile("tops_chains.json");
    return json;
}

inline double number(const Json& json)
{
    return json.is_string() ? std::stod(json.get<std::string>()) : json.get<double>();
}

inline std::vector<Top> topsOf(const Json& json)
{
    std::vector<Top> tops;
    for (std::size_t i = 0; i < json["m"].size(); ++i)
        tops.push_back({number(json["m"][i]), number(json["c"][i]),
                        i < json["s"].size() ? number(json["s"][i]) : 0.0, number(json["J0"][i]),
                        number(json["Js"][i]), json.contains("q") ? number(json["q"][i]) : 0.0});
    return tops;
}

inline Eigen::Matrix3Xd rowsOf(const Json& flat)
{
    Eigen::Matrix3Xd columns(3, static_cast<Eigen::Index>(flat.size() / 3));
    for (std::size_t i = 0; i < flat.size(); ++i)
        columns(static_cast<Eigen::Index>(i % 3), static_cast<Eigen::Index>(i / 3)) = number(flat[i]);
    return columns;
}

// The four sign bits of the reference motions, by the first letter of their names.
inline std::array<int, 4> signsOf(const std::string& name)
{
    switch (name.front()) {
    case 'B':
    case 'H':
        return {-1, 1, -1, 1};
    case 'D':
        return {-1, 1, 1, 1};
    default:
        return {1, 1, 1, 1};
    }
}

inline RootChoice choiceOf(const Json& json, const std::array<int, 4>& signs, double bound)
{
    RootChoice choice;
    choice.u1 = number(json["x_turning"][0]) / bound;
    choice.u2 = number(json["x_turning"][1]) / bound;
    choice.x3 = std::abs(number(json["x3"]));
    choice.signs = signs;
    return choice;
}

inline ExactMotion fourTopMotion(const Json& json)
{
    const double mu = number(json["mu"]);
    return twoPlanes(topsOf(json), {0, 1, 1, 0}, mu, number(json["g"]),
                     choiceOf(json, signsOf(json["name"].get<std::string>()), 1 / std::abs(mu)));
}

class Draw {
public:
    explicit Draw(unsigned seed) : engine_(seed) {}
    double operator()(double low, double high)
    {
        return std::uniform_real_distribution<double>(low, high)(engine_);
    }
    int sign() { return (*this)(-1, 1) < 0 ? -1 : 1; }
    std::vector<Top> tops(int n)
    {
        std::vector<Top> tops;
        for (int i = 0; i < n; ++i) {
            const double J0 = (*this)(0.01, 0.3);
            tops.push_back({(*this)(0.2, 2), (*this)(-0.5, 0.6), (*this)(-0.6, 0.8), J0, (*this)(0.1, 2) * J0,
                            (*this)(-40, 40)});
        }
        return tops;
    }
    std::vector<AxisAngles> angles(int n)
    {
        std::vector<AxisAngles> all;
        for (int i = 0; i < n; ++i)
            all.push_back({(*this)(0.2, 2.9), (*this)(-3, 3), (*this)(-3, 3), (*this)(-3, 3)});
        return all;
    }

private:
    std::mt19937_64 engine_;
};

} // namespace casimir::tops::test
