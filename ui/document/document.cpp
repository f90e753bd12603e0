#include "ui/document/document.h"

#include "core/analysis/general_plots.h"
#include "core/model/error.h"
#include "core/model/live_input.h"
#include "core/model/quick_analysis.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"

#include <nlohmann/json.hpp>

#include <QElapsedTimer>
#include <QThread>
#include <QUndoCommand>

#include <algorithm>
#include <atomic>
#include <bit>

namespace casimir {

namespace {

// Edits of one control that follow each other within this time are one undo step.
constexpr qint64 mergeMilliseconds = 1000;
constexpr int analysisThreads = 2;

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

std::vector<std::shared_ptr<const System>> systemsOf(const Session& session)
{
    const Kind& kind = kindNamed(session.kind);
    std::vector<std::shared_ptr<const System>> systems;
    for (const Motion& motion : session.motions) {
        systems.push_back(motion.overrides.empty() && !systems.empty() &&
                                  systems.front()->values() == session.values
                              ? systems.front()
                              : kind.make(valuesOf(kind, session, motion)));
        (void)systems.back()->start(motion.state);
    }
    return systems;
}

void mergeInputs(StateInputs& inputs, const StateInputs& given)
{
    for (const auto& [id, x] : given) {
        const auto it =
            std::find_if(inputs.begin(), inputs.end(), [&id = id](const auto& p) { return p.first == id; });
        if (it == inputs.end())
            inputs.emplace_back(id, x);
        else
            it->second = x;
    }
}

Session firstSession()
{
    const Kind& first = *catalogue().front();
    const auto presets = presetsOf(first.id);
    return presets.empty() ? defaultSession(first) : readSession(presets.front().text);
}

} // namespace

// The Session before and after; edits of one gesture, or of one control in quick succession, merge.
class Document::Command : public QUndoCommand {
public:
    Command(Document& document, std::shared_ptr<const Session> after, const QString& text, std::string target,
            ViewOptions options = ViewOptions::Kept)
        : QUndoCommand(text),
          document_(document),
          before_(document.session_),
          after_(std::move(after)),
          target_(std::move(target)),
          gesture_(document.gesture_),
          options_(options)
    {
        age_.start();
    }

    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand* other) override
    {
        const auto& next = static_cast<const Command&>(*other);
        const bool sameGesture = gesture_ != 0 && gesture_ == next.gesture_;
        const bool sameControl = gesture_ == 0 && next.gesture_ == 0 && !target_.empty() &&
                                 target_ == next.target_ && age_.elapsed() < mergeMilliseconds;
        if (!sameGesture && !sameControl)
            return false;
        after_ = next.after_;
        setObsolete(*before_ == *after_);
        age_.restart();
        return true;
    }
    void undo() override { document_.install(before_, options_); }
    void redo() override { document_.install(after_, options_); }

private:
    Document& document_;
    std::shared_ptr<const Session> before_, after_;
    std::string target_;
    int gesture_;
    ViewOptions options_;
    QElapsedTimer age_;
};

Document::Document(QObject* parent) : Document(firstSession(), parent) {}

Document::Document(Session session, QObject* parent) : QObject(parent)
{
    pool_ = std::make_unique<AnalysisPool>(
        analysisThreads, [this, announce = coalesced(this, [this] { Q_EMIT analysesChanged(); })] {
            published_ = std::chrono::steady_clock::now();
            announce();
        });
    analysisChannel_ = std::make_unique<AnalysisChannel<Analysis>>(*pool_, Policy::Interactive);
    orbitChannel_ = std::make_unique<AnalysisChannel<Orbit>>(*pool_, Policy::Interactive);
    simulation_ = std::make_unique<Simulation>(
        [](const std::string& id) -> const Kind& { return kindNamed(id); }, coalesced(this, [this] {
            snapshot_ = simulation_->snapshot();
            Q_EMIT snapshotChanged();
        }));
    snapshot_ = simulation_->snapshot();
    install(std::make_shared<Session>(std::move(session)), ViewOptions::Brought);
}

