#include "ui/document/document.h"

#include "core/analysis/consistency.h"
#include "core/analysis/general_plots.h"
#include "core/base/error.h"
#include "core/files/value_json.h"
#include "core/model/quick_analysis.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"

#include <nlohmann/json.hpp>

#include <QThread>

#include <algorithm>
#include <atomic>
#include <bit>

namespace casimir {

namespace {

constexpr int analysisThreads = 2;
constexpr int calmMilliseconds = 200; // after the last change

// Calls `slot` on the receiver's thread, once for any number of calls that come before it ran.
std::function<void()> coalesced(QObject* receiver, std::function<void()> slot)
{
    auto pending = std::make_shared<std::atomic<bool>>(false);
    return [receiver, slot = std::move(slot), pending] {
        if (pending->exchange(true))
            return;
        QMetaObject::invokeMethod(
            receiver,
            [slot, pending] {
                pending->store(false);
                slot();
            },
            Qt::QueuedConnection);
    };
}

std::string keyOf(const State& x)
{
    std::string key;
    for (const double component : x)
        key += " " + std::to_string(std::bit_cast<std::uint64_t>(component));
    return key;
}

Session firstSession()
{
    const Kind& first = *catalogue().front();
    const auto presets = presetsOf(first.id);
    return presets.empty() ? defaultSession(first) : readSession(presets.front().text);
}

} // namespace

Document::Document(QObject* parent) : Document(firstSession(), parent) {}

Document::Document(Session session, QObject* parent) : QObject(parent)
{
    pool_ = std::make_unique<AnalysisPool>(
        analysisThreads, [this, announce = coalesced(this, [this] { Q_EMIT analysesChanged(); })] {
            published_ = std::chrono::steady_clock::now();
            announce();
        });
    analysisChannel_ = std::make_unique<AnalysisChannel<Analysis>>(*pool_, Policy::Interactive);
    wholeAnalysisChannel_ = std::make_unique<AnalysisChannel<Analysis>>(*pool_, Policy::Long);
    whenCalm_.setSingleShot(true);
    whenCalm_.setInterval(calmMilliseconds);
    connect(&whenCalm_, &QTimer::timeout, this, &Document::askForTheWhole);
    orbitChannel_ = std::make_unique<AnalysisChannel<Orbit>>(*pool_, Policy::Interactive);
    simulation_ = std::make_unique<Simulation>(coalesced(this, [this] {
        snapshot_ = simulation_->snapshot();
        Q_EMIT snapshotChanged();
    }));
    snapshot_ = simulation_->snapshot();
    edits_ = std::make_unique<TaskLine>();
    show(std::move(session));
}

Document::~Document()
{
    // The threads post to this object; they end first.
    edits_.reset();
    simulation_.reset();
    pool_.reset();
}

const Kind& Document::kind() const
{
    return system()->kind();
}

Value Document::value(const std::string& address) const
{
    const auto alias = realised_->aliases.find(address);
    return alias == realised_->aliases.end() ? kind().schema.read(session().values, address)
                                             : Value(alias->second);
}

std::optional<PlotInfo> Document::plotInfo(const std::string& id) const
{
    const auto it =
        std::find_if(plots_.begin(), plots_.end(), [&id](const PlotInfo& info) { return info.id == id; });
    return it == plots_.end() ? std::nullopt : std::optional(*it);
}

void Document::install(std::shared_ptr<const Realised> realised, const std::vector<PlotInfo>& plots,
                       ViewOptions options, Run run)
{
    const bool otherKind = !realised_ || session().kind != realised->session->kind;
    const bool otherOptions = realised_ && realised->session->options != session().options;
    if (!otherKind && options == ViewOptions::Kept) {
        Session kept = *realised->session;
        kept.options = session().options;
        kept.views = session().views;
        kept.run = session().run;
        realised = withSession(*realised, std::move(kept));
    }
    realised_ = std::move(realised);
    plots_ = plots;
    number_ = simulation_->setSession(realised_, run == Run::GoesOn ? Simulation::Time::GoesOn
                                                                    : Simulation::Time::Begins);
    if (run == Run::Begins)
        takenUpFrom_ = number_;
    simulation_->setLoop(session().run.loop, session().run.tEnd);
    if (otherKind) {
        selection_.clear();
        plotChannels_.clear();
        asked_.clear();
        simulation_->setSpeed(std::clamp(session().run.speed, Simulation::kSlowest, Simulation::kFastest));
        Q_EMIT kindChanged();
    }
    requestAnalyses();
    Q_EMIT sessionChanged();
    if (otherOptions && !otherKind && options == ViewOptions::Brought) {
        Q_EMIT optionsReplaced();
        Q_EMIT optionsChanged();
    }
}

void Document::replaceSession(Session session)
{
    realised_ = withSession(*realised_, std::move(session));
}

Document::Present Document::present() const
{
    const RealisedMotion& leading = realised_->leading();
    if (!snapshot_->motions.empty() && snapshot_->motions.front().system == leading.system)
        return {snapshot_->t, snapshot_->motions.front().state};
    return {leading.origin.t0, leading.origin.x0};
}

void Document::setOption(const std::string& key, const std::string& value)
{
    if (option(key) == value)
        return;
    Session changed = session();
    changed.options[key] = value;
    replaceSession(std::move(changed));
    requestAnalyses();
    Q_EMIT optionsChanged();
}

void Document::setViews(const std::vector<ShownView>& views)
{
    Session changed = session();
    changed.views = views;
    replaceSession(std::move(changed));
}

std::string Document::option(const std::string& key, const std::string& otherwise) const
{
    const auto it = session().options.find(key);
    return it == session().options.end() ? otherwise : it->second;
}

void Document::setRun(const RunOptions& run)
{
    Session changed = session();
    changed.run = run;
    replaceSession(std::move(changed));
    simulation_->setSpeed(std::clamp(run.speed, Simulation::kSlowest, Simulation::kFastest));
    simulation_->setLoop(run.loop, run.tEnd);
    Q_EMIT optionsChanged();
}

void Document::openPreset(const std::string& kindId, const std::string& presetId)
{
    const Preset preset = presetNamed(kindId, presetId);
    openText(preset.text, tr("Open %1").arg(QString::fromStdString(preset.title)));
}

void Document::openText(const std::string& text, const QString& what, const SessionSource& source)
{
    openSession(readSession(text), what, source);
}

QString Document::sessionText() const
{
    return QString::fromStdString(writeSession(recorded(session(), *snapshot_)));
}

void Document::setSelection(const std::string& equilibrium)
{
    if (selection_ == equilibrium)
        return;
    selection_ = equilibrium;
    Q_EMIT selectionChanged();
}

std::shared_ptr<const Finding<Analysis>> Document::analysis() const
{
    const auto quick = analysisChannel_->newest(), whole = wholeAnalysisChannel_->newest();
    return whole && whole->value && quick && whole->number >= quick->number ? whole : quick;
}

std::string Document::titleOf(const std::string& equilibrium) const
{
    const auto found = analysis();
    if (found && found->value)
        for (const Equilibrium& e : found->value->equilibria)
            if (e.name == equilibrium)
                return e.title;
    return {};
}

void Document::askForTheWhole()
{
    const auto leading = system();
    const auto* quick = capability<HasQuickAnalysis>(*leading);
    if (!quick || !quick->leavesOut())
        return;
    wholeAnalysisChannel_->request(
        number_, session().kind + toJson(leading->values()).dump() + keyOf(realised_->leading().origin.x0),
        [leading, motion = session().motions.front()](JobContext<Analysis>&) {
            return consistent(leading->analyzeFrom(runsFrom(*leading, motion), {}));
        });
}

std::shared_ptr<const Finding<Plot>> Document::plot(const std::string& id) const
{
    const auto it = plotChannels_.find(session().kind + "/" + id);
    return it == plotChannels_.end() ? nullptr : it->second->newest();
}

bool Document::isCurrent(const std::string& plot) const
{
    const auto finding = this->plot(plot);
    const auto asked = asked_.find(session().kind + "/" + plot);
    return finding && finding->final && isCurrent(finding->number) && asked != asked_.end() &&
           asked->second == finding->inputKey;
}

std::shared_ptr<const Finding<Orbit>> Document::orbit() const
{
    return capability<HasOrbits>(*system()) ? orbitChannel_->newest() : nullptr;
}

bool Document::answered() const
{
    const auto current = [this](const auto& finding) {
        return finding && finding->final && isCurrent(finding->number);
    };
    return current(analysisChannel_->newest()) && (!capability<HasOrbits>(*system()) || current(orbit())) &&
           std::all_of(plots_.begin(), plots_.end(), [&](const PlotInfo& info) {
               return info.longRunning || !wanted_.contains(info.id) || isCurrent(info.id);
           });
}

long Document::analysesRun() const
{
    long runs = analysisChannel_->jobsRun() + orbitChannel_->jobsRun();
    for (const auto& [id, channel] : plotChannels_)
        runs += channel->jobsRun();
    return runs;
}

void Document::wantPlot(const std::string& id)
{
    if (++wanted_[id] == 1)
        requestAnalyses();
}

void Document::leavePlot(const std::string& id)
{
    if (--wanted_[id] > 0)
        return;
    wanted_.erase(id);
    if (const auto it = plotChannels_.find(session().kind + "/" + id); it != plotChannels_.end())
        it->second->cancel();
}

Values Document::chosenOptions(const PlotInfo& info) const
{
    const Schema schema(info.options);
    Values chosen = schema.defaults();
    for (const Parameter& option : info.options) {
        const std::string text = this->option(info.id + "." + option.id);
        if (text.empty())
            continue;
        try {
            chosen = schema.with(chosen, {{option.id, schema.parse(option.id, text)}});
        } catch (const Error&) {
            // An option of an older session that the plot does not know any more keeps its default.
        }
    }
    return chosen;
}

void Document::requestAnalyses()
{
    const auto noteThread = [widgets = thread(), count = onThisThread_] {
        if (QThread::currentThread() == widgets)
            ++*count;
    };
    const auto leading = system();
    const std::string values = session().kind + toJson(leading->values()).dump();
    const Motion& motion = session().motions.front();
    const State& x0 = realised_->leading().origin.x0;
    const std::string analysed = leading->analysisFollowsStart() ? values + keyOf(x0) : values;
    analysisChannel_->request(number_, analysed, [leading, noteThread, motion](JobContext<Analysis>& job) {
        noteThread();
        return consistent(
            quickAnalysisFrom(*leading, runsFrom(*leading, motion), [&job] { return job.cancelled(); }));
    });
    whenCalm_.start();
    for (const PlotInfo& info : plots_) {
        if (!wanted_.contains(info.id))
            continue;
        PlotRequest asked{info.id, chosenOptions(info), {}};
        std::string key = values + toJson(asked.options).dump();
        if (info.followsStart)
            key += keyOf(x0);
        if (info.followsWindow) {
            const std::string window = option(info.id + ".window");
            asked.window = plotWindow(window);
            key += window;
        }
        const std::string place = session().kind + "/" + info.id;
        asked_[place] = key;
        auto& channel = plotChannels_[place];
        if (!channel)
            channel = std::make_unique<AnalysisChannel<Plot>>(*pool_, info.longRunning ? Policy::Long
                                                                                       : Policy::Interactive);
        channel->request(number_, key, [leading, noteThread, asked, motion](JobContext<Plot>& job) {
            noteThread();
            PlotRequest request = asked;
            request.start = runsFrom(*leading, motion);
            request.cancelled = [&job] { return job.cancelled(); };
            request.publish = [&job](Plot plot, double progress) { job.publish(std::move(plot), progress); };
            return plotOf(*leading, request);
        });
    }
    if (const auto* orbits = capability<HasOrbits>(*leading)) {
        orbitChannel_->request(number_, values + keyOf(x0),
                               [leading, noteThread, orbits, x0](JobContext<Orbit>&) {
                                   noteThread();
                                   return orbits->orbitThrough(x0);
                               });
    }
}

} // namespace casimir
