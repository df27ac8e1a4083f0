internal import CairnGeometry
package import CairnStorage
internal import CairnValues

/// The layout of FlatGeobuf that is written without GDAL: facts about all rows, which the file states
/// before the first one.
package struct FlatGeobufStyle: Sendable {
  /// The name of the layer.
  package let name: String
  /// The index of the geometry among the columns of the output.
  fileprivate let geometry: Int?
  /// The number of rows.
  fileprivate let count: Int
  /// The kind of all geometries; nil if there are several.
  fileprivate private(set) var kind: Geometry.Kind?
  /// Whether some geometries have altitudes.
  fileprivate private(set) var hasAltitudes = false

  /// Reads the geometries of the rows that are going to be written.
  ///
  /// - Parameters:
  ///   - columns: The columns of the output, which come from the table.
  ///   - geometry: The index of the geometry among them; nil for features without one.
  package init(
    name: String, keys: [Int], of table: Table, columns: [OutputColumn], geometry: Int?
  ) {
    self.name = name
    self.geometry = geometry
    count = keys.count
    guard let geometry, case .stored(let position) = columns[geometry].source else { return }
    let column = table.column(position)
    var kinds: Set<Geometry.Kind> = []
    for key in keys {
      let (chunk, row) = (column.chunk(RowAddress(key).chunk), RowAddress(key).row)
      if chunk.isNull(row) { continue }
      if column.schema.type == .point {
        kinds.insert(.point)
        if chunk.position(at: row).altitude != 0 { hasAltitudes = true }
      } else {
        let view = chunk.geometry(at: row)
        kinds.insert(view.kind)
        if view.hasAltitudes { hasAltitudes = true }
      }
    }
    kind = kinds.count == 1 ? kinds.first : nil
  }
}

/// FlatGeobuf 3 without an index, as a stream.
///
/// Coordinates are longitude before latitude, or east before north. Rows without a location, and those
/// with an empty geometry, are features without a geometry. A vertex without an altitude among
/// others that have one gets NaN. Further geometries are well-known text, and collections, objects and
/// mixed values are JSON.
///
/// Source: https://flatgeobuf.org, and the schemas `header.fbs` and `feature.fbs` there.
struct FlatGeobufEncoder: RowEncoder {
  private static let magic: [UInt8] = Array("fgb".utf8) + [3] + Array("fgb".utf8) + [0]

  /// The types of columns in the format.
  private enum ColumnType: UInt8 {
    case bool = 2
    case long = 7
    case float = 9
    case double = 10
    case string = 11
    case json = 12
    case dateTime = 13
    case binary = 14

    init(_ type: ValueType) {
      self =
        switch type {
        case .bool: .bool
        case .int: .long
        case .float: .float
        case .double: .double
        case .date: .dateTime
        case .data: .binary
        case .mixed, .embedded: .json
        default: .string
        }
    }
  }

  private let style: FlatGeobufStyle
  private let system: OutputSystem?
  /// The columns other than the geometry, as indices of cells.
  private let fields: [(cell: Int, name: String, type: ColumnType)]

  init(_ columns: [OutputColumn], system: OutputSystem?, style: FlatGeobufStyle) {
    self.style = style
    self.system = system
    fields = columns.indices.filter { $0 != style.geometry }.prefix(Int(UInt16.max)).map {
      ($0, columns[$0].name, ColumnType(columns[$0].type))
    }
  }

  // MARK: Header

  private static let header = FlatTable([
    (id: 0, size: 4), (id: 2, size: 1), (id: 3, size: 1), (id: 7, size: 4), (id: 8, size: 8),
    (id: 9, size: 2), (id: 10, size: 4),
  ])
  private static let column = FlatTable([(id: 0, size: 4), (id: 1, size: 1)])
  private static let system = FlatTable([(id: 0, size: 4), (id: 1, size: 4)])
  private static let unnumberedSystem = FlatTable([(id: 2, size: 4)])

  func begin(_ sink: OutputSink) {
    sink.append(Self.magic)
    let writer = FlatBufferWriter(sink)
    let header = writer.begin(Self.header, at: writer.root)
    writer.set(2, of: header, style.kind?.rawValue ?? 0)
    writer.set(3, of: header, style.hasAltitudes ? 1 : 0 as UInt8)
    writer.set(8, of: header, UInt64(style.count))
    // A node size of 0 means that the file has no index.
    writer.set(9, of: header, 0 as UInt16)
    writer.append(text: style.name, at: writer.reference(0, of: header))
    appendColumns(writer, at: writer.reference(7, of: header))
    appendSystem(writer, at: writer.reference(10, of: header))
    writer.end()
  }

