// How the Session is changed: edits, what they make, gestures and the undo stack.
#include "core/analysis/general_plots.h"
#include "core/base/error.h"
#include "core/model/live_input.h"
#include "core/systems/catalogue.h"
#include "ui/document/document.h"

#include <QElapsedTimer>
#include <QUndoCommand>

#include <algorithm>
#include <exception>
#include <utility>

namespace casimir {

namespace {

// Edits of one control that follow each other within this time are one undo step.
constexpr qint64 mergeMilliseconds = 1000;

// What one of several assignments is refused for.
struct Refusal : Error {
    Refusal(std::string at, const std::string& reason) : Error(reason), address(std::move(at)) {}
    std::string address;
};

Values assigned(const Kind& kind, Values values, const std::vector<Assignment>& assignments)
{
    for (const Assignment& assignment : assignments) {
        Outcome<Values> outcome = kind.schema.tryWith(values, assignment);
        if (!outcome)
            throw Refusal(assignment.address, outcome.refusal);
        values = std::move(*outcome.value);
    }
    return values;
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

void forgetSegments(Session& session)
{
    for (Motion& motion : session.motions)
        motion.from.reset();
}

constexpr int motionColours = 7; // of the palette

Motion toldApart(const Session& session, Motion motion)
{
    const auto used = [&session](const auto& test) {
        return std::any_of(session.motions.begin(), session.motions.end(), test);
    };
    for (int colour = 0; colour < motionColours; ++colour) {
        if (!used([&](const Motion& other) { return other.colour % motionColours == motion.colour; }))
            break;
        motion.colour = colour;
    }
    const std::string name = motion.label;
    for (int n = 2; used([&](const Motion& other) { return other.label == motion.label; }); ++n)
        motion.label = name + " " + std::to_string(n);
    return motion;
}

QStringList addressesOf(const std::vector<Assignment>& assignments)
{
    QStringList names;
    for (const Assignment& assignment : assignments)
        names << QString::fromStdString(assignment.address);
    return names;
}

} // namespace

// Shorter than a frame of the screen: what is answered within it is seen in the same one.
std::chrono::milliseconds Document::patience{4};

// What stood before and after; edits of one gesture, or of one control in quick succession, merge.
class Document::Command : public QUndoCommand {
public:
    // `origin`: of another session that replaces the one in place; an edit keeps its origin.
    Command(Document& document, const Edit& edit, std::shared_ptr<const Realised> after,
            std::vector<PlotInfo> plots, std::optional<Origin> origin = {})
        : QUndoCommand(edit.text),
          document_(document),
          before_{document.realised_, document.plots_},
          after_{std::move(after), std::move(plots)},
          target_(edit.target),
          gesture_(edit.gesture),
          options_(edit.options),
          run_(edit.run),
          origin_(std::move(origin))
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
        setObsolete(*before_.realised->session == *after_.realised->session);
        age_.restart();
        return true;
    }
    void undo() override
    {
        ++document_.line_;
        exchangeOrigins();
        after_ = standing(); // with the zoom, the views and the speed that were chosen since
        document_.install(before_.realised, before_.plots, options_, run_);
    }
    void redo() override
    {
        // The first time it is the edit itself, which later ones continue.
        if (std::exchange(made_, true))
            ++document_.line_;
        leaves_ = origin_ && document_.modified();
        exchangeOrigins();
        before_ = standing();
        document_.install(after_.realised, after_.plots, options_, run_);
    }
    bool leavesUnsaved() const { return leaves_; }

    // What was led is a recording from now on, also when it is done again.
    void keepLed(const Session& live, const Session& recorded)
    {
        for (Standing* standing : {&before_, &after_}) {
            Session session = *standing->realised->session;
            for (std::size_t i = 0; i < std::min(session.motions.size(), live.motions.size()); ++i)
                if (session.motions[i].input == live.motions[i].input)
                    session.motions[i].input = recorded.motions[i].input;
            standing->realised = withSession(*standing->realised, std::move(session));
        }
    }

private:
    struct Standing {
        std::shared_ptr<const Realised> realised;
        std::vector<PlotInfo> plots;
    };

