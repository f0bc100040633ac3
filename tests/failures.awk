# Of a LastTest.log of CTest's: each failed test with the assertions that failed, at most 40 lines of them, and its last
# lines. What failed may lie thousands of lines before the end of what ctest prints.
#     awk -f tests/failures.awk build/release/Testing/Temporary/LastTest.log

function keep(line) {
    if (length(line) > 300) line = substr(line, 1, 300) "..."
    if (++errors <= 40) error[errors] = line
}

function print_test(   i) {
    printf "--- %s failed%s\n", name, errors ? ":" : "; its last lines:"
    for (i = 1; i <= errors && i <= 40; ++i) print error[i]
    if (errors > 40) printf "... and %d lines more\n", errors - 40
    if (errors) print "--- its last lines:"
    # Of a program that says why by itself there is more to see.
    for (i = lines - (errors ? 9 : 19); i <= lines; ++i)
        if (i > 0) print substr(last[i % 20], 1, 300)
}

!in_output && /^[0-9]+\/[0-9]+ Test: / {
    name = substr($0, index($0, " Test: ") + 7)
    errors = lines = reports = in_title = 0
    title = ""
}
!in_output && /^Test Fail/ { print_test() }  # "Test Failed.", "Test Fail Reason:"; crashes and timeouts, too
!in_output && /^Output:$/ { in_output = 1; next }
!in_output { next }
!lines && /^-+$/ { next }

/^<end of output>$/ { in_output = 0; next }
{ last[++lines % 20] = $0 }

# doctest's: a line of ===, then where the test case is, its name and its subcases, an empty line, and what it has to say.
/^==========.*==========$/ { in_title = 1; reports = 0; title = ""; next }
in_title && /^$/ { in_title = 0; next }
in_title { title = title (title == "" ? "" : "\n") $0; next }
/: (FATAL )?ERROR: / {
    if (title != "") { parts = split(title, part, "\n"); for (i = 1; i <= parts; ++i) keep(part[i]); title = "" }
    reports = 1
}
reports && /^$/ { reports = 0 }
reports { keep($0) }
