// W2 by XPPAUT without its window: the level curves of the portrait as one range of integrations.
#pragma once

#include "tests/bench/peer_process.h"
#include "tests/bench/two_body_work.h"

namespace casimir::bench {

class XppautPortrait {
public:
    static bool installed();
    explicit XppautPortrait(std::vector<Arc> arcs); // all with equally many samples

    void run() const;      // the whole process
    Curves curves() const; // of the last run, in the single precision that it writes

private:
    std::vector<Arc> arcs_;
    std::vector<std::string> outputs_; // a file for each
    ScratchFolder folder_;
};

} // namespace casimir::bench