Document::~Document()
{
    // The engine's threads post to this object; they end first.
    simulation_.reset();
    pool_.reset();
}

const Kind& Document::kind() const
{
    return kindNamed(session_->kind);
}

void Document::install(std::shared_ptr<const Session> session, ViewOptions options)
{
    auto systems = systemsOf(*session);
    const bool otherKind = !session_ || session_->kind != session->kind;
    const bool otherOptions = session_ && session->options != session_->options;
    if (otherOptions && !otherKind && options == ViewOptions::Kept) {
        auto kept = std::make_shared<Session>(*session);
        kept->options = session_->options;
        session = std::move(kept);
    }
    session_ = std::move(session);
    systems_ = std::move(systems);
    number_ = simulation_->setSession(session_);
    simulation_->setLoop(session_->run.loop, session_->run.tEnd);
    if (otherKind) {
        selection_.clear();
        plotChannels_.clear();
        asked_.clear();
        simulation_->setSpeed(std::clamp(session_->run.speed, Simulation::kSlowest, Simulation::kFastest));
        Q_EMIT kindChanged();
    }
    requestAnalyses();
    Q_EMIT sessionChanged();
    if (otherOptions && !otherKind && options == ViewOptions::Brought) {
        Q_EMIT optionsReplaced();
        Q_EMIT optionsChanged();
    }
}

bool Document::commit(Session session, const QString& text, const std::string& target, QStringList controls)
{
    if (controls.isEmpty())
        controls << QString::fromStdString(target);
    if (session == *session_)
        return true;
    try {
        const auto systems = systemsOf(session);
        // An input that nobody listens to any more is not kept.
        for (std::size_t i = 0; i < systems.size(); ++i)
            if (const auto* led = capability<HasLiveInput>(*systems[i]);
                !led || !led->liveChannel().listening)
                session.motions[i].options.input.reset();
    } catch (const std::exception& error) {
        for (const QString& control : controls)
            Q_EMIT refused(control, QString::fromUtf8(error.what()));
        return false;
    }
    undo_.push(new Command(*this, std::make_shared<Session>(std::move(session)), text, target));
    for (const QString& control : controls)
        Q_EMIT accepted(control);
    return true;
}

void Document::carryPresentState(Session& session) const
{
    if (snapshot_->t == 0 || !snapshot_->session || snapshot_->session->kind != session.kind ||
        snapshot_->motions.size() != session.motions.size())
        return;
    for (std::size_t i = 0; i < session.motions.size(); ++i) {
        const MotionTrack& track = snapshot_->motions[i];
        session.motions[i].state = track.system->inputsOf(track.state);
        if (auto& input = session.motions[i].options.input)
            input = std::make_shared<LiveInput>(input->goingOnAt(snapshot_->t));
    }
}

Document::Present Document::present() const
{
    if (!snapshot_->motions.empty()) {
        const MotionTrack& leading = snapshot_->motions.front();
        if (&leading.system->kind() == &kind() && leading.system->values() == system()->values())
            return {snapshot_->t, leading.state};
    }
    return {0, system()->start(session_->motions.front().state)};
}

void Document::beginGesture()
{
    if (gesture_ != 0)
        endGesture();
    gesture_ = ++gestures_;
    gestureStart_ = *session_;
}

void Document::endGesture()
{
    gesture_ = 0;
    gestureStart_.reset();
}

void Document::cancelGesture()
{
    if (!gestureStart_)
        return;
    // The gesture's command, if it made one, is on top of the stack; undone and overwritten, it is as if
    // never made.
    if (!(*session_ == *gestureStart_))
        commit(*gestureStart_, tr("Cancel"), {});
    endGesture();
}

bool Document::setParameter(const std::string& address, const Value& value)
{
    return setParameters({{address, value}});
}

