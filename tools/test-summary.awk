# Shortens the output of `swift build` and `swift test`: progress, warnings, failures in full, and what was not tested.
# The arguments of a test may span several lines, so a line without a mark continues the record before it.

function record(line) {
  if (line ~ /^◇ Test [^ ]+ started\.$/) { running[$3]; return "" }
  if (line ~ /^(✔|✘) Test run with/) { summary = line; return "" }
  if (line ~ /^(✔|✘) Test .* (passed|failed) after/) {
    delete running[$3]
    if (++finished % 200 == 0) { printf "%d tests finished\n", finished; fflush() }
    return line ~ /^✘/ ? "failure" : ""
  }
  if (line ~ /^➜ Test .* skipped/) { skip(line); return "" }
  if (line ~ /^✘ Test .* recorded an issue/) {
    if (!($3 in named)) { printf "failed: %s\n", $3; fflush(); named[$3] }
    return "failure"
  }
  return ""
}

# Counts a skipped test by its reason, which begins each comment and ends at a semicolon.
function skip(line,   reason) {
  reason = "without a reason"
  if (match(line, /skipped: "[^";]*/)) reason = substr(line, RSTART + 10, RLENGTH - 10)
  if (!(reason in skipped)) reasons[++reasonCount] = reason
  skipped[reason]++
}

# A line such as "[57/68] Compiling CairnStorage BulkLoad.swift": a module appears once.
/^\[[0-9]+\/[0-9]+\] (Compiling|Linking) / {
  if (!($3 in compiled)) { compiled[$3]; printf "%s %s\n", $1, $3; fflush() }
  next
}

/^(◇|✔|✘|➜|↳)/ {
  started = 1
  if ($0 !~ /^↳/) kind = record($0)
  if (kind == "failure") failures[++count] = $0
  next
}
started && kind == "failure" { failures[++count] = $0; next }
/: warning: / { if (!($0 in warned)) { warned[$0]; print; fflush() } next }
/error:|Fatal error|fatalError|unexpected signal/ { print; fflush(); next }
!started && /^(Building|Build |Fetching)/ { print; fflush() }

END {
  if (count) {
    print "\nFailures:"
    for (i = 1; i <= count; i++) print failures[i]
  }
  for (i = 1; i <= reasonCount; i++)
    untested = untested (i > 1 ? "; " : "") reasons[i] " (" skipped[reasons[i]] ")"
  if (untested) printf "\nNot tested: %s. `make setup TESTS=all` installs what it can.\n", untested
  if (summary) print "\n" summary
  else if (started) {
    print "\nThe test process ended early. The tests that were running:"
    for (name in running) print "  " name
  }
}
