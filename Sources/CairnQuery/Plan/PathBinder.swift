import CairnStorage
import CairnValues

/// Binds the property paths of sort keys, distinct steps, summaries, groups and joins to the columns and
/// links of a table.
struct PathBinder {
  let table: Table

  /// The column of that name. Queries cannot read collections here.
  func column(_ name: String) throws(QueryError) -> Column {
    guard let schema = table.schema.column(named: name) else {
      throw QueryError(
        .unknownProperty,
        message: PathResolver.unknown(name, in: table.schema, of: table.classes))
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
  func bound(_ path: PropertyPath) throws(QueryError) -> BoundPath {
    do throws(PathError) {
      return try PathResolver.resolve(path.components, from: table.schema, in: table.classes)
        .bound(path.quantifier)
    } catch {
      throw QueryError(
        error.kind == .unknownProperty ? .unknownProperty : .unsupportedType, message: error.message
      )
    }
  }

  /// The columns and links of a path.
  ///
  /// - Parameter isLocation: Whether the path ends at a location, which may be an embedded object
  ///   in the shape of one.
  func linkPath(_ path: PropertyPath, isLocation: Bool = false) throws(QueryError) -> LinkPath {
    let bound = try bound(path)
    return try LinkPath(isLocation ? bound.located : bound, of: table)
  }

  /// The column of a path that is one property of the object itself; nil for other paths.
  func directColumn(_ path: PropertyPath) -> Column? {
    guard let name = path.name, let schema = table.schema.column(named: name),
      schema.collection == .none, !schema.isLink, schema.type != .mixed
    else { return nil }
    return table.column(schema.position)
  }

  /// The error for a property that does not have the type that an operation needs.
  func mismatch(_ column: Column, what: String) -> QueryError {
    QueryError(
      .typeMismatch,
      message: "property '\(column.schema.name)' of type \(column.schema.type.name) \(what)")
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
