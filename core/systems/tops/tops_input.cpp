// What `--input` reads: a free chain by its vectors, or an exact motion by its geometry and constants.
#include "core/systems/tops/tops_setup.h"

#include "core/base/error.h"
#include "core/base/suggest.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace casimir::tops {

namespace {

using Json = nlohmann::ordered_json;

class Reader {
public:
    explicit Reader(const Json& json) : json_(json)
    {
        if (!json.is_object())
            throw Error("an object {...} was expected");
    }
    bool has(const std::string& key)
    {
        known_.push_back(key);
        return json_.contains(key);
    }
    double number(const std::string& key) { return numberOf(required(key), key); }
    double number(const std::string& key, double otherwise) { return has(key) ? number(key) : otherwise; }
    std::string text(const std::string& key, const std::string& otherwise)
    {
        if (!has(key))
            return otherwise;
        if (!json_[key].is_string())
            throw Error(fmt::format("{}: a text was expected", key));
        return json_[key].get<std::string>();
    }
    std::vector<double> numbers(const std::string& key)
    {
        const Json& list = required(key);
        if (!list.is_array())
            throw Error(fmt::format("{}: a list [...] was expected", key));
        std::vector<double> all;
        for (std::size_t i = 0; i < list.size(); ++i)
            all.push_back(numberOf(list[i], fmt::format("{}.{}", key, i)));
        return all;
    }
    std::vector<Eigen::Vector3d> vectors(const std::string& key, std::size_t count)
    {
        const Json& list = required(key);
        if (!list.is_array() || list.size() != count)
            throw Error(fmt::format("{}: a list of {} vectors was expected", key, count));
        std::vector<Eigen::Vector3d> all;
        for (std::size_t i = 0; i < count; ++i) {
            if (!list[i].is_array() || list[i].size() != 3)
                throw Error(fmt::format("{}.{}: three numbers were expected", key, i));
            Eigen::Vector3d vector;
            for (std::size_t k = 0; k < 3; ++k)
                vector[static_cast<Eigen::Index>(k)] =
                    numberOf(list[i][k], fmt::format("{}.{}.{}", key, i, k));
            all.push_back(vector);
        }
        return all;
    }
    void finish() const
    {
        for (const auto& [key, value] : json_.items())
            if (std::find(known_.begin(), known_.end(), key) == known_.end())
                throw Error(fmt::format("unknown key '{}'; {}", key, didYouMean(key, known_)));
    }

private:
    const Json& required(const std::string& key)
    {
        if (!has(key))
            throw Error(fmt::format("{} is missing", key));
        return json_[key];
    }
    static double numberOf(const Json& json, const std::string& place)
    {
        if (!json.is_number() || !std::isfinite(json.get<double>()))
            throw Error(fmt::format("{}: a number was expected", place));
        return json.get<double>();
    }

    const Json& json_;
    std::vector<std::string> known_;
};

RecordList geometry(Reader& reader, const Parameter& bodies, bool spins)
{
    const std::vector<double> m = reader.numbers("m");
    const auto column = [&](const char* key, bool lastMayLack) {
        std::vector<double> x = reader.numbers(key);
        if (lastMayLack && x.size() + 1 == m.size())
            x.push_back(0);
        if (x.size() != m.size())
            throw Error(fmt::format("{} has {} entries; m has {}", key, x.size(), m.size()));
        return x;
    };
    const auto c = column("c", false), s = column("s", true), J0 = column("J0", false),
               Js = column("Js", false);
    std::vector<double> q(m.size(), 0.0);
    if (spins)
        q = column("q", false);
    RecordList list;
    for (std::size_t i = 0; i < m.size(); ++i) {
        Record record;
        for (const Parameter& field : bodies.fields)
            record.set(field.id, field.defaultValue);
        record.set("m", m[i]);
        record.set("c", c[i]);
        record.set("s", s[i]);
        record.set("J0", J0[i]);
        record.set("Js", Js[i]);
        record.set("q", q[i]);
        list.push_back(std::move(record));
    }
    return list;
}

void readStart(Reader& reader, RecordList& bodies)
{
    const auto e = reader.vectors("e", bodies.size()), v = reader.vectors("v", bodies.size());
    constexpr double tolerance = 1e-6;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (std::abs(e[i].norm() - 1) > tolerance)
            throw Error(fmt::format("e.{} has the length {}; an axis is a unit vector", i, e[i].norm()));
        const Eigen::Vector3d axis = e[i].normalized();
        if (std::abs(axis.dot(v[i])) > tolerance * (1 + v[i].norm()))
            throw Error(fmt::format("v.{} is not tangent: v . e = {}", i, axis.dot(v[i])));
        const AxisAngles at = anglesOf(axis, v[i] - axis.dot(v[i]) * axis, 0);
        bodies[i].set("theta", at.theta);
        bodies[i].set("psi", at.psi);
        bodies[i].set("dtheta", at.dtheta);
        bodies[i].set("dpsi", at.dpsi);
    }
}

RootChoice readRoots(Reader& reader, double bound, std::size_t signCount)
{
    std::vector<double> roots = reader.numbers("roots");
    if (roots.size() != 3)
        throw Error(fmt::format("roots has {} entries; it needs x1, x2 and x3", roots.size()));
    RootChoice choice;
    const auto part = [&](double x) {
        const double u = x / bound;
        if (std::abs(u) > 1 + 1e-12)
            throw Error(fmt::format("the turning point {} lies outside [-{}, {}]: |μ cos θ| ≤ 1 fails", x,
                                    bound, bound));
        return std::clamp(u, -1.0, 1.0);
    };
    choice.u1 = part(roots[0]);
    choice.u2 = part(roots[1]);
    choice.x3 = std::abs(roots[2]);
    if (reader.has("signs")) {
        const std::vector<double> signs = reader.numbers("signs");
        if (signs.size() != signCount)
            throw Error(fmt::format("signs has {} entries; it needs {}", signs.size(), signCount));
        for (std::size_t i = 0; i < signs.size(); ++i) {
            if (std::abs(signs[i]) != 1)
                throw Error(fmt::format("signs.{} = {}; it must be 1 or -1", i, signs[i]));
            choice.signs[i] = static_cast<int>(signs[i]);
        }
    }
    return choice;
}

