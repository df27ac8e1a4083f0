/// A condition on the objects of one class: what `filter` takes, and what the predicate language says.
public struct Predicate: Hashable, Sendable {
  package let root: Node

  package init(_ root: Node) {
    self.root = root
  }
}

extension Predicate: CustomStringConvertible {
  /// The condition in the predicate language; reading it back gives an equal predicate.
  public var description: String { PredicatePrinter.text(of: root) }
}

extension Predicate {
  /// The condition that every object meets.
  package static let `true` = Predicate(.constant(true))
}
