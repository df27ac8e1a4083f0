import CairnGeometry
import CairnQuery
import CairnRequest
import CairnSQL
import CairnStorage
import CairnValues

/// The pairs of a join as a statement for another engine, which has tables with the columns of the
/// classes.
struct JoinStatement {
  private let query: JoinQuery
  private let sides: JoinSides
  private let dialect: SQLDialect
  private let join: SQLJoin

  init(_ query: JoinQuery, of sides: JoinSides, dialect: SQLDialect, style: SQLStyle) {
    self.query = query
    self.sides = sides
    self.dialect = dialect
    join = SQLJoin(
      SQLTable(sides.left.source.schema), as: sides.left.name,
      SQLTable(sides.right.source.schema), as: sides.right.name, dialect: dialect,
      style: style)
  }

  /// Prints the statement below its remarks.
  ///
  /// - Parameter columns: The values of `--select`; none for all columns of both classes.
  /// - Throws: A failure for a join that is not compiled, or `SQLError`.
  func write(columns: [String]) throws {
    guard sides.left.name != sides.right.name else {
      throw Failure(
        .usage, message: "a class joined with itself needs two names, as in --as a,b")
    }
    var comparisons = SQLCondition.everyRow
    for (index, comparison) in query.comparisons.enumerated() {
      guard index == 0 else {
        throw Failure(.usage, message: "a statement compares one column of each class, not several")
      }
      comparisons = try join.comparison(
        name(comparison.left, of: .left), comparison.comparison,
        name(comparison.right, of: .right))
    }
    let select = try join.select(
      condition(), join.left.condition(query.left.predicate),
      join.right.condition(query.right.predicate), comparisons, columns: names(columns))
    try OutputTarget.print(SQLRemarks(select).text + select.fragment.text(dialect) + ";\n")
  }

  private func condition() throws -> SQLCondition {
    guard case .equal(let equalities) = query.condition else { return try relation() }
    return try join.equalities(
      equalities.map { (try name($0.left, of: .left), try name($0.right, of: .right)) })
  }

  private func relation() throws -> SQLCondition {
    let (relation, edges): (SQLJoin.Relation, _) =
      switch query.condition {
      case .relation(.within, let edges): (.within, edges)
      case .relation(.intersects, let edges): (.intersects, edges)
      case .relation(.contains, let edges): (.contains, edges)
      case .relation(.touches, let edges): (.touches, edges)
      case .relation(.crosses, let edges): (.crosses, edges)
      case .relation(.overlaps, let edges): (.overlaps, edges)
      case .relation(.equals, let edges): (.equals, edges)
      case .distance(let distance, let edges): (.distance(distance), edges)
      case .relation, .nearest, .equal:
        throw Failure(
          .usage, message: "the nearest rows of each row have no statement; join them here")
      }
    guard let left = query.left.path, let right = query.right.path else { return .everyRow }
    return try join.condition(
      relation, name(left, of: .left), name(right, of: .right), edges: edges)
  }

  /// The name of a property of the class itself.
  private func name(_ path: PropertyPath, of side: JoinQuery.Side) throws -> String {
    guard case .property(let name)? = path.components.first, path.components.count == 1 else {
      throw Failure(
        .usage,
        message: "'\(sides[side].name).\(path)' is behind a link, which a table does not have")
    }
    return name
  }

  /// The columns of the statement; nil for all.
  private func names(_ lists: [String]) throws -> [String]? {
    let names = try ColumnList.items(
      lists, resolve: column, unknown: { sides.unknown($0, option: "--select") })
    return names.isEmpty ? nil : names
  }

  private func column(_ text: String) -> String? {
    guard let name = sides.name(text),
      sides[name.side].source.schema.column(named: name.rest) != nil
    else { return nil }
    return text
  }
}
