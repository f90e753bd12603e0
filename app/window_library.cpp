#include "app/window_library.h"

#include <dlfcn.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

namespace casimir {

namespace {

using Entry = int (*)(int, char**);

// Beside the program in a build tree, below lib/ in an installation.
Entry findEntry(std::string& complaint)
{
    std::error_code error;
    const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    for (const char* place : {"libcasimir_ui.so", "../lib/casimir/libcasimir_ui.so"}) {
        const auto path = folder / place;
        if (!std::filesystem::exists(path, error))
            continue;
        void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            complaint = dlerror();
            return nullptr;
        }
        return reinterpret_cast<Entry>(dlsym(library, "casimirWindowMain"));
    }
    complaint = "the window is not installed (libcasimir_ui.so was not found); the command line works: casimir --help";
    return nullptr;
}

} // namespace

int runWindow(int argc, char** argv)
{
    std::string complaint;
    const Entry entry = findEntry(complaint);
    if (!entry) {
        std::fputs(("casimir: " + complaint + "\n").c_str(), stderr);
        return 1;
    }
    return entry(argc, argv);
}

} // namespace casimir