bool Document::setParameters(const std::vector<Assignment>& assignments)
{
    Session session = *session_;
    QStringList names;
    for (const Assignment& assignment : assignments) {
        const QString address = QString::fromStdString(assignment.address);
        names << address;
        Outcome<Values> outcome = kind().schema.tryWith(session.values, assignment);
        if (!outcome) {
            Q_EMIT refused(address, QString::fromStdString(outcome.refusal));
            return false;
        }
        session.values = std::move(*outcome.value);
    }
    if (session.values == session_->values) {
        for (const QString& address : names)
            Q_EMIT accepted(address);
        return true;
    }
    carryPresentState(session);
    forgetLostStarts(kind(), session, session_->values);
    const QString all = names.join(", ");
    return commit(std::move(session), tr("Change %1").arg(all), all.toStdString(), names);
}

bool Document::apply(const Outcome<Change>& edit)
{
    if (!edit) {
        Q_EMIT refused({}, QString::fromStdString(edit.refusal));
        return false;
    }
    const Change& change = *edit.value;
    const std::string target = change.assignments.empty() ? "state" : change.assignments.front().address;
    Session session = *session_;
    try {
        session.values = kind().schema.with(session.values, change.assignments);
        carryPresentState(session);
        forgetLostStarts(kind(), session, session_->values);
    } catch (const Error& error) {
        Q_EMIT refused(QString::fromStdString(target), QString::fromUtf8(error.what()));
        return false;
    }
    mergeInputs(session.motions.front().state, change.state);
    return commit(std::move(session), QString::fromStdString(change.text), target);
}

bool Document::setParameterText(const std::string& address, const QString& text)
{
    try {
        QString point = text.trimmed();
        if (kind().schema.resolve(address).type == ParameterType::Real)
            point.replace(',', '.');
        return setParameter(address, kind().schema.parse(address, point.toStdString()));
    } catch (const Error& error) {
        Q_EMIT refused(QString::fromStdString(address), QString::fromUtf8(error.what()));
        return false;
    }
}

bool Document::setState(const StateInputs& state, std::size_t motion)
{
    Session session = *session_;
    mergeInputs(session.motions.at(motion).state, state);
    const std::string target = state.size() == 1 ? "state:" + state.front().first : "state";
    return commit(std::move(session), tr("Change the start"), target);
}

bool Document::addMotion(Motion motion)
{
    Session session = *session_;
    session.motions.push_back(std::move(motion));
    return commit(std::move(session), tr("Add a motion"), {});
}

bool Document::changeMotion(std::size_t index, Motion motion, const QString& what)
{
    Session session = *session_;
    session.motions.at(index) = std::move(motion);
    return commit(std::move(session), what, "motion:" + std::to_string(index));
}

bool Document::removeMotion(std::size_t index)
{
    Session session = *session_;
    if (session.motions.size() < 2 || index >= session.motions.size())
        return false;
    session.motions.erase(session.motions.begin() + static_cast<std::ptrdiff_t>(index));
    return commit(std::move(session), tr("Remove a motion"), {});
}

bool Document::addGhost(const StateInputs& state)
{
    Session session = *session_;
    session.ghosts.push_back(state);
    return commit(std::move(session), tr("Keep an orbit"), {});
}

bool Document::clearGhosts()
{
    Session session = *session_;
    session.ghosts.clear();
    return commit(std::move(session), tr("Remove the kept orbits"), {});
}

bool Document::setLimits(const std::string& address, SliderLimits limits)
{
    Session session = *session_;
    session.limits[address] = limits;
    return commit(std::move(session), tr("Change the limits of %1").arg(QString::fromStdString(address)), {});
}

bool Document::setNotes(const QString& notes)
{
    Session session = *session_;
    session.notes = notes.toStdString();
    return commit(std::move(session), tr("Edit the notes"), "notes");
}

void Document::setOption(const std::string& key, const std::string& value)
{
    if (option(key) == value)
        return;
    auto session = std::make_shared<Session>(*session_);
    session->options[key] = value;
    session_ = std::move(session);
    requestAnalyses();
    Q_EMIT optionsChanged();
}

void Document::setViews(const std::vector<ShownView>& views)
{
    auto session = std::make_shared<Session>(*session_);
    session->views = views;
    session_ = std::move(session);
}

