// Two places that show the same number show the same number: what `analyze` and the table say of an
// equilibrium, what the spectrum and the branches draw of it, and a quantity asked for alone and among all.
#include "core/analysis/branches.h"
#include "core/analysis/consistency.h"
#include "core/analysis/general_plots.h"
#include "core/model/quick_analysis.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace casimir {
namespace {

struct Shown {
    std::shared_ptr<const System> system;
    StateInputs start;
    Analysis analysis; // the whole, as `analyze` and the table have it
};

Shown shown(const Kind& kind, const Preset& preset)
{
    const Session session = readSession(preset.text);
    Shown all{kind.make(session.values), session.motions.front().state, {}};
    all.analysis = consistent(all.system->analyzeFrom(all.start, {}));
    return all;
}

// Pictures ask for less than the table, never for another answer.
constexpr double rounding = 1e-9;

bool near(double x, double y, double size)
{
    return std::abs(x - y) <= rounding * std::max({std::abs(x), std::abs(y), size});
}

class EveryPreset : public testing::TestWithParam<const Kind*> {
protected:
    template <class Check>
    void each(Check check) const
    {
        for (const Preset& preset : presetsOf(GetParam()->id)) {
            SCOPED_TRACE(preset.id);
            check(shown(*GetParam(), preset));
        }
    }
};

TEST_P(EveryPreset, TheSpectrumDrawsTheEigenvaluesOfTheTable)
{
    each([](const Shown& all) {
        if (!plotInfoOf(*all.system, "spectrum"))
            return;
        const PlotInfo info = *plotInfoOf(*all.system, "spectrum");
        const Plot plot = plotOf(*all.system, {"spectrum", plotOptions(info, {}), all.start});
        std::size_t listed = 0;
        for (const Equilibrium& e : all.analysis.equilibria) {
            double size = 0;
            for (const auto& s : e.eigenvalues)
                size = std::max(size, std::abs(s));
            for (const auto& s : e.eigenvalues) {
                if (!std::isfinite(std::abs(s)))
                    continue;
                ++listed;
                EXPECT_TRUE(std::any_of(plot.marks.begin(), plot.marks.end(),
                                        [&](const Mark& mark) {
                                            return mark.id == e.name && near(mark.x, s.real(), size) &&
                                                   near(mark.y, s.imag(), size);
                                        }))
                    << e.name << ": " << s;
            }
        }
        EXPECT_EQ(plot.marks.size(), listed);
    });
}

TEST_P(EveryPreset, TheBranchesMarkTheEquilibriaOfTheTableWhereTheParameterIs)
{
    each([](const Shown& all) {
        const auto info = plotInfoOf(*all.system, "branch");
        if (!info || info->options.empty())
            return;
        const Plot plot = plotOf(*all.system, {"branch", plotOptions(*info, {}), all.start});
        std::size_t marked = 0;
        for (const Mark& mark : plot.marks) {
            if (mark.id.empty())
                continue; // a fork or a turn
            ++marked;
            const auto& listed = all.analysis.equilibria;
            EXPECT_TRUE(std::any_of(listed.begin(), listed.end(),
                                    [&](const Equilibrium& e) {
                                        return mark.id == e.name &&
                                               near(mark.y,
                                                    branchValues(*all.system, {plot.y.quantity}, e).front(),
                                                    plot.y.max - plot.y.min);
                                    }))
                << mark.id << ": " << plot.y.quantity.id << " = " << mark.y;
        }
        // A picture may ask for fewer of very many.
        const auto* quick = capability<HasQuickAnalysis>(*all.system);
        if (!plot.handles.empty() && !(quick && quick->leavesOut())) {
            EXPECT_EQ(marked,
                      static_cast<std::size_t>(std::count_if(
                          all.analysis.equilibria.begin(), all.analysis.equilibria.end(),
                          [&](const Equilibrium& e) {
                              return std::isfinite(branchValues(*all.system, {plot.y.quantity}, e).front());
                          })));
        }
    });
}

TEST_P(EveryPreset, AQuantityAloneIsTheSameAsAmongAll)
{
    each([](const Shown& all) {
        const State x = all.system->start(all.start);
        std::vector<double> values(all.system->quantities().size());
        all.system->evaluate(0, x, values);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::string& id = all.system->quantities()[i].id;
            const double alone = all.system->quantity(id, 0, x);
            EXPECT_TRUE(alone == values[i] || (std::isnan(alone) && std::isnan(values[i])))
                << id << ": " << alone << " and " << values[i];
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryPreset, testing::ValuesIn(catalogue().begin(), catalogue().end()),
                         [](const testing::TestParamInfo<const Kind*>& each) {
                             std::string name = each.param->id;
                             std::erase_if(name, [](char c) { return c == '-'; });
                             return name;
                         });

} // namespace
} // namespace casimir
