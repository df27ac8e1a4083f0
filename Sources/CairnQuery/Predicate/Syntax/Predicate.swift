import CairnGeometry
import CairnValues

/// A condition on the objects of one class: the argument of `filter`, printable in the predicate
/// language.
public struct Predicate: Sendable {
  /// The root of the predicate tree.
  package let root: PredicateNode
  /// The offsets of the conditions in the text that the predicate was parsed from.
  let source: PredicateSource?
  /// The formulas that conditions compare, by which name the class must have computed columns.
  package private(set) var formulas: [String] = []

  /// Creates a predicate from a tree.
  package init(_ root: PredicateNode) {
    self.init(root, source: nil)
  }

  init(_ root: PredicateNode, source: PredicateSource?) {
    self.root = root
    self.source = source
  }

  /// Parses a predicate in the predicate language.
  ///
  /// - Parameter takesFormulas: Whether formulas may be compared, as in `population / area > 100`.
  package init(
    parsing text: String, arguments: [PredicateArgument] = [], takesFormulas: Bool = false
  ) throws(PredicateError) {
    var parser = try Parser(text, arguments: arguments)
    if takesFormulas { parser.formulas = [] }
    let root = try parser.parse()
    self.init(root, source: PredicateSource(text: text, positions: parser.positions))
    formulas = parser.formulas ?? []
  }

  /// The predicate that every object meets.
  package static let `true` = Predicate(.constant(true))
}

/// Equality ignores the text that the predicate was parsed from.
extension Predicate: Hashable {
  /// Whether the conditions are the same.
  public static func == (a: Predicate, b: Predicate) -> Bool { a.root == b.root }

  /// Hashes the condition.
  public func hash(into hasher: inout Hasher) { hasher.combine(root) }
}

extension Predicate: CustomStringConvertible {
  /// The condition in the predicate language. Parsing it again results in an equal predicate.
  public var description: String { PredicatePrinter.text(of: root) }
}

extension Predicate {
  /// Replaces names of properties in the predicate.
  ///
  /// - Parameter expansion: Returns the properties that a name expands to, in path order; nil if
  ///   the name is unchanged.
  package func expandingProperties(_ expansion: (String) -> [String]?) -> Predicate {
    Predicate(root.expandingProperties(expansion), source: source)
  }
}

extension PredicateNode {
  fileprivate func expandingProperties(_ expansion: (String) -> [String]?) -> PredicateNode {
    switch self {
    case .constant: self
    case .and(let parts): .and(parts.map { $0.expandingProperties(expansion) })
    case .or(let parts): .or(parts.map { $0.expandingProperties(expansion) })
    case .not(let part): .not(part.expandingProperties(expansion))
    case .compare(let expression, let operation, let operand, let options):
      .compare(
        expression.expandingProperties(expansion), operation,
        operand.expandingProperties(expansion), options)
    case .between(let expression, let lower, let upper):
      .between(expression.expandingProperties(expansion), lower, upper)
    case .isIn(let expression, let values, let options):
      .isIn(expression.expandingProperties(expansion), values, options)
    case .match(let expression, let operation, let operand, let options):
      .match(
        expression.expandingProperties(expansion), operation,
        operand.expandingProperties(expansion), options)
    case .relation(let path, let relation, let operand):
      .relation(
        path.expandingProperties(expansion), relation, operand.expandingProperties(expansion))
    case .distance(let path, let comparison, let operand, let distance):
      .distance(
        path.expandingProperties(expansion), comparison, operand.expandingProperties(expansion),
        distance)
    }
  }
}

extension Expression {
  /// The condition of a subquery applies to the elements of a collection, so it is unchanged.
  fileprivate func expandingProperties(_ expansion: (String) -> [String]?) -> Expression {
    switch self {
    case .path(let path): .path(path.expandingProperties(expansion))
    case .aggregate(let function, let path, let below):
      .aggregate(function, path.expandingProperties(expansion), of: below)
    case .count(let path, let condition):
      .count(path.expandingProperties(expansion), where: condition)
    }
  }
}

extension Operand {
  fileprivate func expandingProperties(_ expansion: (String) -> [String]?) -> Operand {
    switch self {
    case .value, .collection: self
    case .expression(let expression): .expression(expression.expandingProperties(expansion))
    }
  }
}

extension SpatialOperand {
  fileprivate func expandingProperties(_ expansion: (String) -> [String]?) -> SpatialOperand {
    switch self {
    case .shape: self
    case .property(let path, let edges):
      .property(path.expandingProperties(expansion), edges: edges)
    }
  }
}

extension PropertyPath {
  /// The same path, with its first step expanded to several.
  package func expandingProperties(_ expansion: (String) -> [String]?) -> PropertyPath {
    guard case .property(let name) = components.first, let steps = expansion(name) else {
      return self
    }
    return PropertyPath(
      quantifier, components: steps.map { .property($0) } + components.dropFirst())
  }
}

/// The argument of a `%@`, `%K`, `%d` or `$0`.
package enum PredicateArgument: Hashable, Sendable {
  /// A constant, which may be an object (`.link`). For `%K` it is the path of a property, as text.
  case value(Value)
  /// The constants of an `IN`, or the two of a `BETWEEN`.
  case list([Value])
  /// The ends of a range, for `IN` and `BETWEEN`. A half-open range excludes its upper end.
  case range(Value, Value, isClosed: Bool)
  /// The shape of a `GEOWITHIN` or another spatial condition.
  case shape(Shape)
}
