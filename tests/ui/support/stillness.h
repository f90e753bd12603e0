// To wait for what is seen in place of waiting for a while: until nothing is refreshed or drawn any more. Where a test
// says that nothing happens, what must not happen has a few turns of the event loop to do so.
#pragma once

#include "ui/views/view3d.h"

#include <QTest>

#include <functional>

namespace casimir::test {

// True once `count` stays the same while the event loop turns and timers run; false if it never does.
inline bool untilStill(const std::function<int()>& count)
{
    constexpr int turns = 6; // of ten milliseconds or more, as QTest::qWaitFor polls: three times what a view gathers for
    int seen = count(), calm = 0;
    return QTest::qWaitFor(
        [&] {
            const int now = count();
            calm = now == seen ? calm + 1 : 0;
            seen = now;
            return calm >= turns;
        },
        20000);
}

// Until the view has shown what was asked of it.
inline bool untilStill(const View& view)
{
    const auto* space = dynamic_cast<const View3d*>(&view);
    return untilStill([&view, space] {
        return view.refreshes() + view.rebuilds() + (space ? space->canvas().frames() : 0);
    });
}

} // namespace casimir::test
