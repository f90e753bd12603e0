// The command line: which commands there are and which options each takes, declared once in a table from
// which parsing, help and shell completion are made.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace casimir::cli {

struct Option {
    std::string name;  // "--t-end"
    std::string value; // what follows it ("T"); empty: a switch
    std::string help;
    bool repeatable = false;
    std::string shortName = {}; // "-o"
};

class Arguments;

struct Command {
    std::string name;
    std::string summary;
    std::string positional; // "SYSTEM", "[SYSTEM]", or empty
    std::vector<Option> options;
    std::string example; // the arguments after "casimir", and they work
    int (*run)(const Arguments&) = nullptr;
    bool openOptions = false; // takes the questions of its system as options too (`--energy E`)

    std::string help() const;
};

// What a person typed, checked against a command's table.
class Arguments {
public:
    // Throws Error: unknown option (with the nearest), a missing value, a switch given twice.
    Arguments(const Command& command, const std::vector<std::string>& words);

    const Command& command() const { return *command_; }
    const std::string& system() const { return system_; } // empty where none was given
    bool has(const std::string& option) const;
    std::optional<std::string> one(const std::string& option) const;
    std::vector<std::string> all(const std::string& option) const;
    std::optional<double> number(const std::string& option, std::string_view unit = {}) const; // throws Error
    // Options that the table does not know, where the command takes such.
    const std::vector<std::pair<std::string, std::string>>& open() const { return open_; }

private:
    const Command* command_;
    std::string system_;
    std::vector<std::pair<std::string, std::string>> given_, open_;
};

// Options that every command about a system shares.
std::vector<Option> sessionOptions();
std::vector<Option> outputOptions();
std::vector<Option> pictureOptions(); // of the commands that draw
std::vector<Option> joined(std::vector<Option> a, const std::vector<Option>& b);

} // namespace casimir::cli
