/// A predicate's text and where in it each condition stands.
final class PredicateSource: Sendable {
  /// The places of one side of a condition, in bytes of the text's UTF-8.
  struct Place: Hashable, Sendable {
    /// Where it begins.
    var start: Int
    /// Where the steps of its path begin; empty where the path is one step that begins it.
    var steps: [Int] = []

    /// Where a step begins.
    func step(_ number: Int) -> Int {
      steps.indices ~= number ? steps[number] : start
    }
  }

  /// The places of one condition.
  struct Leaf: Hashable, Sendable {
    /// What it speaks of.
    var subject: Place
    /// What that is held against.
    var operand: Place

    /// The places of a condition whose sides are changed over.
    var mirrored: Leaf { Leaf(subject: operand, operand: subject) }
  }

  let text: String
  /// In the order in which the tree has its conditions, constants left out; those of a subquery follow the
  /// one that it stands in.
  let leaves: [Leaf]

  init(text: String, leaves: [Leaf]) {
    self.text = text
    self.leaves = leaves
  }
}
