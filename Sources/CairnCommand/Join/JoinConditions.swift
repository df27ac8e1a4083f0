import CairnQuery

/// The condition of a join, taken apart: what one class must meet goes to its input, and
/// comparisons of one property of each class are made for each pair.
struct JoinConditions {
  private var leftParts: [PredicateNode] = []
  private var rightParts: [PredicateNode] = []
  private(set) var comparisons: [JoinQuery.Comparison] = []

  /// The condition on the left class.
  var left: Predicate { Predicate(.all(leftParts)) }
  /// The condition on the right class.
  var right: Predicate { Predicate(.all(rightParts)) }

  init() {}

  /// - Throws: A failure if a part of the condition relates the classes in any other way.
  init(_ text: String, of sides: JoinSides) throws {
    let predicate = try Predicate(parsing: text)
    if let note = PredicateAdvice.note(on: predicate) { Console.printMessage(note) }
    let parts = if case .and(let parts) = predicate.root { parts } else { [predicate.root] }
    for part in parts { try add(part, of: sides) }
  }

  /// The columns of `--on` that are equal.
  ///
  /// - Throws: A failure if the condition has any other part.
  static func equalities(_ text: String, of sides: JoinSides) throws -> [JoinQuery.Equality] {
    let conditions = try JoinConditions(text, of: sides)
    let parts = conditions.leftParts + conditions.rightParts
    guard parts.isEmpty, conditions.comparisons.allSatisfy({ $0.comparison == .equal }) else {
      throw Failure(
        .usage,
        message:
          "--on takes a relation, or a column of each class that are equal, joined by AND, as in "
          + "\(sides.left.name).code == \(sides.right.name).code; the condition after the classes takes "
          + "others")
    }
    return conditions.comparisons.map { JoinQuery.Equality($0.left, $0.right) }
  }

  private mutating func add(_ node: PredicateNode, of sides: JoinSides) throws {
    let found = try Set(node.paths.map { try Self.side(of: $0, sides: sides) })
    switch (found.contains(.left), found.contains(.right)) {
    case (_, false): leftParts.append(Self.inside(node, of: sides.left.name))
    case (false, true): rightParts.append(Self.inside(node, of: sides.right.name))
    case (true, true): comparisons.append(try Self.comparison(node, sides: sides))
    }
  }

  /// The class that a path begins with.
  private static func side(of path: PropertyPath, sides: JoinSides) throws -> JoinQuery.Side {
    guard case .property(let name)? = path.components.first else { return .left }
    for side in [JoinQuery.Side.left, .right] where sides[side].name == name {
      guard path.components.count > 1 else {
        throw Failure(
          .usage, message: "'\(name)' is a class; name one of its properties, as in \(name).name")
      }
      return side
    }
    throw Failure(.usage, message: sides.unnamed("\(path.with(.one))"))
  }

  /// A condition on one class, without the name before its properties.
  private static func inside(_ node: PredicateNode, of name: String) -> PredicateNode {
    Predicate(node).expandingProperties { $0 == name ? [] : nil }.root
  }

  private static func comparison(
    _ node: PredicateNode, sides: JoinSides
  ) throws -> JoinQuery.Comparison {
    guard case .compare(.path(let path), let comparison, .expression(.path(let other)), []) = node
    else {
      throw Failure(
        .usage,
        message: "'\(Predicate(node))' relates both classes; a join can compare one property of "
          + "each with == != < <= > >=, joined by AND, and other conditions are about one class")
    }
    let (own, second) = (path.tail, other.tail)
    return try side(of: path, sides: sides) == .left
      ? JoinQuery.Comparison(own, comparison, second)
      : JoinQuery.Comparison(second, comparison.mirrored, own)
  }
}

extension PropertyPath {
  /// The path without its first step.
  fileprivate var tail: PropertyPath {
    PropertyPath(quantifier, components: Array(components.dropFirst()))
  }
}

extension PredicateNode {
  /// The paths that begin at an object of the condition itself.
  fileprivate var paths: [PropertyPath] {
    switch self {
    case .constant: []
    case .and(let parts), .or(let parts): parts.flatMap(\.paths)
    case .not(let part): part.paths
    case .compare(let expression, _, let operand, _), .match(let expression, _, let operand, _):
      [expression.ownPath] + operand.paths
    case .between(let expression, _, _), .isIn(let expression, _, _): [expression.ownPath]
    case .relation(let path, _, let operand), .distance(let path, _, let operand, _):
      [path] + operand.paths
    }
  }
}

extension Expression {
  fileprivate var ownPath: PropertyPath {
    switch self {
    case .path(let path), .aggregate(_, let path, _), .count(let path, _): path
    }
  }
}

extension Operand {
  fileprivate var paths: [PropertyPath] {
    if case .expression(let expression) = self { [expression.ownPath] } else { [] }
  }
}

extension SpatialOperand {
  fileprivate var paths: [PropertyPath] {
    if case .property(let path, _) = self { [path] } else { [] }
  }
}
