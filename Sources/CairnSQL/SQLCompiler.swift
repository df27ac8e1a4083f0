import CairnGeometry
import CairnQuery
import CairnStorage
import CairnValues

/// Compiles conditions on the rows of a table to SQL.
///
/// In all conditions of the compiler, null means false: a comparison with a null column is null,
/// so it selects no row, and a negation asks whether its condition is not true.
public struct SQLCompiler: Sendable {
  /// The table that conditions are about.
  public let table: SQLTable
  /// The dialect of the SQL.
  public let dialect: SQLDialect
  /// How conditions are compiled that the engine does not decide as Cairn does.
  public let style: SQLStyle

  /// Creates a compiler for a table.
  public init(_ table: SQLTable, dialect: SQLDialect, style: SQLStyle = .exact) {
    self.table = table
    self.dialect = dialect
    self.style = style
  }

  /// Compiles a predicate.
  ///
  /// - Throws: `PredicateError` if the predicate does not fit the columns, ``SQLError`` if it needs a
  ///   property that the table does not have.
  public func condition(_ predicate: Predicate) throws -> SQLCondition {
    try condition(try predicate.bound(to: table.classSchema))
  }

  /// Compiles a predicate that is bound to a class with the properties of the table.
  ///
  /// - Throws: ``SQLError`` if the predicate needs a property that the table does not have.
  package func condition(_ predicate: BoundPredicate) throws(SQLError) -> SQLCondition {
    try condition(predicate.root)
  }

  func condition(_ node: BoundNode) throws(SQLError) -> SQLCondition {
    switch node {
    case .constant(let value): return .constant(value)
    case .and(let parts): return .all(try conditions(parts))
    case .or(let parts): return .any(try conditions(parts))
    case .not(let part): return try condition(part).negated
    case .values(let expression, let condition):
      return values(try operand(expression), condition)
    case .pair(let left, let condition, let right):
      return pair(try operand(left), condition, try operand(right))
    case .collection(let path, _, _):
      _ = try column(path.written)
      return .undecided("a list or a map is compared here")
    case .spatial(let path, let condition, let shape):
      return try spatial(path.written, condition, shape: shape)
    case .spatialPair(let path, _, let other, _):
      _ = (try column(path.written), try column(other.written))
      return .undecided("'\(path.written)' is compared with another property here")
    }
  }

  private func conditions(_ nodes: [BoundNode]) throws(SQLError) -> [SQLCondition] {
    var conditions: [SQLCondition] = []
    for node in nodes { conditions.append(try condition(node)) }
    return conditions
  }
}

/// The part of a row that a condition compares.
enum SQLOperand {
  /// The value of a column.
  case column(SQLColumn)
  /// The length of a text or of data.
  case length(SQLColumn)
  /// A value that the engine cannot compute, with the reason.
  case undecided(String)
}

extension SQLCompiler {
  /// Looks up the columns of an expression.
  ///
  /// - Throws: ``SQLError`` if the first property of the path is not a column of the table.
  func operand(_ expression: BoundExpression) throws(SQLError) -> SQLOperand {
    let path = expression.path.written
    guard let column = try column(path) else { return .undecided(behind(path)) }
    switch expression {
    case .path: return .column(column)
    case .length: return .length(column)
    case .count, .aggregate: return .undecided(behind(path))
    }
  }

  /// Returns the column of a path of one property; nil for a path through a column.
  func column(_ path: PropertyPath) throws(SQLError) -> SQLColumn? {
    let name =
      if case .property(let name)? = path.components.first { name } else { "\(path)" }
    guard let column = table.column(named: name) else {
      throw SQLError("table '\(table.name)' has no column for property '\(name)'")
    }
    return path.name == nil || column.type == .other ? nil : column
  }

  func behind(_ path: PropertyPath) -> String {
    "'\(path)' is more than the value of a column"
  }
}
