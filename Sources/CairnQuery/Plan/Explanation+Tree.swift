extension Explanation {
  /// The plan as a tree, the rows' way from the bottom up, and what the run took.
  package var description: String {
    var lines = [query]
    for (depth, level) in levels.enumerated() {
      let indent = String(repeating: "   ", count: depth)
      lines.append(indent + "└─ " + level.what)
      for note in level.notes { lines.append(indent + "      " + note) }
    }
    return (lines + figures).joined(separator: "\n")
  }

  private struct Level {
    let what: String
    var notes: [String] = []
  }

  /// From what is done last to what is done first.
  private var levels: [Level] {
    var levels = steps.reversed().map { Level(what: $0) }
    if !residual.isEmpty {
      levels.append(
        Level(
          what: "keep those where \(residual[0])", notes: residual.dropFirst().map { "and \($0)" }))
    }
    levels.append(Level(what: access))
    return levels
  }

  private var figures: [String] {
    var lines = ["candidates  \(candidates)"]
    if let exactTests { lines.append("exact tests \(exactTests)") }
    lines.append("matches     \(matches)")
    lines.append("chunks      \(chunksVisited) read, \(chunksSkipped) skipped")
    lines.append("time        \(Explanation.time(seconds))")
    return lines
  }
}
