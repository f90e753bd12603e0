#include "app/window_library.h"

#include "core/base/error.h"

#include <dlfcn.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

namespace casimir {

namespace {

// Beside the program in a build tree, below lib/ in an installation. Throws Error where it is not.
template <class Entry>
Entry findEntry(const char* name)
{
    std::error_code error;
    const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    for (const char* place : {"libcasimir_ui.so", "../lib/casimir/libcasimir_ui.so"}) {
        const auto path = folder / place;
        if (!std::filesystem::exists(path, error))
            continue;
        void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library)
            throw Error(dlerror());
        if (void* symbol = dlsym(library, name))
            return reinterpret_cast<Entry>(symbol);
        throw Error(path.string() + " is of another version than the program");
    }
    throw Error("the window and its pictures are not installed (libcasimir_ui.so was not found); casimir "
                "--help tells what works");
}

} // namespace

int runWindow(int argc, char** argv)
{
    try {
        return findEntry<int (*)(int, char**)>("casimirWindowMain")(argc, argv);
    } catch (const Error& error) {
        std::fputs((std::string("casimir: ") + error.what() + "\n").c_str(), stderr);
        return 1;
    }
}

bool performExport(const CasimirExport& wish)
{
    char complaint[1024] = "";
    const auto entry = findEntry<int (*)(const CasimirExport*, char*, int)>("casimirExport");
    const int outcome = entry(&wish, complaint, sizeof complaint);
    if (outcome == 1)
        throw Error(complaint);
    return outcome == 0;
}

} // namespace casimir
