import CairnGeometry
import CairnQuery
import CairnStorage
import CairnValues

/// A join of two tables as SQL: the pairs of rows that meet conditions on both.
///
///     let join = SQLJoin(cities, as: "city", countries, as: "country", dialect: .postgis)
///     let isIn = try join.condition(.within, "location", "area")
///     let pairs = try join.select(isIn, columns: ["city.name", "country.name"])
///     // SELECT "city"."name" AS "city.name", … FROM "cities" AS "city", "countries" AS "country" …
///
/// As for one table, a condition has two bounds. Engines round where a location is close to a
/// boundary, and measure with other spheres, so most conditions on places are supersets, of which
/// the caller decides the pairs again with Cairn's join.
public struct SQLJoin: Sendable {
  /// A relation of the left location or geometry to the right one.
  public enum Relation: Hashable, Sendable {
    /// No point of the left one lies outside of the right one.
    case within
    /// The two have a point in common.
    case intersects
    /// No point of the right one lies outside of the left one.
    case contains
    /// The two have a point in common, but their interiors have none.
    case touches
    /// The interiors meet, and a part of the one of lower dimension lies outside of the other; two
    /// lines cross in nothing but points.
    case crosses
    /// The two have the same dimension, in which their interiors meet, and neither lies in the other.
    case overlaps
    /// No point of either lies outside of the other.
    case equals
    /// The two are at most this far apart.
    case distance(Distance)
  }

  /// The left table, for conditions on its rows alone.
  public let left: SQLCompiler
  /// The right table, for conditions on its rows alone.
  public let right: SQLCompiler
  private let leftSide: SQLJoinSide
  private let rightSide: SQLJoinSide
  private let dialect: SQLDialect
  private let style: SQLStyle

  /// Creates a join.
  ///
  /// - Parameters:
  ///   - left: The left table.
  ///   - leftName: Its name in the statement, and before the names of its columns.
  ///   - right: The right table, which may be the same.
  ///   - rightName: Its name in the statement, which differs from that of the left one.
  ///   - dialect: The dialect of the SQL.
  ///   - style: How conditions are compiled that the engine does not decide as Cairn does.
  public init(
    _ left: SQLTable, as leftName: String, _ right: SQLTable, as rightName: String,
    dialect: SQLDialect, style: SQLStyle = .exact
  ) {
    leftSide = SQLJoinSide(left, name: leftName)
    rightSide = SQLJoinSide(right, name: rightName)
    self.left = SQLCompiler(leftSide.table, dialect: dialect, style: style)
    self.right = SQLCompiler(rightSide.table, dialect: dialect, style: style)
    self.dialect = dialect
    self.style = style
  }

  /// Compiles a relation of a location or geometry of each table.
  ///
  /// - Parameters:
  ///   - relation: The relation of the left one to the right one.
  ///   - leftProperty: The property of the left table.
  ///   - rightProperty: The property of the right table.
  ///   - edges: The edges of lines and areas. Nil for Cairn's own rule: relations are those of planar
  ///     edges, and distances those of geodesic ones. With planar edges, distances are in degrees.
  ///     `touches`, `crosses`, `overlaps` and `equals` are always those of planar edges.
  /// - Throws: ``SQLError`` if a property does not exist, or is neither a location nor a geometry.
  public func condition(
    _ relation: Relation, _ leftProperty: String, _ rightProperty: String,
    edges: GeoPolygon.Edges? = nil
  ) throws(SQLError) -> SQLCondition {
    let one = try place(leftProperty, of: left)
    let other = try place(rightProperty, of: right)
    guard let one, let other else {
      let column = try (one == nil ? left : right)
        .column(named: one == nil ? leftProperty : rightProperty)
      return .undecided(left.otherSystem(column))
    }
    let pair = SQLPlacePair(one: one, other: other, dialect: dialect)
    let bounds = bounds(relation, of: pair, edges: edges)
    guard style == .idiomatic, !bounds.isExact else { return bounds }
    if let idiom = idiom(relation, of: pair, edges: edges) { return idiom }
    guard !dialect.hasOnlyGeographies else {
      throw SQLError("\(dialect) has no function for the relation '\(relation)' of \(pair.names)")
    }
    return bounds
  }

