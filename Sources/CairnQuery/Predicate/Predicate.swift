/// A condition on the objects of one class: what `filter` takes, and what the predicate language says.
public struct Predicate: Sendable {
  /// The tree.
  package let root: Node
  /// Where the conditions stand in the text that the predicate was read from.
  let source: PredicateSource?

  /// The condition of a tree.
  package init(_ root: Node) {
    self.init(root, source: nil)
  }

  init(_ root: Node, source: PredicateSource?) {
    self.root = root
    self.source = source
  }

  /// Reads a condition from text in the predicate language.
  package init(
    parsing text: String, arguments: [PredicateArgument] = []
  ) throws(PredicateError) {
    var parser = try Parser(text, arguments)
    let root = try parser.parse()
    self.init(root, source: PredicateSource(text: text, leaves: parser.leaves))
  }

  /// The condition that every object meets.
  package static let `true` = Predicate(.constant(true))
}

/// By the condition alone; the text that it came from does not count.
extension Predicate: Hashable {
  /// Whether the conditions are the same.
  public static func == (a: Predicate, b: Predicate) -> Bool { a.root == b.root }

  /// The same for equal conditions.
  public func hash(into hasher: inout Hasher) { hasher.combine(root) }
}

extension Predicate: CustomStringConvertible {
  /// The condition in the predicate language; reading it back gives an equal predicate.
  public var description: String { PredicatePrinter.text(of: root) }
}
