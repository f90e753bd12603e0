// Independent pieces of one computation spread over all cores, while the thread that asked reports and may
// call it off.
#pragma once

#include <atomic>
#include <functional>

namespace casimir {

// Runs task(i) for every i below `count`, in this order as cores become free; a task that takes long looks at
// `stop`. `report` is called on the calling thread, some times a second and not at the end, with the share of
// tasks done; answering false ends the whole. Returns whether every task ran. What a task throws is thrown
// here.
bool runOnAllCores(int count, const std::function<void(int i, const std::atomic<bool>& stop)>& task,
                   const std::function<bool(double done)>& report = {});

} // namespace casimir
