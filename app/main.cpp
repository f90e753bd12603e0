// casimir: the window, or a subcommand.
#include "app/cli/commands.h"
#include "app/window_library.h"
#include "core/session/session_json.h"

#include <string>
#include <vector>

int main(int argc, char** argv)
{
    const std::vector<std::string> words(argv + 1, argv + argc);
    const bool isSession = words.size() == 1 && casimir::isSessionFile(words[0]);
    if (words.empty() || isSession)
        return casimir::runWindow(argc, argv);
    return casimir::cli::runCommandLine(words);
}
