import CairnStorage
import CairnValues

/// Binds property paths to the columns and links of a table. Filters, sort keys, distinct steps,
/// summaries and groups share it.
///
/// The paths of a bound predicate always resolve. Paths of sort keys, distinct steps and summaries
/// are checked here first, so they can fail.
struct PathBinder {
  let table: Table

  /// The column of that name. Queries cannot read collections here.
  func column(_ name: String) throws(QueryError) -> Column {
    guard let schema = table.schema.column(named: name) else {
      throw QueryError(
        .unknownProperty, message: "class '\(table.schema.name)' has no property '\(name)'")
    }
    guard schema.collection == .none else {
      throw QueryError(
        .unsupportedType,
        message: "property '\(name)' of class '\(table.schema.name)' is a collection; "
          + "queries cannot read collections here"
      )
    }
    return table.column(schema.position)
  }

  /// The path, resolved in the classes that it passes through.
  ///
  /// - Parameter isLocation: Whether the path ends at a location, which may be an embedded object
  ///   in the shape of one.
  func linkPath(_ path: PropertyPath, isLocation: Bool = false) throws(QueryError) -> LinkPath {
    var resolver = LinkPathResolver(path, from: table)
    return try resolver.find(isLocation: isLocation)
  }

  /// The column of a path that is one property of the object itself; nil for other paths.
  func directColumn(_ path: PropertyPath) -> Column? {
    guard let name = path.name, let schema = table.schema.column(named: name),
      schema.collection == .none, !schema.isLink, schema.type != .mixed
    else { return nil }
    return table.column(schema.position)
  }

  /// The column of locations or geometries of a path that is one property of the object itself; nil
  /// for other paths.
  func spatialColumn(_ path: PropertyPath) -> Column? {
    guard let name = path.name, let column = table.schema.column(named: name) else { return nil }
    let found = column.isGeometry ? column : table.schema.point(for: column)
    return found.map { table.column($0.position) }
  }

  /// The error for a property that does not have the type that an operation needs.
  func mismatch(_ column: Column, what: String) -> QueryError {
    QueryError(
      .typeMismatch,
      message: "property '\(column.schema.name)' of type \(column.schema.type.name) \(what)")
  }
}

/// Resolves a path in the classes that it passes through.
private struct LinkPathResolver {
  private let path: PropertyPath
  private var table: Table
  private var linkSteps: [LinkStep] = []
  private var rest: ArraySlice<PropertyPath.Component>

  init(_ path: PropertyPath, from table: Table) {
    self.path = path
    self.table = table
    rest = path.components[...]
  }

  /// Resolves the path.
  ///
  /// - Parameter isLocation: Whether the path ends at a location, which may be an embedded object
  ///   in the shape of one.
  mutating func find(isLocation: Bool = false) throws(QueryError) -> LinkPath {
    while let step = rest.popFirst() {
      guard case .property(let name) = step else { throw misplaced(step) }
      if let column = table.schema.column(named: name) {
        if isLocation, rest.isEmpty, let point = table.schema.point(for: column) {
          return linkPath(.column(table.column(point.position)))
        }
        if let end = try follow(table.column(column.position)) { return end }
      } else if let inverse = table.schema.inverse(named: name) {
        try follow(inverse)
      } else {
        throw QueryError(
          .unknownProperty, message: "class '\(table.schema.name)' has no property '\(name)'")
      }
    }
    return linkPath(.object)
  }

  private func linkPath(_ end: LinkPath.End, below: [PropertyPath.Component] = []) -> LinkPath {
    LinkPath(linkSteps: linkSteps, end: end, endTable: table, below: below)
  }

  /// Follows a property. Returns the whole path if it ends there.
  private mutating func follow(_ column: Column) throws(QueryError) -> LinkPath? {
    let schema = column.schema
    if rest.first == .allKeys, schema.collection == .map {
      rest.removeFirst()
      return try ended(.keys(column))
    }
    var key: String?
    if schema.collection == .map, case .key(let text)? = rest.first {
      key = text
      rest.removeFirst()
    } else if schema.collection != .none, rest.first == .allValues || rest.first == .anyElement {
      // Both mean the same as the bare collection.
      rest.removeFirst()
    }
    guard schema.isLink else { return try ended(end(column, key: key)) }
    guard let target = table.target(of: schema.position) else {
      throw QueryError(
        .unknownProperty,
        message: "property '\(schema.name)' of class '\(table.schema.name)' "
          + "leads to a class that the store does not have")
    }
    if let key {
      linkSteps.append(MapEntryStep(column, key: key, of: table, to: target))
    } else if schema.collection == .none {
      linkSteps.append(ToOneStep(column, of: table, to: target))
    } else {
      linkSteps.append(ToManyStep(column, of: table, to: target))
    }
    table = target
    return nil
  }

