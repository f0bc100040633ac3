// tests/support/noted: doctest's INFO and CAPTURE with two functions of their own each, where doctest's have six and a table of virtual
// ones: in templates over all types they were a fifteenth of what was compiled of kiln_test.
#pragma once

#include <doctest/doctest.h>

#include <ostream>

namespace tests {

class noted final : public doctest::detail::ContextScopeBase {
public:
    using said_by = void (*)(const void* what, doctest::detail::MessageBuilder& into);

    noted(const char* file, int line, const void* what, said_by say)
        : file_(file), line_(line), what_(what), say_(say) {}
    ~noted() override { destroy(); }

    void stringify(std::ostream* into) const override {
        doctest::detail::MessageBuilder message(file_, line_, doctest::assertType::is_warn);
        message.m_stream = into;
        say_(what_, message);
    }

private:
    const char* file_;
    int line_;
    const void* what_;
    said_by say_;
};

template <class What>
void say_noted(const void* what, doctest::detail::MessageBuilder& into) {
    (*static_cast<const What*>(what))(into);
}

}  // namespace tests

#define KILN_NOTED(what, scope, ...)                                                       \
    const auto what = [&](doctest::detail::MessageBuilder& into_) { into_* __VA_ARGS__; }; \
    const ::tests::noted scope(__FILE__, __LINE__, &what, ::tests::say_noted<decltype(what)>)

#undef DOCTEST_INFO
#define DOCTEST_INFO(...) KILN_NOTED(DOCTEST_ANONYMOUS(NOTED_WHAT_), DOCTEST_ANONYMOUS(NOTED_), __VA_ARGS__)