    Standing standing() const { return {document_.realised_, document_.plots_}; }

    // What was saved in between stays so.
    void exchangeOrigins()
    {
        if (origin_)
            std::swap(*origin_, document_.origin_);
    }

    Document& document_;
    Standing before_, after_;
    std::string target_;
    int gesture_;
    ViewOptions options_;
    Run run_;
    std::optional<Origin> origin_; // of the session that is not in place
    bool leaves_ = false;
    bool made_ = false;
    QElapsedTimer age_;
};

bool Document::commit(Edit edit)
{
    if (edit.controls.isEmpty())
        edit.controls << QString::fromStdString(edit.target);
    edit.gesture = gesture_;
    edit.answer = std::make_shared<std::optional<bool>>();
    const auto answer = edit.answer;
    const std::string name =
        edit.gesture && !edit.target.empty() ? std::to_string(edit.gesture) + edit.target : std::string();
    const std::uint64_t number =
        edits_->post(name, [this, edit = std::move(edit), line = line_, standing = realised_] {
            // An edit continues the one before it, also where the window has not taken that yet.
            const auto& before = newest_ && newestLine_ == line ? newest_ : standing;
            Made made = make(edit, line, before);
            if (made.realised) {
                newest_ = made.realised;
                newestLine_ = line;
            }
            {
                const std::lock_guard lock(madeMutex_);
                made_.push_back(std::move(made));
            }
            QMetaObject::invokeMethod(
                this, [this] { deliver(); }, Qt::QueuedConnection);
        });
    edits_->waitFor(number, patience);
    deliver();
    return answer->value_or(true);
}

Document::Made Document::make(Edit edit, std::uint64_t line,
                              const std::shared_ptr<const Realised>& before) const
{
    Made made{std::move(edit), line, {}, {}, {}, {}};
    const Edit& asked = made.edit;
    const long systems = workOfThisThread().systems;
    try {
        const casimir::Present present = presentFor(*before);
        Session session = asked.change(*before->session, present);
        const Kind& kind = kindNamed(session.kind);
        auto realised =
            realise(kind, std::move(session), before.get(), asked.run == Run::GoesOn ? &present : nullptr);
        if (asked.complete) {
            Session completed = *realised->session;
            asked.complete(*realised, completed);
            realised = withSession(*realised, std::move(completed));
        }
        made.plots = plotsOf(*realised->leading().system);
        made.realised = std::move(realised);
    } catch (const Refusal& refusal) {
        made.refusal = QString::fromUtf8(refusal.what());
        made.refusing << QString::fromStdString(refusal.address);
    } catch (const std::exception& error) {
        made.refusal = QString::fromUtf8(error.what());
        made.refusing = asked.controls;
    }
    systemsMade_ += workOfThisThread().systems - systems;
    return made;
}

casimir::Present Document::presentFor(const Realised& before) const
{
    const auto snapshot = simulation_->snapshot();
    // A snapshot from before another session or start was asked for speaks of other motions.
    if (snapshot->session && snapshot->sessionNumber >= takenUpFrom_ &&
        snapshot->session->session->kind == before.session->kind &&
        snapshot->motions.size() == before.motions.size())
        return presentOf(*snapshot);
    casimir::Present origins{before.leading().origin.t0, {}};
    for (const RealisedMotion& motion : before.motions)
        origins.motions.push_back({motion.system, motion.origin.x0});
    return origins;
}

void Document::deliver()
{
    std::vector<Made> made;
    {
        const std::lock_guard lock(madeMutex_);
        made.swap(made_);
    }
    for (Made& each : made)
        deliver(std::move(each));
}

void Document::deliver(Made made)
{
    const Edit& edit = made.edit;
    if (made.line != line_)
        return;
    *edit.answer = made.realised != nullptr;
    if (!made.realised) {
        for (const QString& control : made.refusing)
            Q_EMIT refused(control, made.refusal);
        return;
    }
    Session seen = *made.realised->session;
    seen.options = session().options;
    seen.views = session().views;
    seen.run = session().run;
    if (!(seen == session()))
        undo_.push(new Command(*this, edit, std::move(made.realised), std::move(made.plots)));
    for (const QString& control : edit.controls)
        Q_EMIT accepted(control);
}

void Document::waitForEdits()
{
    edits_->waitUntilIdle();
    deliver();
}

Document::Made Document::madeOf(Session session)
{
    Made made;
    edits_->waitFor(edits_->post({},
                                 [&] {
                                     try {
                                         made.realised = realise(kindNamed(session.kind), session);
                                         made.plots = plotsOf(*made.realised->leading().system);
                                     } catch (const std::exception& error) {
                                         made.refusal = QString::fromUtf8(error.what());
                                     }
                                 }),
                    std::chrono::hours(1));
    if (!made.realised)
        throw Error(made.refusal.toStdString());
    return made;
}

void Document::openSession(Session session, const QString& what, const SessionSource& source)
{
    Made made = madeOf(std::move(session));
    ++line_;
    Edit edit;
    edit.text = what;
    edit.options = ViewOptions::Brought;
    Origin origin{source.file, source.saved ? made.realised->session : nullptr};
    undo_.push(new Command(*this, edit, std::move(made.realised), std::move(made.plots), std::move(origin)));
    if (source.saved && !leftUnsaved())
        undo_.setClean();
    simulation_->reset();
    Q_EMIT opened();
}

void Document::show(Session session)
{
    Made made = madeOf(std::move(session));
    ++line_;
    origin_ = {{}, made.realised->session};
    install(std::move(made.realised), made.plots, ViewOptions::Brought, Run::Begins);
    simulation_->reset();
}

void Document::saved(const QString& file)
{
    origin_ = {file, realised_->session};
    undo_.setClean();
    Q_EMIT originChanged();
}

bool Document::modified() const
{
    if (!origin_.saved)
        return true;
    if (origin_.saved == realised_->session)
        return false;
    Session kept = *origin_.saved;
    kept.options = session().options;
    kept.views = session().views;
    kept.run = session().run;
    return !(kept == session());
}

std::optional<int> Document::leftUnsaved() const
{
    for (int i = undo_.index() - 1; i >= 0; --i)
        if (static_cast<const Command*>(undo_.command(i))->leavesUnsaved())
            return i;
    return std::nullopt;
}

void Document::beginGesture()
{
    if (gesture_ != 0)
        endGesture();
    gesture_ = ++gestures_;
    gestureStart_ = realised_;
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
    ++line_; // what the gesture asked for and nobody has seen is not wanted
    // The gesture's command, if it made one, is on top of the stack; continued by the way back, it is as if
    // never made.
    if (!(session() == *gestureStart_->session)) {
        Edit back;
        back.text = tr("Cancel");
        back.run = Run::GoesOn;
        back.gesture = gesture_;
        undo_.push(new Command(*this, back, gestureStart_, plotsOf(*gestureStart_->leading().system)));
    }
    endGesture();
}

bool Document::setParameter(const std::string& address, const Value& value)
{
    return setParameters({{address, value}});
}

bool Document::setParameters(const std::vector<Assignment>& assignments)
{
    const QStringList names = addressesOf(assignments);
    const QString all = names.join(", ");
    Edit edit;
    edit.change = [assignments, &kind = kind()](Session session, const casimir::Present&) {
        session.values = assigned(kind, std::move(session.values), assignments);
        return session;
    };
    edit.text = tr("Change %1").arg(all);
    edit.target = all.toStdString();
    edit.controls = names;
    edit.run = Run::GoesOn;
    return commit(std::move(edit));
}

bool Document::setParameterToDefault(const std::string& address)
{
    Edit edit;
    edit.change = [address, &kind = kind()](Session session, const casimir::Present&) {
        const Schema& schema = kind.schema;
        session.values =
            assigned(kind, std::move(session.values), {{address, schema.read(schema.defaults(), address)}});
        return session;
    };
    edit.text = tr("Change %1").arg(QString::fromStdString(address));
    edit.target = address;
    edit.run = Run::GoesOn;
    return commit(std::move(edit));
}

bool Document::setParametersAndState(const std::vector<Assignment>& assignments, const StateInputs& state)
{
    Edit edit;
    edit.change = [assignments, state, &kind = kind()](Session session, const casimir::Present&) {
        session.values = assigned(kind, std::move(session.values), assignments);
        forgetSegments(session);
        mergeInputs(session.motions.front().state, state);
        return session;
    };
    edit.controls = addressesOf(assignments);
    edit.text = tr("Change %1").arg(edit.controls.join(", "));
    return commit(std::move(edit));
}

bool Document::apply(const Outcome<Change>& asked)
{
    if (!asked) {
        Q_EMIT refused({}, QString::fromStdString(asked.refusal));
        return false;
    }
    Edit edit;
    edit.text = QString::fromStdString(asked.value->text);
    edit.target = asked.value->assignments.empty() ? "state" : asked.value->assignments.front().address;
    // What the hand puts elsewhere is a new start; what it changes without moving goes on.
    edit.run = asked.value->state.empty() ? Run::GoesOn : Run::Begins;
    edit.change = [change = *asked.value, &kind = kind()](Session session, const casimir::Present& present) {
        session.values = kind.schema.with(session.values, change.assignments);
        if (!change.state.empty()) {
            for (std::size_t i = 0; present.t != 0 && i < session.motions.size(); ++i)
                session.motions[i].state = present.motions[i].system->inputsOf(present.motions[i].state);
            forgetSegments(session);
            mergeInputs(session.motions.front().state, change.state);
        }
        return session;
    };
    return commit(std::move(edit));
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
    Edit edit;
    edit.change = [state, motion](Session session, const casimir::Present&) {
        if (motion >= session.motions.size())
            throw Error("this motion is gone");
        forgetSegments(session);
        mergeInputs(session.motions[motion].state, state);
        return session;
    };
    edit.text = tr("Change the start");
    edit.target = state.size() == 1 ? "state:" + state.front().first : "state";
    return commit(std::move(edit));
}

void Document::backToStart()
{
    const auto& motions = session().motions;
    if (std::any_of(motions.begin(), motions.end(), [](const Motion& motion) { return motion.from; })) {
        Edit edit;
        edit.change = [](Session session, const casimir::Present&) {
            forgetSegments(session);
            return session;
        };
        edit.text = tr("Back to the start");
        commit(std::move(edit));
    }
    simulation_->reset();
}

bool Document::addMotion(Motion motion)
{
    Edit edit;
    edit.change = [motion = std::move(motion)](Session session, const casimir::Present&) {
        session.motions.push_back(toldApart(session, motion));
        return session;
    };
    edit.text = tr("Add a motion");
    return commit(std::move(edit));
}

bool Document::changeMotion(std::size_t index, Motion motion, const QString& what)
{
    if (index >= session().motions.size())
        return false;
    const auto& old = session().motions[index].overrides;
    const bool sameValues = std::equal(motion.overrides.begin(), motion.overrides.end(), old.begin(),
                                       old.end(), [](const Assignment& a, const Assignment& b) {
                                           return a.address == b.address && equal(a.value, b.value);
                                       });
    Edit edit;
    edit.run = sameValues ? Run::Begins : Run::GoesOn;
    edit.change = [index, motion = std::move(motion)](Session session, const casimir::Present&) {
        if (index >= session.motions.size())
            throw Error("this motion is gone");
        session.motions[index] = motion;
        return session;
    };
    edit.text = what;
    edit.target = "motion:" + std::to_string(index);
    return commit(std::move(edit));
}

bool Document::removeMotion(std::size_t index)
{
    if (session().motions.size() < 2 || index >= session().motions.size())
        return false;
    Edit edit;
    edit.change = [index](Session session, const casimir::Present&) {
        // Others may have been removed since this was asked for.
        if (session.motions.size() < 2 || index >= session.motions.size())
            throw Error("this motion is gone");
        session.motions.erase(session.motions.begin() + static_cast<std::ptrdiff_t>(index));
        return session;
    };
    edit.text = tr("Remove a motion");
    return commit(std::move(edit));
}

bool Document::addGhost(const StateInputs& state)
{
    Edit edit;
    edit.change = [state](Session session, const casimir::Present&) {
        session.ghosts.push_back(state);
        return session;
    };
    edit.text = tr("Keep an orbit");
    return commit(std::move(edit));
}

bool Document::clearGhosts()
{
    Edit edit;
    edit.change = [](Session session, const casimir::Present&) {
        session.ghosts.clear();
        return session;
    };
    edit.text = tr("Remove the kept orbits");
    return commit(std::move(edit));
}

bool Document::setLimits(const std::string& address, SliderLimits limits)
{
    Edit edit;
    edit.change = [address, limits](Session session, const casimir::Present&) {
        session.limits[address] = limits;
        return session;
    };
    edit.text = tr("Change the limits of %1").arg(QString::fromStdString(address));
    return commit(std::move(edit));
}

bool Document::setNotes(const QString& notes)
{
    Edit edit;
    edit.change = [text = notes.toStdString()](Session session, const casimir::Present&) {
        session.notes = text;
        return session;
    };
    edit.text = tr("Edit the notes");
    edit.target = "notes";
    return commit(std::move(edit));
}

bool Document::takeLead()
{
    const auto channel = liveChannel();
    if (!channel)
        return false;
    Edit edit;
    edit.change = [channel = *channel, &kind = kind()](Session session, const casimir::Present&) {
        if (!channel.listening)
            session.values = kind.schema.with(session.values, channel.taken);
        for (Motion& motion : session.motions)
            motion.input = HandInput{{}, true};
        return session;
    };
    // The hand begins where the motion has what it leads.
    edit.complete = [](const Realised& realised, Session& session) {
        for (std::size_t i = 0; i < session.motions.size(); ++i) {
            const auto& [t, x] = realised.motions[i].origin;
            const System& system = *realised.motions[i].system;
            if (auto& input = session.motions[i].input) {
                const auto* led = capability<HasLiveInput>(system);
                input->samples = {{t, system.quantity(led->liveChannel().quantity, t, x)}};
            }
        }
    };
    edit.text = QString::fromStdString(channel->take);
    edit.run = Run::GoesOn;
    if (!commit(std::move(edit)))
        return false;
    simulation_->setReverse(false);
    simulation_->play();
    return true;
}

bool Document::handOver()
{
    const auto channel = liveChannel();
    if (!channel || !channel->listening)
        return false;
    const Session live = session(), led = recorded(live, *simulation_->snapshot());
    // The stack gives out its commands to be looked at only; what they hold of this hand is still growing.
    for (int i = 0; i < undo_.count(); ++i)
        static_cast<Command*>(const_cast<QUndoCommand*>(undo_.command(i)))->keepLed(live, led);
    replaceSession(led);
    Edit edit;
    edit.change = [channel = *channel, &kind = kind()](Session session, const casimir::Present&) {
        session.values = kind.schema.with(session.values, channel.handedOver);
        return session;
    };
    edit.text = QString::fromStdString(channel->handOver);
    edit.run = Run::GoesOn;
    return commit(std::move(edit));
}

Session Document::recorded(Session session, const Snapshot& snapshot)
{
    for (std::size_t i = 0; i < std::min(session.motions.size(), snapshot.motions.size()); ++i) {
        auto& input = session.motions[i].input;
        const auto& led = snapshot.motions[i].recording->options().input;
        if (input && input->live && led)
            input = HandInput{led->samples(), false};
    }
    return session;
}

} // namespace casimir
