import CairnIO
import CairnRequest
import CairnStorage
import CairnValues

/// The output of `schema`: the classes of a store and their properties, for people and for
/// programs.
struct SchemaListing {
  private let path: String
  private let classes: [ClassListing]

  /// - Parameters:
  ///   - path: The file as the command line names it.
  ///   - className: The only class to list; nil for all.
  /// - Throws: A failure that suggests the nearest class if the class does not exist.
  init(_ store: Store, path: String, of className: String?) throws {
    self.path = path
    let snapshot = try store.snapshot()
    let sizes = try snapshot.storedSizes()
    let tables = snapshot.schema.tables.filter { className == nil || $0.name == className }
    if let className, tables.isEmpty {
      throw UnknownClass(name: className, schema: snapshot.schema, path: path)
    }
    classes = tables.map { ClassListing(snapshot.table($0), sizes: sizes) }
  }

  /// Writes a heading for each class, and a line for each of its properties.
  func write(to target: OutputTarget) throws {
    if classes.isEmpty { target.sink.append("No classes.\n") }
    for (index, listing) in classes.enumerated() {
      if index > 0 { target.sink.append("\n") }
      try listing.write(to: target)
    }
  }

  /// The listing as one JSON object.
  var json: String {
    JSONBuilder.object([
      "bytes": "\(System.size(of: path) ?? 0)",
      "classes": JSONBuilder.array(classes.map(\.json)),
    ]) + "\n"
  }
}

/// The output of `schema` for one class.
struct ClassListing {
  let schema: TableSchema
  let rowCount: Int
  let bytes: Int
  private let properties: [Property]

  /// A property of the class.
  struct Property {
    let column: ColumnSchema
    let profile: ColumnProfile
    /// The profile of the boxes of geometries; nil for other types.
    let boxes: ColumnProfile?
    let sizes: StoredSizes.Column

    /// The number of rows in which the property is null; nil for a collection, which is never null
    /// itself.
    var nullCount: Int? { column.collection == .none ? profile.nullCount : nil }
  }

  init(_ table: Table, sizes: StoredSizes) {
    schema = table.schema
    rowCount = table.liveCount
    bytes = sizes.bytes(of: table.schema)
    properties = table.schema.properties.map { column in
      Property(
        column: column, profile: ColumnProfile(table.column(column.position), of: table),
        // The extent of geometries is that of their boxes.
        boxes: table.schema.bounds(for: column).map {
          ColumnProfile(table.column($0.position), of: table)
        },
        sizes: sizes.bytes(of: column, in: table.schema))
    }
  }

  /// Writes a heading, and a line for each property.
  func write(to target: OutputTarget) throws {
    let rows = Quantity.counted(rowCount, noun: "row")
    let name = PrintableText.escaped(schema.name)
    target.sink.append("\(name): \(rows), \(Quantity.bytes(bytes))\n\n")
    let writer = try RowWriter(
      .table, columns: Self.columns, style: Display(target.descriptor).style, to: target.sink)
    try writer.write(properties.map(\.line))
    try writer.finish()
  }

  /// Sizes are texts in columns of type `int`, so that they are right-aligned.
  private static let columns = [
    OutputColumn(name: "property", type: .string, source: .given(0)),
    OutputColumn(name: "type", type: .string, source: .given(1)),
    OutputColumn(name: "nulls", type: .int, source: .given(2)),
    OutputColumn(name: "range", type: .string, source: .given(3)),
    OutputColumn(name: "index", type: .string, source: .given(4)),
    OutputColumn(name: "bytes", type: .int, source: .given(5)),
    OutputColumn(name: "of index", type: .int, source: .given(6)),
  ]

  /// The listing as a JSON object.
  var json: String {
    JSONBuilder.object([
      "name": JSONBuilder.string(schema.name),
      "rows": "\(rowCount)",
      "bytes": "\(bytes)",
      "location": JSONBuilder.string(
        schema.properties.first { $0.hasSpatialIndex || $0.isGeometry }?.name),
      "primaryKey": JSONBuilder.string(schema.primaryKey.map { schema.columns[$0].name }),
      "columns": JSONBuilder.array(properties.map(\.json), indent: "  "),
    ])
  }
}

extension ClassListing.Property {
  fileprivate var line: [Value] {
    [
      .string(column.name), .string(type), nullCount.map { .int(Int64($0)) } ?? .null,
      range.map { .string($0) } ?? .null, column.indexName.map { .string($0) } ?? .null,
      .string(Quantity.bytes(sizes.values)),
      sizes.indexes > 0 ? .string(Quantity.bytes(sizes.indexes)) : .null,
    ]
  }

  /// The type, such as `int`, or `int?` if the property may be null; for a link, the target class.
  private var type: String {
    column.kind(column.target ?? column.type.name) + (column.isOptional ? "?" : "")
  }

  /// The range from the least value to the greatest, or from corner to corner of the envelope.
  private var range: String? {
    if let bounds = profile.bounds {
      let (least, greatest) = (ValueText.text(bounds.least), ValueText.text(bounds.greatest))
      return least == greatest ? least : "\(least) to \(greatest)"
    }
    return (boxes ?? profile).extent.map { extent in
      if extent.south == extent.north, extent.west == extent.east {
        return "\(DegreeText.latitude(extent.south)), \(DegreeText.longitude(extent.west))"
      }
      return "\(DegreeText.latitude(extent.south)) to \(DegreeText.latitude(extent.north)), "
        + "\(DegreeText.longitude(extent.west)) to \(DegreeText.longitude(extent.east))"
    }
  }

  fileprivate var json: String {
    let extent = (boxes ?? profile).extent.map {
      let edges = [$0.west, $0.south, $0.east, $0.north]
      return "[" + edges.map { "\(Self.rounded($0))" }.joined(separator: ",") + "]"
    }
    return JSONBuilder.object([
      "name": JSONBuilder.string(column.name),
      "type": JSONBuilder.string(column.kind(column.type.name)),
      "target": JSONBuilder.string(column.target),
      "optional": "\(column.isOptional)",
      "index": JSONBuilder.string(column.indexName),
      "nulls": nullCount.map { "\($0)" } ?? "null",
      "min": ValueText.json(profile.bounds?.least ?? .null),
      "max": ValueText.json(profile.bounds?.greatest ?? .null),
      "envelope": extent ?? "null",
      "bytes": "\(sizes.values)",
      "indexBytes": "\(sizes.indexes)",
    ])
  }

  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
}

extension ColumnSchema {
  /// The name of the type, with that of the collection if the property is one.
  fileprivate func kind(_ type: String) -> String {
    switch collection {
    case .none: type
    case .list: "list of \(type)"
    case .set: "set of \(type)"
    case .map: "map of \(type)"
    }
  }

  /// The kind of the property's index; nil if it has none.
  fileprivate var indexName: String? {
    if hasSpatialIndex || isGeometry { return "spatial index" }
    let value = isPrimaryKey ? "primary key" : isIndexed ? "index" : nil
    let names = [value, isFullText ? "full-text index" : nil].compactMap { $0 }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }
}