  private func end(_ column: Column, key: String?) -> LinkPath.End {
    if let key { return .entry(column, key: key) }
    return column.schema.collection == .none ? .column(column) : .elements(column)
  }

  /// The whole path, if only subscripts into a mixed value follow.
  private func ended(_ end: LinkPath.End) throws(QueryError) -> LinkPath {
    let linkPath = linkPath(end, below: Array(rest))
    for step in rest {
      if case .property = step { throw misplaced(step) }
      if !linkPath.isMixed { throw misplaced(step) }
    }
    return linkPath
  }

  private mutating func follow(_ inverse: InverseSchema) throws(QueryError) {
    guard let origin = table.sibling(named: inverse.origin),
      let column = origin.schema.column(named: inverse.property)
    else {
      throw QueryError(
        .unknownProperty,
        message: "'\(table.schema.name).\(inverse.name)' comes from "
          + "'\(inverse.origin).\(inverse.property)', which does not exist")
    }
    linkSteps.append(
      InverseStep(inverse.name, of: table, from: origin, column: origin.column(column.position)))
    table = origin
  }

  private func misplaced(_ step: PropertyPath.Component) -> QueryError {
    QueryError(
      .unsupportedType,
      message: "'\(path)' continues behind a property of class '\(table.schema.name)' "
        + "that has nothing below it")
  }
}

/// The path to the single value of each row for a summary or a group: a property of the row itself,
/// or of an object behind links.
struct ValuePath {
  private let linkSteps: [ToOneStep]
  private let end: Column

  fileprivate init(_ linkSteps: [ToOneStep], end: Column) {
    self.linkSteps = linkSteps
    self.end = end
  }

  /// An accumulator for the summary of the values.
  func accumulator() -> Accumulator {
    linkSteps.reversed().reduce(Accumulator.make(end)) { LinkedAccumulator($1, inner: $0) }
  }

  /// A column that numbers the values for grouping.
  func groupColumn() -> GroupColumn {
    linkSteps.reversed().reduce(GroupColumn.make(end)) { LinkedGroupColumn($1, inner: $0) }
  }

  /// An accumulator for the summary of the values of each group.
  func groupTotals() -> GroupTotals {
    guard let first = linkSteps.first else { return GroupTotals.make(end) }
    return AnyGroupTotals(first.column, make: accumulator)
  }

  /// An accumulator for the summary of the values of each group, with further figures.
  func groupTotals(_ figures: SummaryFigures) -> GroupTotals {
    guard !figures.isEmpty else { return groupTotals() }
    return FigureTotals(
      groupTotals(), of: end, behind: linkSteps, numbering: groupColumn(), figures: figures)
  }
}

extension PathBinder {
  /// The paths of properties by name, with dots along links: `dog.name`.
  func valuePaths(_ names: [String]) throws(QueryError) -> [ValuePath] {
    var valuePaths: [ValuePath] = []
    for name in names { valuePaths.append(try valuePath(name)) }
    return valuePaths
  }

  private func valuePath(_ name: String) throws(QueryError) -> ValuePath {
    let names = name.utf8.split(separator: UInt8(ascii: "."))
    // A property's own name may contain dots, and errors in a plain name have their own messages.
    if table.schema.column(named: name) != nil || names.count < 2 {
      return ValuePath([], end: try column(name))
    }
    let linkPath = try linkPath(
      PropertyPath(names.map { .property(String(decoding: $0, as: UTF8.self)) }))
    let linkSteps = linkPath.linkSteps.compactMap { $0 as? ToOneStep }
    guard linkSteps.count == linkPath.linkSteps.count, case .column(let end) = linkPath.end else {
      throw QueryError(
        .unsupportedType,
        message:
          "'\(name)' of class '\(table.schema.name)' does not lead to a single property value")
    }
    return ValuePath(linkSteps, end: end)
  }
}
