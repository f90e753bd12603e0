// What the tests of trees share: random trees, and the reference cases as trees.
#pragma once

#include "core/systems/planar/multibody/multibody.h"
#include "tests/core/support/files.h"

#include <nlohmann/json.hpp>

#include <random>
#include <vector>

namespace casimir::planar {

// Parents are drawn among the bodies placed before; then the numbers are shuffled, so that parents may have
// the larger number.
inline std::vector<TreeBody> randomBodies(int n, std::mt19937_64& engine, bool chain = false)
{
    std::uniform_real_distribution<double> positive(0.3, 2), hinge(-1, 1);
    std::vector<int> number(static_cast<std::size_t>(n));
    for (int k = 0; k < n; ++k)
        number[static_cast<std::size_t>(k)] = k;
    if (!chain)
        std::shuffle(number.begin(), number.end(), engine);
    std::vector<TreeBody> bodies(number.size());
    for (int i = 0; i < n; ++i) {
        TreeBody b;
        b.mass = positive(engine);
        b.inertia = 0.3 * positive(engine);
        b.hingeOnParent = {hinge(engine), hinge(engine)};
        b.hingeOnBody = {hinge(engine), hinge(engine)};
        const int before =
            i == 0 ? -1 : (chain ? i - 1 : std::uniform_int_distribution<int>(0, i - 1)(engine));
        b.parent = before < 0 ? -1 : number[static_cast<std::size_t>(before)];
        bodies[static_cast<std::size_t>(number[static_cast<std::size_t>(i)])] = b;
    }
    return bodies;
}

inline Eigen::VectorXd randomVector(int n, double size, std::mt19937_64& engine)
{
    std::uniform_real_distribution<double> number(-size, size);
    Eigen::VectorXd x(n);
    for (int k = 0; k < n; ++k)
        x[k] = number(engine);
    return x;
}

// Cases of trees, and of chains of three bodies.
inline const std::vector<nlohmann::json>& treeReference()
{
    static const std::vector<nlohmann::json> all = [] {
        std::vector<nlohmann::json> cases;
        for (const char* file : {"planar_trees.json", "planar_three_body.json"})
            for (const auto& one : test::referenceFile(file).at("cases"))
                cases.push_back(one);
        return cases;
    }();
    return all;
}

inline Eigen::VectorXd vectorOf(const nlohmann::json& json)
{
    const auto numbers = json.get<std::vector<double>>();
    return Eigen::Map<const Eigen::VectorXd>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

// A case of kind "tree" or "three_body" (a chain of three; the vectors are in the reference's README).
inline std::vector<TreeBody> bodiesOfCase(const nlohmann::json& reference)
{
    const auto& input = reference.at("input");
    const auto m = input.at("m").get<std::vector<double>>(), I = input.at("I").get<std::vector<double>>();
    std::vector<TreeBody> bodies(m.size());
    for (std::size_t k = 0; k < m.size(); ++k) {
        bodies[k].mass = m[k];
        bodies[k].inertia = I[k];
    }
    if (reference.at("kind") == "three_body") {
        const auto number = [&](const char* key) { return input.at(key).get<double>(); };
        bodies[1].parent = 0;
        bodies[2].parent = 1;
        bodies[1].hingeOnParent = {number("c1"), 0};
        bodies[1].hingeOnBody = {-number("b1"), 0};
        bodies[2].hingeOnParent = {number("e1"), number("e2")};
        bodies[2].hingeOnBody = {-number("d1"), 0};
        return bodies;
    }
    for (std::size_t k = 0; k < m.size(); ++k) {
        bodies[k].parent = input.at("parent")[k];
        bodies[k].hingeOnParent = vectorOf(input.at("a")[k]);
        bodies[k].hingeOnBody = vectorOf(input.at("b")[k]);
    }
    return bodies;
}

} // namespace casimir::planar
