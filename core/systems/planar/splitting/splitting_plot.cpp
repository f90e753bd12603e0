#include "core/systems/planar/splitting/splitting_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace casimir::planar {

namespace {

constexpr int sampleCount = 16, ratioSamples = 8, halvings = 6;

Plot begun(const SplittingPicture& picture)
{
    Plot plot;
    plot.id = "splitting";
    plot.title = "Splitting of the homoclinic orbit";
    plot.x = {picture.phase, 0, picture.period};
    plot.y = {picture.distance, -1, 1};
    return plot;
}

bool cancelled(const PlotRequest& request)
{
    return request.cancelled && request.cancelled();
}

void publish(const PlotRequest& request, const Plot& plot, double progress)
{
    if (request.publish)
        request.publish(plot, progress);
}

Plot phasePlot(const SplittingPicture& picture, const PlotRequest& request)
{
    Plot plot = begun(picture);
    Polyline curve;
    curve.label = "predicted, ε M";
    curve.emphasised = true;
    curve.colour = {Role::Separatrix};
    double most = 0;
    for (int k = 0; k <= 120; ++k) {
        curve.x.push_back(picture.period * k / 120);
        curve.y.push_back(picture.predicted(curve.x.back()));
        most = std::max(most, std::abs(curve.y.back()));
    }
    plot.lines = {curve};
    plot.clouds = {{.x = {}, .y = {}, .colour = Colour::motion(0), .size = 3, .label = "measured"}};
    const auto scale = [&] {
        plot.y.max = most > 0 ? 1.15 * most : 1;
        plot.y.min = -plot.y.max;
    };
    const auto add = [&](const SplittingSample& sample) {
        most = std::max(most, std::abs(sample.measured));
        plot.clouds.front().x.push_back(sample.t0);
        plot.clouds.front().y.push_back(sample.measured);
    };
    scale();
    publish(request, plot, 0);
    const Splitting measured = picture.measure(picture.eps, sampleCount, [&](const Splitting& s) {
        add(s.samples.back());
        scale();
        publish(request, plot, static_cast<double>(s.samples.size()) / sampleCount);
        return !cancelled(request);
    });
    plot.note = measured.status.ok()
                    ? fmt::format("measured/predicted = {:.6f} at ε = {:.3g}", measured.ratio(), picture.eps)
                    : fmt::format("At ε = {:.3g}: {}", picture.eps, measured.status.sentence);
    return plot;
}

Plot ratioPlot(const SplittingPicture& picture, const PlotRequest& request)
{
    Plot plot = begun(picture);
    plot.x = {{"eps", "ε", "size of the disturbance", ""}, picture.eps, picture.eps, Scale::Logarithmic};
    plot.x.min = picture.eps / std::pow(2, halvings + 0.5);
    plot.x.max = picture.eps * std::sqrt(2.0);
    plot.y = {{"ratio", "", "measured/predicted", ""}, 0.99, 1.01};
    Polyline one{.x = {plot.x.min, plot.x.max}, .y = {1, 1}, .colour = {Role::Separatrix}};
    one.label = "first order";
    Polyline curve;
    curve.label = "measured/predicted";
    curve.colour = Colour::motion(0);
    curve.emphasised = true;
    plot.lines = {one, curve};
    for (int k = halvings; k >= 0 && !cancelled(request); --k) { // from small to large: the large may fail
        const double eps = picture.eps * std::pow(0.5, k);
        const Splitting s =
            picture.measure(eps, ratioSamples, [&](const Splitting&) { return !cancelled(request); });
        if (!s.status.ok()) {
            plot.note = fmt::format("At ε = {:.3g}: {}", eps, s.status.sentence);
            break;
        }
        const double ratio = s.ratio();
        if (cancelled(request) || !std::isfinite(ratio))
            break;
        plot.lines[1].x.push_back(eps);
        plot.lines[1].y.push_back(ratio);
        plot.marks.push_back({.x = eps, .y = ratio, .colour = Colour::motion(0)});
        plot.y.min = std::min(plot.y.min, 1 - 1.2 * std::abs(ratio - 1));
        plot.y.max = std::max(plot.y.max, 1 + 1.2 * std::abs(ratio - 1));
        publish(request, plot, 1 - k / (halvings + 1.0));
    }
    return plot;
}

} // namespace

std::vector<Parameter> splittingOptions()
{
    return {
        choiceParameter({"show", "", "show", "", "One period at this ε, or the ratio as ε gets small.", ""},
                        {{"phase", "one period"}, {"ratio", "ratio against ε"}}, "phase"),
        choiceParameter({"branch", "", "branch", "",
                         "Which of the two homoclinic orbits: the joint angle grows or falls.", ""},
                        {{"growing", "growing"}, {"falling", "falling"}}, "growing")};
}

Plot splittingPlot(const SplittingPicture& picture, const PlotRequest& request)
{
    return request.options.choice("show") == "phase" ? phasePlot(picture, request)
                                                     : ratioPlot(picture, request);
}

Plot noSplitting(const SplittingPicture& picture, const std::string& why)
{
    Plot plot = begun(picture);
    plot.note = why;
    return plot;
}

} // namespace casimir::planar
