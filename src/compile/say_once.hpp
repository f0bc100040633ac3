// kiln/compile/say_once: what a user is told on standard error, and once however often it is met.
// in: a sentence   out: a line   knows nothing of: who says it
#pragma once

#include <string_view>

namespace kiln::compile {

/// Prints "kiln: <sentence>\n", escaped for a terminal, the first time that this process says it. Takes no lock: a child of
/// fork() may say things, too. Of more than some hundred different sentences the rest are not told apart, and not said.
void say_once(std::string_view sentence);

}  // namespace kiln::compile
