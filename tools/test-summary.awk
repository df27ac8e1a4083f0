# Shortens the output of `swift test`: progress, failures in full, and the skipped tests by name.
# The arguments of a test may span several lines, so a line without a mark continues the record
# before it.

function record(line) {
  if (line ~ /^◇ Test [^ ]+ started\.$/) { running[$3]; return "" }
  if (line ~ /^(✔|✘) Test run with/) { summary = line; return "" }
  if (line ~ /^(✔|✘) Test .* (passed|failed) after/) {
    delete running[$3]
    if (++finished % 200 == 0) { printf "%d tests finished\n", finished; fflush() }
    return line ~ /^✘/ ? "failure" : ""
  }
  if (line ~ /^➜ Test .* skipped/) {
    sub(/^➜ Test /, "", line)
    skipped[++skips] = line
    return ""
  }
  if (line ~ /^✘ Test .* recorded an issue/) {
    if (!($3 in named)) { printf "failed: %s\n", $3; fflush(); named[$3] }
    return "failure"
  }
  return ""
}

/^(◇|✔|✘|➜|↳)/ {
  started = 1
  if ($0 !~ /^↳/) kind = record($0)
  if (kind == "failure") failures[++count] = $0
  next
}
started && kind == "failure" { failures[++count] = $0; next }
/error:|Fatal error|fatalError|unexpected signal/ { print; fflush(); next }
!started && /^(Building|Build |Fetching)/ { print; fflush() }

END {
  if (count) {
    print "\nFailures:"
    for (i = 1; i <= count; i++) print failures[i]
  }
  if (skips) {
    printf "\nSkipped tests: %d\n", skips
    for (i = 1; i <= skips; i++) print "  " skipped[i]
  }
  if (summary) print "\n" summary
  else if (started) {
    print "\nThe test process ended early. The tests that were running:"
    for (name in running) print "  " name
  }
}