  private func idiom(
    _ relation: Relation, of pair: SQLPlacePair, edges: GeoPolygon.Edges?
  ) -> SQLCondition? {
    guard case .distance(let distance) = relation else {
      return pair.idiom(relation, isGeodesic: edges == .geodesic)
    }
    return edges == .planar
      ? pair.isNearIdiom(degrees: distance.radians * 180 / .pi)
      : pair.isNearIdiom(radians: distance.radians)
  }

  private func bounds(
    _ relation: Relation, of pair: SQLPlacePair, edges: GeoPolygon.Edges?
  ) -> SQLCondition {
    if dialect.hasOnlyGeographies {
      return .undecided("\(pair.names) are compared here, because \(dialect) has no planar edges")
    }
    switch relation {
    case .distance(let distance):
      return edges == .planar
        ? pair.isNear(degrees: distance.radians * 180 / .pi)
        : pair.isNear(radians: distance.radians)
    case .within, .intersects, .contains:
      return edges == .geodesic ? pair.meets() : pair.holds(relation)
    case .touches, .crosses, .overlaps, .equals: return pair.holds(relation)
    }
  }

  /// Compiles that properties of each table have equal values, which no null has.
  ///
  /// An engine converts numbers of different types to double precision, so that their equality is a
  /// superset.
  ///
  /// - Throws: ``SQLError`` if a property does not exist, or if the types cannot be equal.
  package func equalities(
    _ properties: [(left: String, right: String)]
  ) throws(SQLError) -> SQLCondition {
    .all(try properties.map { (pair) throws(SQLError) in try equality(pair.left, pair.right) })
  }

  private func equality(
    _ leftProperty: String, _ rightProperty: String
  ) throws(SQLError) -> SQLCondition {
    let one = try left.column(named: leftProperty)
    let other = try right.column(named: rightProperty)
    let areEqual: SQLFragment = "\(one.expression) = \(other.expression)"
    if one.type.compares(with: other.type) { return SQLCondition(areEqual) }
    guard one.type.isNumeric, other.type.isNumeric else {
      throw SQLError("'\(leftProperty)' and '\(rightProperty)' have no types that SQL compares")
    }
    return SQLCondition(
      possible: areEqual, certain: .false,
      undecided: [
        "'\(leftProperty)' and '\(rightProperty)' are compared here, as their types differ"
      ])
  }

  /// Compiles a comparison of a property of each table.
  ///
  /// Only the order of whole numbers is sent: a null is never before or after a number, in Cairn and
  /// in SQL. Two nulls are equal in Cairn. The caller decides any other comparison.
  ///
  /// - Throws: ``SQLError`` if a property does not exist.
  package func comparison(
    _ leftProperty: String, _ comparison: ComparisonOperator, _ rightProperty: String
  ) throws(SQLError) -> SQLCondition {
    let one = try left.column(named: leftProperty)
    let other = try right.column(named: rightProperty)
    let sign: SQLFragment? =
      switch comparison {
      case .less: "<"
      case .lessOrEqual: "<="
      case .greater: ">"
      case .greaterOrEqual: ">="
      default: nil
      }
    guard let sign, one.type == .int, other.type == .int else {
      return .undecided("'\(leftProperty)' is compared with '\(rightProperty)' here")
    }
    let ordered: SQLFragment = "\(one.expression) \(sign) \(other.expression)"
    guard comparison == .lessOrEqual || comparison == .greaterOrEqual else {
      return SQLCondition(ordered)
    }
    let areNull: SQLFragment = "(\(one.expression) IS NULL AND \(other.expression) IS NULL)"
    return SQLCondition(SQLCondition.any([ordered, areNull]))
  }

  /// The location or geometry of a property; nil if it is in another coordinate system.
  private func place(
    _ name: String, of compiler: SQLCompiler
  ) throws(SQLError) -> SQLPlace? {
    let column = try compiler.column(named: name)
    switch column.type {
    case .location, .geometry: return SQLPlace(column, compiler: compiler)
    default:
      throw SQLError(
        "'\(name)' of '\(compiler.table.name)' is neither a location nor a geometry")
    }
  }

