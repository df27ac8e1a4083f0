package import CairnQuery
package import CairnStorage
internal import CairnValues

/// A path from an object of a class to a property: the property itself, or `toy.name` through
/// to-one links.
package struct ColumnPath {
  /// The links of the path, then the property.
  package let columns: [ColumnSchema]

  /// The property at the end of the path.
  package let end: ColumnSchema

  /// Resolves a path, or returns nil if the class has no such property. A name may contain dots: the
  /// longest existing name wins.
  package init?(_ text: String, of schema: TableSchema, in classes: StoreSchema) {
    guard let columns = Self.columns(text, schema: schema, classes: classes), let end = columns.last
    else {
      return nil
    }
    self.columns = columns
    self.end = end
  }

  private static func columns(
    _ text: String, schema: TableSchema, classes: StoreSchema
  ) -> [ColumnSchema]? {
    if let column = schema.column(named: text) { return [column] }
    let dots = text.indices.filter { text[$0] == "." }
    for dot in dots.reversed() {
      guard let link = schema.column(named: String(text[..<dot])), link.isLink,
        link.collection == .none, let target = link.target.flatMap(classes.table(named:)),
        let rest = columns(
          String(text[text.index(after: dot)...]), schema: target, classes: classes)
      else { continue }
      return [link] + rest
    }
    return nil
  }

  /// The path as a sort key takes it.
  package var path: PropertyPath { PropertyPath(columns.map { .property($0.name) }) }

  /// The path as an output column of that name.
  ///
  /// - Parameter part: The part of the location that the column shows; nil for the whole value.
  package func output(_ name: String, part: LocationPart? = nil, in classes: StoreSchema)
    -> OutputColumn
  {
    let type = part?.type ?? Self.outputType(end, classes: classes)
    guard columns.count > 1 else {
      let source = part.map { OutputColumn.Source.part($0, of: end.position) }
      return OutputColumn(name: name, type: type, source: source ?? .stored(end.position))
    }
    return OutputColumn(name: name, type: type, source: .path(columns.map(\.position), part))
  }

  /// The type of the output: a link is written as the key of its object, a collection as JSON.
  private static func outputType(_ column: ColumnSchema, classes: StoreSchema) -> ValueType {
    if column.collection != .none { return .mixed }
    guard column.type == .link else { return column.type }
    let target = column.target.flatMap(classes.table(named:))
    return target.flatMap { target in target.primaryKey.map { target.columns[$0].type } } ?? .int
  }
}

extension OutputColumn {
  /// The same column with another name, or of the right table of a join.
  package func named(_ name: String, table: Int = 0) -> OutputColumn {
    OutputColumn(name: name, type: type, source: source, table: table)
  }
}