// The third root's side is decided by gravity; a file that says otherwise describes no motion.
void checkSide(const Setup& setup, double x3)
{
    const Cubic& f = setup.motion->nutation().cubic();
    if (x3 * f.A < 0)
        throw Error(fmt::format("the third root {} lies on the wrong side: with a g/P = {} it must be {}", x3,
                                f.A, f.A > 0 ? "at least 1" : "at most -1"));
}

} // namespace

Input readTopsInput(const Kind& kind, const Json& json)
{
    Reader reader(json);
    Input input;
    const Parameter& bodiesParameter = kind.schema.resolve("bodies");
    const std::string family = reader.text("family", "free");
    const Parameter& families = kind.schema.resolve("family");
    if (std::none_of(families.choices.begin(), families.choices.end(),
                     [&](const Choice& choice) { return choice.id == family; })) {
        std::vector<std::string> known;
        for (const Choice& choice : families.choices)
            known.push_back(choice.id);
        throw Error(fmt::format("unknown family '{}'; {}", family, didYouMean(family, known)));
    }
    Values values = kind.schema.defaults();
    const auto set = [&](const char* id, Value value) {
        values.set(id, value);
        input.assignments.push_back({id, std::move(value)});
    };
    set("family", family);
    set("g", reader.number("g", 9.81));
    RecordList bodies = geometry(reader, bodiesParameter, family == "free");

    if (family == "free") {
        readStart(reader, bodies);
        set("bodies", bodies);
        reader.finish();
        return input;
    }
    if (family == "steady") {
        const std::vector<double> theta = reader.numbers("theta");
        if (theta.size() != bodies.size())
            throw Error(fmt::format("theta has {} entries; m has {}", theta.size(), bodies.size()));
        for (std::size_t i = 0; i < theta.size(); ++i)
            bodies[i].set("theta", theta[i]);
        set("bodies", bodies);
        set("Omega", reader.number("Omega"));
        input.state.emplace_back("psi_1", reader.number("psi1", 0));
        reader.finish();
        return input;
    }

    double bound = 1;
    std::size_t signCount = 2;
    if (family == "single") {
        if (bodies.size() != 1)
            throw Error(fmt::format("a single top was announced, but m has {} entries", bodies.size()));
        set("top_m", bodies[0].real("m"));
        set("top_c", bodies[0].real("c"));
        set("top_J0", bodies[0].real("J0"));
        set("top_Js", bodies[0].real("Js"));
    } else {
        std::vector<double> delta;
        if (reader.has("delta"))
            delta = reader.numbers("delta");
        else if (family == "chebanov" && bodies.size() == 4)
            delta = {0, 1, 1, 0};
        else
            throw Error("delta is missing");
        if (delta.size() != bodies.size())
            throw Error(fmt::format("delta has {} entries; m has {}", delta.size(), bodies.size()));
        for (std::size_t i = 0; i < delta.size(); ++i)
            bodies[i].set("delta", static_cast<long>(std::lround(delta[i])));
        set("geometry", std::string("given"));
        set("bodies", bodies);
        if (family == "chebanov") {
            const double mu = reader.number("mu");
            if (mu == 0)
                throw Error("μ = 0; it must not be 0");
            set("mu", mu);
            bound = std::min(1.0, 1 / std::abs(mu));
            signCount = 4;
        }
    }
    RootChoice choice;
    double third = 0;
    if (family == "chebanov" && (reader.has("p1") || reader.has("p4") || reader.has("q4"))) {
        const double p1 = reader.number("p1"), p4 = reader.number("p4"), q4 = reader.number("q4");
        if (bodies.size() != 4)
            throw Error("p1, p4 and q4 belong to four tops; give roots instead");
        const ConstantsOutcome found = fromConstants(*fourTopNumbers(values), p1, p4, q4);
        using Kind = ConstantsOutcome::Kind;
        if (found.kind != Kind::Real)
            throw Error(fmt::format("p1 = {}, p4 = {}, q4 = {} leave no real motion: {}", p1, p4, q4,
                                    found.kind == Kind::ComplexPair
                                        ? "two roots of the cubic are a complex pair"
                                    : found.kind == Kind::AngleNotReal ? "|μ cos θ₁| > 1 at a turning point"
                                    : found.kind == Kind::NoThirdRoot ? "the third root lies within [-1, 1]"
                                                                      : "p1 = 0 leaves q1 undetermined"));
        choice = found.choice;
    } else {
        choice = readRoots(reader, bound, signCount);
        third = reader.numbers("roots")[2];
    }
    Values roots;
    setRootChoice(roots, choice);
    for (const auto& [id, value] : roots.fields)
        set(id.c_str(), value);
    const Setup setup = setupFrom(values);
    if (third != 0)
        checkSide(setup, third);
    input.state.emplace_back("phase", reader.number("phase", 0) / setup.motion->period());
    input.state.emplace_back("psi_1", reader.number("psi1", 0));
    if (family == "chebanov")
        input.state.emplace_back(fmt::format("psi_{}", bodies.size()), reader.number("psi4", 0));
    reader.finish();
    return input;
}

} // namespace casimir::tops
