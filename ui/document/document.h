// Document: the Session that the window works on, with its undo stack, the engine that runs it and the
// analyses that describe it. The only door from widgets to the mechanics: widgets change the Session through
// it and draw what it hands out.
#pragma once

#include "core/engine/analyses.h"
#include "core/engine/simulation.h"
#include "core/model/capabilities.h"
#include "core/model/editing.h"
#include "core/session/session.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace casimir {

class Document : public QObject {
    Q_OBJECT

public:
    explicit Document(QObject* parent = nullptr); // opens the first preset of the catalogue
    explicit Document(Session session, QObject* parent = nullptr);
    ~Document() override;

    const Session& session() const { return *session_; }
    const Kind& kind() const;
    // The system at the Session's values (the leading Motion's), and at those of Motion i.
    std::shared_ptr<const System> system() const { return systems_.front(); }
    std::shared_ptr<const System> system(std::size_t motion) const { return systems_.at(motion); }

    // Where the leading Motion is now, as a state of system().
    struct Present {
        double t;
        State x;
    };
    Present present() const;

    // What the engine published last; never null.
    std::shared_ptr<const Snapshot> snapshot() const { return snapshot_; }
    Simulation& simulation() { return *simulation_; }

    // Analyses of the leading system; null until the first answer. Each is asked for only while somebody has
    // called want...
    std::shared_ptr<const Finding<Analysis>> analysis() const;
    std::shared_ptr<const Finding<Plot>> plot(const std::string& id) const;
    // A plot is computed while somebody wants it: each call of wantPlot asks for one of leavePlot.
    void wantPlot(const std::string& id);
    void leavePlot(const std::string& id);
    // The options of a plot as the Session has them, defaults for the rest.
    Values chosenOptions(const PlotInfo& info) const;
    bool isCurrent(std::uint64_t findingNumber) const { return findingNumber == number_; }
    // Whether a plot is the one asked for last, with its options, and finished.
    bool isCurrent(const std::string& plot) const;
    // The orbit through the leading Motion's start, where the system knows orbits.
    std::shared_ptr<const Finding<Orbit>> orbit() const;
    // Whether the newest change is answered in all that is shown, long-running plots apart.
    bool answered() const;
    // When the newest answer came, in whichever thread; it is seen later.
    std::chrono::steady_clock::time_point published() const { return published_; }
    long analysesRun() const;
    double analysisSeconds() const { return pool_->processorSeconds(); } // of processor time
    // How many of them ran on the thread of the widgets: none should.
    long analysesOnThisThread() const { return *onThisThread_; }

    // Edits. Each is one undo step, but edits between beginGesture() and endGesture(), and edits of the same
    // target within a second, are one together. A refused edit changes nothing and is told by refused().
    void beginGesture();
    void endGesture();
    void cancelGesture(); // back to what was before beginGesture()
    bool setParameter(const std::string& address, const Value& value);
    // Several at once, as a point dragged over a map sets two.
    bool setParameters(const std::vector<Assignment>& assignments);
    // What a person did with the hand: values and a start, together; or why it cannot be done.
    bool apply(const Outcome<Change>& edit);
    bool setParameterText(const std::string& address, const QString& text);
    bool setState(const StateInputs& state, std::size_t motion = 0);
    bool addMotion(Motion motion);
    bool changeMotion(std::size_t index, Motion motion, const QString& what);
    bool removeMotion(std::size_t index); // not the last one
    bool addGhost(const StateInputs& state);
    bool clearGhosts();
    bool setLimits(const std::string& address, SliderLimits limits);
    bool setNotes(const QString& notes);
    // Options of views are part of the Session but not of the undo history.
    void setOption(const std::string& key, const std::string& value);
    std::string option(const std::string& key, const std::string& otherwise = {}) const;
    void setRun(const RunOptions& run);
    void setViews(const std::vector<ShownView>& views); // no undo step

    // What a person can lead while the motion runs, where the leading system has such a thing.
    std::optional<LiveChannel> liveChannel() const;
    enum class Lead {
        None,    // at these values nothing is led
        Ready,   // nobody has led it yet
        Live,    // the hand says
        Replayed // what the hand did is repeated
    };
    Lead lead() const;
    // All Motions that listen follow the hand from where they are now, and time runs; one undo step.
    bool takeLead();
    void leadTo(double value);
    // Leaves it to itself again, from the present state.
    bool handOver();

    // Replace everything. Opening a file or a preset is undoable; a refused text changes nothing and throws
    // Error.
    void openSession(Session session, const QString& what);
    void openPreset(const std::string& kindId, const std::string& presetId);
    void openText(const std::string& text, const QString& what);
    // The session in place without an undo step, the options of its views included, and the clock at 0: for
    // documents that nobody edits.
    void show(Session session);
    QString
    sessionText() const; // as saved to a file; with the start where the motion is now only if `t` was 0

    QUndoStack* undoStack() { return &undo_; }

    // The equilibrium a person pointed at, by name; empty: none.
    const std::string& selection() const { return selection_; }
    void setSelection(const std::string& equilibrium);

Q_SIGNALS:
    void sessionChanged();
    void opened();          // a preset, a file: after kindChanged()
    void kindChanged();     // another system: panels are built anew
    void snapshotChanged(); // time went on, or motions changed
    void analysesChanged(); // some finding is new
    void selectionChanged();
    void optionsChanged();
    void optionsReplaced(); // by those of another session: views show again what it keeps of them
    void refused(const QString& address, const QString& reason);
    void accepted(const QString& address);

private:
    class Command;
    friend class Command;

    // What views show is not part of the history: an edit keeps it, a session that is opened brings its own.
    enum class ViewOptions { Kept, Brought };
    // Puts the session in place without an undo step, asks the engine and the analyses anew.
    void install(std::shared_ptr<const Session> session, ViewOptions options);
    // `target` names what edits in quick succession have in common; a refusal is told to each of `controls`,
    // or to the target.
    bool commit(Session session, const QString& text, const std::string& target, QStringList controls = {});
    // The starts of all Motions where they are now, carried over to other values: what a change while running
    // starts from.
    void carryPresentState(Session& session) const;
    void requestAnalyses();

    std::shared_ptr<const Session> session_;
    std::vector<std::shared_ptr<const System>> systems_;
    std::shared_ptr<const Snapshot> snapshot_;
    std::uint64_t number_ = 0;
    std::string selection_;
    std::string refusalTarget_;

    std::unique_ptr<Simulation> simulation_;
    std::atomic<std::chrono::steady_clock::time_point> published_{};
    std::unique_ptr<AnalysisPool> pool_;
    std::unique_ptr<AnalysisChannel<Analysis>> analysisChannel_;
    std::unique_ptr<AnalysisChannel<Orbit>> orbitChannel_;
    std::map<std::string, std::unique_ptr<AnalysisChannel<Plot>>> plotChannels_; // by kind/plot
    std::map<std::string, int> wanted_;                                          // how many want each
    std::map<std::string, std::string> asked_; // what each plot asked for last depends on, by kind/plot
    std::shared_ptr<std::atomic<long>> onThisThread_ = std::make_shared<std::atomic<long>>(0);

    QUndoStack undo_;
    std::optional<Session> gestureStart_;
    int gesture_ = 0; // number of the present gesture; 0 between gestures
    int gestures_ = 0;
};

} // namespace casimir
