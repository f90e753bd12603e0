// Document: the Session that the window works on, with its undo stack, the engine that runs it and the
// analyses that describe it. The only door from widgets to the mechanics: widgets change the Session through
// it and draw what it hands out.
#pragma once

#include "core/engine/analyses.h"
#include "core/engine/realised.h"
#include "core/engine/simulation.h"
#include "core/engine/task_line.h"
#include "core/model/capabilities.h"
#include "core/model/editing.h"
#include "core/session/session.h"

#include <QObject>
#include <QString>
#include <QTimer>
#include <QUndoStack>

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace casimir {

// Where a session that is opened comes from.
struct SessionSource {
    QString file = {}; // empty: it is untitled
    bool saved = true; // false: no file has this text, as of what a crash left
};

class Document : public QObject {
    Q_OBJECT

public:
    explicit Document(QObject* parent = nullptr); // opens the first preset of the catalogue
    explicit Document(Session session, QObject* parent = nullptr);
    ~Document() override;

    const Session& session() const { return *realised_->session; }
    const Realised& realised() const { return *realised_; }
    const Kind& kind() const;
    // The system at the Session's values (the leading Motion's), and at those of Motion i.
    std::shared_ptr<const System> system() const { return realised_->leading().system; }
    std::shared_ptr<const System> system(std::size_t motion) const
    {
        return realised_->motions.at(motion).system;
    }
    // What a parameter, element or alias is; an alias without a value is NaN.
    Value value(const std::string& address) const;
    // Every plot of the leading system.
    const std::vector<PlotInfo>& plots() const { return plots_; }
    std::optional<PlotInfo> plotInfo(const std::string& id) const;

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
    std::shared_ptr<const Finding<Analysis>> analysis() const; // the whole, where it has come already
    std::string titleOf(const std::string& equilibrium) const; // empty: none of that name is known
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
    // target within a second, are one together. What an edit makes (systems, starts, aliases) is made on a
    // thread of its own: most edits are answered within `patience` and done when the call returns, others
    // some time later; accepted() and refused() tell. A refused edit changes nothing; false where that is
    // known already.
    static std::chrono::milliseconds patience;
    void waitForEdits();                              // until all are answered
    long systemsMade() const { return systemsMade_; } // by edits
    void beginGesture();
    void endGesture();
    void cancelGesture(); // back to what was before beginGesture()
    bool setParameter(const std::string& address, const Value& value);
    // Several at once, as a point dragged over a map sets two.
    bool setParameters(const std::vector<Assignment>& assignments);
    bool
    setParameterToDefault(const std::string& address); // an alias to where the defaults of the others put it
    // Values and a start together, as a point of a chart asks for them.
    bool setParametersAndState(const std::vector<Assignment>& assignments, const StateInputs& state);
    // What a person did with the hand: values and a start, together; or why it cannot be done.
    bool apply(const Outcome<Change>& edit);
    bool setParameterText(const std::string& address, const QString& text);
    // Another start, run from t = 0.
    bool setState(const StateInputs& state, std::size_t motion = 0);
    // All Motions from the starts that the person gave, at t = 0.
    void backToStart();
    // Told apart from those that are there: a colour or name in use gives way to a free one.
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
    void openSession(Session session, const QString& what, const SessionSource& source = {});
    void openPreset(const std::string& kindId, const std::string& presetId);
    void openText(const std::string& text, const QString& what, const SessionSource& source = {});
    // The file of the Session in place, which undo and redo of what opened another one bring back; empty: it
    // is untitled.
    const QString& file() const { return origin_.file; }
    // The Session in place is now what that file holds.
    void saved(const QString& file);
    // Whether the Session differs from what was opened or saved last, in what undo covers.
    bool modified() const;
    // Another session was opened over one whose changes were not saved: the index of the undo stack that
    // brings the last such one back.
    std::optional<int> leftUnsaved() const;
    // The session in place without an undo step, the options of its views included, and the clock at 0: for
    // documents that nobody edits.
    void show(Session session);
    QString sessionText() const; // as saved to a file

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
    void originChanged();   // the Session was saved
    void optionsReplaced(); // by those of another session: views show again what it keeps of them
    void refused(const QString& address, const QString& reason);
    void accepted(const QString& address);

private:
    class Command;
    friend class Command;

    // What views show is not part of the history: an edit keeps it, a session that is opened brings its own.
    enum class ViewOptions { Kept, Brought };
    // Whether the Motions are taken up where they are, or run from where the Session has them begin.
    enum class Run { GoesOn, Begins };

    struct Edit {
        // On the thread of the edits; throws Error, or Refusal where one of the controls is at fault.
        std::function<Session(Session, const casimir::Present&)> change;
        // Of what the edit made: what only the systems at the new values can tell.
        std::function<void(const Realised&, Session&)> complete = {};
        QString text;
        // Names what edits in quick succession have in common; a refusal is told to each of `controls`, or to
        // the target.
        std::string target;
        QStringList controls = {};
        Run run = Run::Begins;
        ViewOptions options = ViewOptions::Kept;
        int gesture = 0;
        std::shared_ptr<std::optional<bool>> answer = {}; // whether it was accepted, once that is known
    };
    // Where the Session in place comes from; null: no file or preset has what it was opened as.
    struct Origin {
        QString file = {};
        std::shared_ptr<const Session> saved = {};
    };
    struct Made {
        Edit edit;
        std::uint64_t line = 0; // of the document's history that it continues
        std::shared_ptr<const Realised> realised;
        std::vector<PlotInfo> plots;
        QString refusal;
        QStringList refusing; // the controls at fault
    };

    bool commit(Edit edit);
    Made make(Edit edit, std::uint64_t line, const std::shared_ptr<const Realised>& before) const;
    // Where the Motions are, for what goes on from there.
    casimir::Present presentFor(const Realised& before) const;
    void deliver();
    void deliver(Made made);
    // Realised at once, by the thread of the edits: for what replaces everything.
    Made madeOf(Session session);
    // Puts it in place without an undo step, asks the engine and the analyses anew.
    void install(std::shared_ptr<const Realised> realised, const std::vector<PlotInfo>& plots,
                 ViewOptions options, Run run);
    void replaceSession(Session session); // one that differs in nothing that is computed
    // What hands led so far, as recordings.
    static Session recorded(Session session, const Snapshot& snapshot);
    void requestAnalyses();
    void askForTheWhole();

    std::shared_ptr<const Realised> realised_;
    Origin origin_;
    std::vector<PlotInfo> plots_;
    std::shared_ptr<const Snapshot> snapshot_;
    std::uint64_t number_ = 0;
    std::string selection_;
    std::string refusalTarget_;

    // The first number of a snapshot whose Motions may be taken up.
    std::atomic<std::uint64_t> takenUpFrom_ = 0;
    mutable std::atomic<long> systemsMade_ = 0;

    std::unique_ptr<Simulation> simulation_;
    std::atomic<std::chrono::steady_clock::time_point> published_{};
    std::unique_ptr<AnalysisPool> pool_;
    std::unique_ptr<AnalysisChannel<Analysis>> analysisChannel_;
    std::unique_ptr<AnalysisChannel<Analysis>> wholeAnalysisChannel_;
    QTimer whenCalm_; // then the whole analysis is asked for
    std::unique_ptr<AnalysisChannel<Orbit>> orbitChannel_;
    std::map<std::string, std::unique_ptr<AnalysisChannel<Plot>>> plotChannels_; // by kind/plot
    std::map<std::string, int> wanted_;                                          // how many want each
    std::map<std::string, std::string> asked_; // what each plot asked for last depends on, by kind/plot
    std::shared_ptr<std::atomic<long>> onThisThread_ = std::make_shared<std::atomic<long>>(0);

    QUndoStack undo_;
    std::shared_ptr<const Realised> gestureStart_;
    int gesture_ = 0; // number of the present gesture; 0 between gestures
    int gestures_ = 0;

    // What edits made and the window has not taken yet; `line_` counts what an edit does not continue (undo,
    // another session): what was made for an older one is dropped.
    std::mutex madeMutex_;
    std::vector<Made> made_;
    std::uint64_t line_ = 0;
    // Of the thread of the edits: what the last one made, and for which line.
    std::shared_ptr<const Realised> newest_;
    std::uint64_t newestLine_ = 0;
    std::unique_ptr<TaskLine> edits_;
};

} // namespace casimir