std::string Document::option(const std::string& key, const std::string& otherwise) const
{
    const auto it = session_->options.find(key);
    return it == session_->options.end() ? otherwise : it->second;
}

void Document::setRun(const RunOptions& run)
{
    auto session = std::make_shared<Session>(*session_);
    session->run = run;
    session_ = std::move(session);
    simulation_->setSpeed(std::clamp(run.speed, Simulation::kSlowest, Simulation::kFastest));
    simulation_->setLoop(run.loop, run.tEnd);
    Q_EMIT optionsChanged();
}

void Document::openSession(Session session, const QString& what)
{
    (void)systemsOf(session);
    undo_.push(
        new Command(*this, std::make_shared<Session>(std::move(session)), what, {}, ViewOptions::Brought));
    simulation_->reset();
    Q_EMIT opened();
}

void Document::show(Session session)
{
    install(std::make_shared<Session>(std::move(session)), ViewOptions::Brought);
    simulation_->reset();
}

void Document::openPreset(const std::string& kindId, const std::string& presetId)
{
    const Preset preset = presetNamed(kindId, presetId);
    openText(preset.text, tr("Open %1").arg(QString::fromStdString(preset.title)));
}

void Document::openText(const std::string& text, const QString& what)
{
    openSession(readSession(text), what);
}

QString Document::sessionText() const
{
    return QString::fromStdString(writeSession(*session_));
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
    return analysisChannel_->newest();
}

std::shared_ptr<const Finding<Plot>> Document::plot(const std::string& id) const
{
    const auto it = plotChannels_.find(session_->kind + "/" + id);
    return it == plotChannels_.end() ? nullptr : it->second->newest();
}

bool Document::isCurrent(const std::string& plot) const
{
    const auto finding = this->plot(plot);
    const auto asked = asked_.find(session_->kind + "/" + plot);
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
    const std::vector<PlotInfo> plots = plotsOf(*system());
    return current(analysis()) && (!capability<HasOrbits>(*system()) || current(orbit())) &&
           std::all_of(plots.begin(), plots.end(), [&](const PlotInfo& info) {
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
    if (const auto it = plotChannels_.find(session_->kind + "/" + id); it != plotChannels_.end())
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
    const std::string values = session_->kind + toJson(leading->values()).dump();
    const StateInputs& start = session_->motions.front().state;
    const std::string analysed =
        leading->analysisFollowsStart() ? values + keyOf(leading->start(start)) : values;
    analysisChannel_->request(number_, analysed, [leading, noteThread, start](JobContext<Analysis>&) {
        noteThread();
        return quickAnalysisFrom(*leading, start);
    });
    for (const PlotInfo& info : plotsOf(*leading)) {
        if (!wanted_.contains(info.id))
            continue;
        PlotRequest asked{info.id, chosenOptions(info), start};
        std::string key = values + toJson(asked.options).dump();
        if (info.followsStart)
            key += keyOf(leading->start(start));
        if (info.followsWindow) {
            const std::string window = option(info.id + ".window");
            asked.window = plotWindow(window);
            key += window;
        }
        const std::string place = session_->kind + "/" + info.id;
        asked_[place] = key;
        auto& channel = plotChannels_[place];
        if (!channel)
            channel = std::make_unique<AnalysisChannel<Plot>>(*pool_, info.longRunning ? Policy::Long
                                                                                       : Policy::Interactive);
        channel->request(number_, key, [leading, noteThread, asked](JobContext<Plot>& job) {
            noteThread();
            PlotRequest request = asked;
            request.cancelled = [&job] { return job.cancelled(); };
            request.publish = [&job](Plot plot, double progress) { job.publish(std::move(plot), progress); };
            return plotOf(*leading, request);
        });
    }
    if (const auto* orbits = capability<HasOrbits>(*leading)) {
        const State x0 = leading->start(start);
        orbitChannel_->request(number_, values + keyOf(x0),
                               [leading, noteThread, orbits, x0](JobContext<Orbit>&) {
                                   noteThread();
                                   return orbits->orbitThrough(x0);
                               });
    }
}

} // namespace casimir
