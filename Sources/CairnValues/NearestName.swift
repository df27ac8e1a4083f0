/// Finds the name that a user probably meant.
package enum NearestName {
  /// The candidate with the fewest edits, ignoring case, or nil if none is similar.
  ///
  /// - Parameter edits: the most edits; nil allows more for longer names.
  package static func of(
    _ name: String, among candidates: [String], within edits: Int? = nil
  ) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars)
    guard wanted.count <= 100 else { return nil }
    let limit = edits ?? max(1, (wanted.count + 1) / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates where candidate.utf8.count <= 200 {
      let distance = Self.edits(wanted, b: Array(candidate.lowercased().unicodeScalars))
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// The number of letters to add, remove, replace or swap with their neighbour.
  static func edits(_ a: [Unicode.Scalar], b: [Unicode.Scalar]) -> Int {
    var previous: [Int] = []
    var current = Array(0...b.count)
    for (row, letter) in a.enumerated() {
      var next = [row + 1]
      for (column, other) in b.enumerated() {
        var cost = min(current[column + 1], next[column]) + 1
        cost = min(cost, current[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == b[column - 1], other == a[row - 1] {
          cost = min(cost, previous[column - 1] + 1)
        }
        next.append(cost)
      }
      previous = current
      current = next
    }
    return current[b.count]
  }
}
