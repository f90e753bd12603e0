// How much memory the process has in the machine, as the kernel counts it.
#pragma once

#include <unistd.h>

#include <fstream>

namespace casimir::bench {

inline double residentMegabytes()
{
    long whole = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> whole >> resident;
    return 1e-6 * static_cast<double>(resident * sysconf(_SC_PAGESIZE));
}

} // namespace casimir::bench
