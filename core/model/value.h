// Values: what a person chose for the parameters of a system. A plain, ordered, comparable value; it knows
// nothing of ranges or meanings (parameter.h does).
#pragma once

#include <Eigen/Core>

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace casimir {

struct Record;
using RecordList = std::vector<Record>;

// A real number, an integer, a choice (its id), a vector, a matrix, or a list of records (bodies, tops).
using Value = std::variant<double, long, std::string, Eigen::VectorXd, Eigen::MatrixXd, RecordList>;

bool equal(const Value& a, const Value& b);

// An ordered set of named values. Elements inside have addresses: `bodies.3.mass`, `r0.1`, `inertia.0.2`,
// counted from 0.
struct Record {
    std::vector<std::pair<std::string, Value>> fields;

    const Value* find(std::string_view id) const;
    Value* find(std::string_view id);

    double real(std::string_view id) const;
    long integer(std::string_view id) const;
    const std::string& choice(std::string_view id) const;
    const Eigen::VectorXd& vector(std::string_view id) const;
    const Eigen::MatrixXd& matrix(std::string_view id) const;
    const RecordList& list(std::string_view id) const;

    // Adds the value or replaces the one that has the id.
    void set(std::string_view id, Value value);

    // The scalar or compound at an address; throws Error where there is none.
    Value at(std::string_view address) const;
    void setAt(std::string_view address, const Value& value);

    bool operator==(const Record& other) const;
};

using Values = Record;

// `bodies.3.mass` -> {"bodies", "3", "mass"}.
std::vector<std::string_view> splitAddress(std::string_view address);

} // namespace casimir
