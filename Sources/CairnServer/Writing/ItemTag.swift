import CairnIO
import CairnStorage
import CairnSystem
import CairnValues

/// The entity tag of an item: a hash of its values. Its representations add their format.
struct ItemTag {
  private let hash: String

  /// - Complexity: O(*n*) for *n* bytes of the item as CSV.
  init(_ key: Int, of table: Table, in classes: StoreSchema) throws {
    let columns = table.schema.properties.compactMap { column in
      ColumnPath(column.name, of: table.schema, in: classes)?.output(column.name, in: classes)
    }
    let sink = OutputSink.memory()
    // The tag depends on this row alone.
    var style = OutputStyle()
    style.dates = .shortest
    let writer = try RowWriter(.csv, columns: columns, style: style, to: sink)
    try writer.write(key: key, of: table) { _ in .int(Int64(key)) }
    hash = String(Checksum.xxh64(sink.collected), radix: 36)
  }

  /// The tag of a representation in a format.
  func text(_ format: String) -> String { "\"\(hash)-\(format)\"" }

  /// Whether the header `If-Match` allows a change of the item: it is an asterisk, or has the tag of
  /// one of the item's representations.
  func matches(_ header: String) -> Bool {
    header.split(separator: ",").contains { part in
      let tag = part.filter { $0 != " " }
      return tag == "*" || tag.hasPrefix("\"\(hash)-")
    }
  }
}