  // MARK: Statements

  /// Compiles the pairs that meet conditions.
  ///
  /// - Parameters:
  ///   - conditions: Conditions of the join and of its tables, which all hold.
  ///   - columns: The names of columns with that of their table before them, as in `city.name`, which
  ///     become those of the result; nil for all columns of both.
  /// - Returns: The statement. If it is not exact, it returns a superset of the pairs.
  /// - Throws: ``SQLError`` if a column does not exist.
  public func select(
    _ conditions: SQLCondition..., columns: [String]? = nil
  ) throws(SQLError) -> SQLSelect {
    let condition = SQLCondition.all(conditions)
    var list: [SQLFragment] = []
    for name in columns ?? leftSide.names + rightSide.names { list += try selected(name) }
    let columns: SQLFragment = list.isEmpty ? "NULL" : .joined(list, separator: ", ")
    return SQLSelect(
      fragment: "SELECT \(columns) FROM \(sources)\(left.filter(condition.possible))",
      condition: condition, undecided: condition.undecided, isExact: condition.isExact,
      isSorted: false)
  }

  /// Compiles the number of pairs that may meet conditions, which is exact if the conditions are.
  public func count(_ conditions: SQLCondition...) -> SQLFragment {
    "SELECT count(*) FROM \(sources)\(left.filter(SQLCondition.all(conditions).possible))"
  }

  private var sources: SQLFragment { "\(leftSide.source), \(rightSide.source)" }

  private func selected(_ name: String) throws(SQLError) -> [SQLFragment] {
    for (side, compiler) in [(leftSide, left), (rightSide, right)]
    where name.hasPrefix("\(side.name).") {
      let property = String(name.dropFirst(side.name.count + 1))
      guard let column = compiler.table.column(named: property) else { continue }
      if case .location(.coordinates(let longitude, let latitude)) = column.type {
        return [
          "\(longitude) AS \(name: "\(name).longitude")",
          "\(latitude) AS \(name: "\(name).latitude")",
        ]
      }
      return ["\(column.expression) AS \(title: name)"]
    }
    throw SQLError(
      "neither '\(leftSide.name)' nor '\(rightSide.name)' has the column '\(name)'; "
        + "begin it with the name of its table")
  }
}

/// A table in a join, under another name.
private struct SQLJoinSide {
  /// The name in the statement.
  let name: String
  /// The table, whose columns have that name before them.
  let table: SQLTable
  /// SQL behind `FROM`.
  let source: SQLFragment

  /// A table whose columns are not expressions is read as it is, any other one through a `SELECT`.
  init(_ table: SQLTable, name: String) {
    self.name = name
    var qualified = table
    var list: [SQLFragment] = []
    for (index, column) in table.columns.enumerated() {
      let property = column.property
      if case .location(.coordinates(let longitude, let latitude)) = column.type {
        let names = ["\(property).longitude", "\(property).latitude"]
        list += [
          "\(longitude) AS \(name: names[0])", "\(latitude) AS \(name: names[1])",
        ]
        qualified.columns[index].type = .location(
          .coordinates(
            longitude: "\(name: name).\(name: names[0])",
            latitude: "\(name: name).\(name: names[1])"))
      } else {
        list.append("\(column.expression) AS \(name: property)")
        qualified.columns[index].expression = "\(name: name).\(name: property)"
      }
    }
    let isPlain = table.columns.allSatisfy { column in
      if case .location(.coordinates) = column.type { return false }
      return column.expression == "\(name: column.property)"
    }
    let rows =
      isPlain
      ? table.qualifiedName
      : "(SELECT \(SQLFragment.joined(list, separator: ", ")) FROM \(table.qualifiedName))"
    source = "\(rows) AS \(name: name)"
    self.table = qualified
  }

  /// The names of all columns, with that of the table before them.
  var names: [String] { table.columns.map { "\(name).\($0.property)" } }
}