  private func appendColumns(_ writer: FlatBufferWriter, at reference: FlatBufferWriter.Reference) {
    let first = writer.beginReferences(fields.count, at: reference)
    for (index, field) in fields.enumerated() {
      let column = writer.begin(Self.column, at: writer.reference(index, behind: first))
      writer.set(1, of: column, field.type.rawValue)
      writer.append(text: field.name, at: writer.reference(0, of: column))
    }
  }

  private func appendSystem(_ writer: FlatBufferWriter, at reference: FlatBufferWriter.Reference) {
    let definition = system?.definition ?? "EPSG:4326"
    let parts = definition.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let code = Int32(parts[1]) else {
      let system = writer.begin(Self.unnumberedSystem, at: reference)
      writer.append(text: definition, at: writer.reference(2, of: system))
      return
    }
    let system = writer.begin(Self.system, at: reference)
    writer.set(1, of: system, code)
    writer.append(text: String(parts[0]), at: writer.reference(0, of: system))
  }

  // MARK: Features

  private static let properties = FlatTable([(id: 1, size: 4)])
  private static let feature = FlatTable([(id: 0, size: 4), (id: 1, size: 4)])

  func encode(_ row: UnsafeBufferPointer<Cell>, sink: OutputSink) {
    let writer = FlatBufferWriter(sink)
    let cell = style.geometry.map { row[$0] } ?? .null
    let hasGeometry = cell.hasVertices
    let feature = writer.begin(
      hasGeometry ? Self.feature : Self.properties, at: writer.root)
    if hasGeometry {
      let shape = FlatGeometryWriter(writer, hasAltitudes: style.hasAltitudes)
      shape.append(cell, at: writer.reference(0, of: feature))
    }
    let first = writer.beginBytes(at: writer.reference(1, of: feature))
    for (index, field) in fields.enumerated() {
      append(row[field.cell], field: index, type: field.type, to: sink)
    }
    writer.endBytes(from: first)
    writer.end()
  }

  func end(_ sink: OutputSink) {}

  /// Appends a property; nothing for null, or for a value of another type.
  private func append(_ cell: Cell, field: Int, type: ColumnType, to sink: OutputSink) {
    if cell.isNull { return }
    let start = sink.count
    sink.append(bits: UInt16(truncatingIfNeeded: field).littleEndian)
    switch (type, cell) {
    case (.bool, .bool(let flag)): sink.append(flag ? 1 : 0 as UInt8)
    case (.long, .int(let value)): sink.append(bits: value.littleEndian)
    case (.float, .float(let value)): sink.append(bits: value.bitPattern.littleEndian)
    case (.double, .double(let value)): sink.append(bits: value.bitPattern.littleEndian)
    case (.double, .float(let value)):
      sink.append(bits: Double(value).bitPattern.littleEndian)
    case (.dateTime, .date(let date, _)):
      appendSized(to: sink) { sink.append(ISODate.format(date, as: .time)) }
    case (.binary, .other(let text)):
      appendSized(to: sink) { sink.append(Base64.decode(text) ?? []) }
    case (.json, _): appendSized(to: sink) { JSONText.append(cell, to: sink) }
    case (.string, .text(let bytes)): appendSized(to: sink) { sink.append(bytes) }
    case (.string, .point), (.string, .projected):
      appendSized(to: sink) { sink.append(cell.pointText() ?? "") }
    case (.string, _): appendSized(to: sink) { sink.append(TableText.rawText(cell)) }
    default: sink.removeAll(from: start)
    }
  }

  /// Appends bytes with their number before them.
  @inline(__always)
  private func appendSized(to sink: OutputSink, _ append: () -> Void) {
    let start = sink.count
    sink.append(bits: UInt32(0))
    append()
    sink.set(
      bits: UInt32(truncatingIfNeeded: sink.count - start - 4).littleEndian, at: start)
  }
}

extension Cell {
  /// Whether this is a location, or a geometry that is not empty.
  fileprivate var hasVertices: Bool {
    switch self {
    case .point, .projected: true
    case .geometry(let geometry): geometry.withView { $0.vertexCount > 0 }
    default: false
    }
  }
}

/// Writes the geometry of one feature.
private struct FlatGeometryWriter {
  private let writer: FlatBufferWriter
  private let hasAltitudes: Bool

  init(_ writer: FlatBufferWriter, hasAltitudes: Bool) {
    self.writer = writer
    self.hasAltitudes = hasAltitudes
  }

  /// The tables of geometries by the vectors that they have: 1 for the ends of parts, 2 for
  /// altitudes. All have coordinates and a type.
  private static let tables = (0..<4).map { vectors in
    var fields: [FlatTable.Field] = [(id: 1, size: 4), (id: 6, size: 1)]
    if vectors & 1 != 0 { fields.append((id: 0, size: 4)) }
    if vectors & 2 != 0 { fields.append((id: 2, size: 4)) }
    return FlatTable(fields)
  }
  /// The table of a geometry that consists of geometries.
  private static let collection = FlatTable([(id: 6, size: 1), (id: 7, size: 4)])

