// tests/support/changed_variable: an environment that differs for a while.
#pragma once

#include <cstdlib>
#include <string>

namespace tests {

/// Changes one variable of the environment while it lives; without a value it is unset.
class changed_variable {
public:
    changed_variable(const char* name, const char* value) : name_(name) {
        const char* const before = std::getenv(name);
        had_value_ = before != nullptr;
        if (before) before_ = before;
        set(value);
    }
    ~changed_variable() { set(had_value_ ? before_.c_str() : nullptr); }
    changed_variable(const changed_variable&) = delete;
    changed_variable& operator=(const changed_variable&) = delete;

private:
    void set(const char* value) const {
        if (value) setenv(name_, value, 1);
        else unsetenv(name_);
    }

    const char* name_;
    std::string before_;
    bool had_value_ = false;
};

}  // namespace tests
