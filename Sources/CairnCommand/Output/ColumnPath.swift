import CairnFormats
import CairnQuery
import CairnStorage
import CairnValues

/// The way from an object of a class to a property: the property itself, or `toy.name` through links to one object.
struct ColumnPath {
  /// The links on the way, and last the property.
  let columns: [ColumnSchema]

  /// The property at the end.
  let end: ColumnSchema

  /// Nil where there is no such property. A name may hold dots: the longest name that exists counts.
  init?(_ text: String, of schema: TableSchema, in classes: Schema) {
    guard let columns = Self.columns(text, schema, classes), let end = columns.last else {
      return nil
    }
    self.columns = columns
    self.end = end
  }

  private static func columns(
    _ text: String, _ schema: TableSchema, _ classes: Schema
  ) -> [ColumnSchema]? {
    if let column = schema.column(named: text) { return [column] }
    let dots = text.indices.filter { text[$0] == "." }
    for dot in dots.reversed() {
      guard let link = schema.column(named: String(text[..<dot])), link.isLink,
        link.collection == .none, let target = link.target.flatMap(classes.table(named:)),
        let rest = columns(String(text[text.index(after: dot)...]), target, classes)
      else { continue }
      return [link] + rest
    }
    return nil
  }

  /// The same for sorting.
  var path: PropertyPath { PropertyPath(columns.map { .property($0.name) }) }

  /// As an output column of that name.
  ///
  /// - Parameter part: of the location at the end that the column shows; nil: its value.
  func output(_ name: String, part: LocationPart? = nil, in classes: Schema) -> OutputColumn {
    let type = part?.type ?? Self.outputType(end, classes)
    guard columns.count > 1 else {
      let source = part.map { OutputColumn.Source.part($0, of: end.position) }
      return OutputColumn(name: name, type: type, source: source ?? .stored(end.position))
    }
    return OutputColumn(name: name, type: type, source: .path(columns.map(\.position), part))
  }

  /// The type of what is written: a link is the key of its object, and a collection is JSON.
  private static func outputType(_ column: ColumnSchema, _ classes: Schema) -> ValueType {
    if column.collection != .none { return .mixed }
    guard column.type == .link else { return column.type }
    let target = column.target.flatMap(classes.table(named:))
    return target.flatMap { target in target.primaryKey.map { target.columns[$0].type } } ?? .int
  }
}