  /// Writes the location or geometry of a cell.
  func append(_ cell: Cell, at reference: FlatBufferWriter.Reference) {
    switch cell {
    case .point(let position):
      appendPoint(
        position.longitude, position.latitude, altitude: position.altitude, at: reference)
    case .projected(let x, let y, let altitude):
      appendPoint(x, y, altitude: altitude, at: reference)
    case .geometry(let geometry):
      geometry.withView { view in
        var cursor = Cursor()
        append(view, &cursor, at: reference)
      }
    default: break
    }
  }

  private func appendPoint(
    _ x: Double, _ y: Double, altitude: Double, at reference: FlatBufferWriter.Reference
  ) {
    let table = begin(.point, ends: 0, at: reference)
    writer.beginVector(2, size: 8, at: writer.reference(1, of: table))
    writer.append(x)
    writer.append(y)
    guard hasAltitudes else { return }
    writer.beginVector(1, size: 8, at: writer.reference(2, of: table))
    // A location has the altitude 0 if it is not known.
    writer.append(altitude == 0 ? .nan : altitude)
  }

  private func begin(
    _ kind: Geometry.Kind, ends: Int, at reference: FlatBufferWriter.Reference
  ) -> FlatBufferWriter.TablePosition {
    let table = writer.begin(
      Self.tables[(ends > 1 ? 1 : 0) + (hasAltitudes ? 2 : 0)], at: reference)
    writer.set(6, of: table, kind.rawValue)
    return table
  }

  // MARK: Geometries

  /// The next word of a geometry's structure, and its next vertex.
  private struct Cursor {
    var word = 0
    var vertex = 0
  }

  /// Writes the geometry at a position of the structure, and advances behind it.
  private func append(
    _ view: GeometryView, _ cursor: inout Cursor, at reference: FlatBufferWriter.Reference
  ) {
    let kind = Geometry.Kind(rawValue: UInt8(truncatingIfNeeded: view.structure(cursor.word)))
    let count = view.structure(cursor.word + 1)
    cursor.word += 2
    switch kind {
    case .multiPolygon, .geometryCollection, nil:
      let table = writer.begin(Self.collection, at: reference)
      writer.set(6, of: table, (kind ?? .geometryCollection).rawValue)
      let first = writer.beginReferences(count, at: writer.reference(7, of: table))
      for index in 0..<count {
        append(view, &cursor, at: writer.reference(index, behind: first))
      }
    case .point?, .lineString?:
      append(view, &cursor, kind: kind ?? .point, sizes: CollectionOfOne(count), at: reference)
    case .polygon?:
      let words = cursor.word..<cursor.word + count
      cursor.word = words.upperBound
      append(
        view, &cursor, kind: .polygon, sizes: words.lazy.map { view.structure($0) }, at: reference)
    case .multiPoint?, .multiLineString?:
      // The members have a word for their kind and one for their number of vertices.
      let words = stride(from: cursor.word + 1, to: cursor.word + 2 * count, by: 2)
      cursor.word += 2 * count
      if kind == .multiPoint {
        let vertices = words.reduce(0) { $0 + view.structure($1) }
        append(view, &cursor, kind: .multiPoint, sizes: CollectionOfOne(vertices), at: reference)
      } else {
        append(
          view, &cursor, kind: .multiLineString, sizes: words.map { view.structure($0) },
          at: reference)
      }
    }
  }

  /// Writes a geometry of one or more parts.
  ///
  /// - Parameter sizes: The number of vertices of each part.
  private func append(
    _ view: GeometryView, _ cursor: inout Cursor, kind: Geometry.Kind,
    sizes: some Collection<Int>, at reference: FlatBufferWriter.Reference
  ) {
    let table = begin(kind, ends: sizes.count, at: reference)
    var total = 0
    if sizes.count > 1 {
      writer.beginVector(sizes.count, size: 4, at: writer.reference(0, of: table))
      for size in sizes {
        total += size
        writer.append(UInt32(truncatingIfNeeded: total))
      }
    } else {
      total = sizes.first ?? 0
    }
    let vertices = cursor.vertex..<cursor.vertex + total
    cursor.vertex = vertices.upperBound
    writer.beginVector(2 * total, size: 8, at: writer.reference(1, of: table))
    for vertex in vertices {
      writer.append(view.longitude(vertex))
      writer.append(view.latitude(vertex))
    }
    guard hasAltitudes else { return }
    writer.beginVector(total, size: 8, at: writer.reference(2, of: table))
    for vertex in vertices { writer.append(view.altitude(vertex) ?? .nan) }
  }
}
