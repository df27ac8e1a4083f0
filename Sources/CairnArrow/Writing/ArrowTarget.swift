internal import CairnIO
internal import CairnValues

/// Writes the columns and the batches of a file or a stream.
final class ArrowTarget {
  private let columns: [(name: String, type: ArrowColumnType)]
  private let system: OutputSystem?
  private let isFile: Bool
  /// The number of bytes so far.
  private var position: Int64 = 0
  /// The places of the batches.
  private var places: [(offset: Int64, headSize: Int, bodySize: Int)] = []
  private let head = OutputSink.memory()
  private let body = BatchBody()

  /// The version of the format of this and all later releases since 1.0.
  private static let version: Int16 = 4

  /// - Parameters:
  ///   - system: The coordinate system of the geometries; nil for degrees of WGS 84.
  ///   - isFile: Whether an index of the batches follows them.
  init(columns: [(name: String, type: ArrowColumnType)], system: OutputSystem?, isFile: Bool) {
    self.columns = columns
    self.system = system
    self.isFile = isFile
  }

  /// Writes the columns.
  func begin(_ sink: OutputSink) {
    if isFile { write(ArrowContainer.fileMagic + [0, 0], to: sink) }
    let writer = FlatBufferWriter(head, marker: ArrowContainer.marker)
    let message = writer.begin(Self.message, at: writer.root)
    writer.set(0, of: message, Self.version)
    writer.set(1, of: message, UInt8(1))
    appendSchema(writer, at: writer.reference(2, of: message))
    writer.end()
    moveHead(to: sink)
  }

  /// Writes a batch.
  func append(
    _ buffers: [ColumnBuffer], rows: Int, to sink: OutputSink
  ) throws(OutputError) {
    body.removeAll()
    for (column, buffer) in zip(columns, buffers) { body.append(buffer, column.type) }
    let writer = FlatBufferWriter(head, marker: ArrowContainer.marker)
    let message = writer.begin(Self.message, at: writer.root)
    writer.set(0, of: message, Self.version)
    writer.set(1, of: message, UInt8(3))
    writer.set(3, of: message, Int64(body.size))
    let batch = writer.begin(Self.batch, at: writer.reference(2, of: message))
    writer.set(0, of: batch, Int64(rows))
    writer.beginVector(columns.count, size: 8, at: writer.reference(1, of: batch))
    for count in body.nullCounts {
      writer.append(Int64(rows))
      writer.append(Int64(count))
    }
    writer.beginVector(body.buffers.count, size: 8, at: writer.reference(2, of: batch))
    for buffer in body.buffers {
      writer.append(Int64(buffer.lowerBound))
      writer.append(Int64(buffer.count))
    }
    writer.end()
    places.append((position, head.count, body.size))
    moveHead(to: sink)
    sink.append(body.bytes)
    position += Int64(body.size)
  }

  /// Writes the end of the stream, and the index of a file.
  func end(_ sink: OutputSink) {
    write([0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0], to: sink)
    guard isFile else { return }
    let prefixSize = 8
    let writer = FlatBufferWriter(head, marker: ArrowContainer.marker)
    let footer = writer.begin(Self.footer, at: writer.root)
    writer.set(0, of: footer, Self.version)
    appendSchema(writer, at: writer.reference(1, of: footer))
    writer.beginVector(0, size: 8, at: writer.reference(2, of: footer))
    writer.beginVector(places.count, size: 8, at: writer.reference(3, of: footer))
    for place in places {
      writer.append(place.offset)
      writer.append(Int64(place.headSize))
      writer.append(Int64(place.bodySize))
    }
    writer.end()
    // The index is a flatbuffer alone, with its size behind it.
    let size = head.count - prefixSize
    sink.append(UnsafeRawBufferPointer(rebasing: head.collected.dropFirst(prefixSize)))
    sink.append(bits: UInt32(truncatingIfNeeded: size).littleEndian)
    sink.append(ArrowContainer.fileMagic)
    head.removeAll()
  }

  private func write(_ bytes: [UInt8], to sink: OutputSink) {
    sink.append(bytes)
    position += Int64(bytes.count)
  }

  private func moveHead(to sink: OutputSink) {
    sink.append(head.collected)
    position += Int64(head.count)
    head.removeAll()
  }
}

// The schema.
extension ArrowTarget {
  private static let message = FlatTable([
    (id: 0, size: 2), (id: 1, size: 1), (id: 2, size: 4), (id: 3, size: 8),
  ])
  private static let schema = FlatTable([(id: 0, size: 2), (id: 1, size: 4)])
  private static let field = FlatTable([
    (id: 0, size: 4), (id: 1, size: 1), (id: 2, size: 1), (id: 3, size: 4), (id: 5, size: 4),
  ])
  private static let geometryField = FlatTable([
    (id: 0, size: 4), (id: 1, size: 1), (id: 2, size: 1), (id: 3, size: 4), (id: 5, size: 4),
    (id: 6, size: 4),
  ])
  private static let note = FlatTable([(id: 0, size: 4), (id: 1, size: 4)])
  private static let integer = FlatTable([(id: 0, size: 4), (id: 1, size: 1)])
  private static let float = FlatTable([(id: 0, size: 2)])
  private static let timestamp = FlatTable([(id: 0, size: 2), (id: 1, size: 4)])
  private static let plain = FlatTable([])
  private static let batch = FlatTable([(id: 0, size: 8), (id: 1, size: 4), (id: 2, size: 4)])
  private static let footer = FlatTable([
    (id: 0, size: 2), (id: 1, size: 4), (id: 2, size: 4), (id: 3, size: 4),
  ])

  private func appendSchema(
    _ writer: FlatBufferWriter, at reference: FlatBufferWriter.Reference
  ) {
    let schema = writer.begin(Self.schema, at: reference)
    let first = writer.beginReferences(columns.count, at: writer.reference(1, of: schema))
    for (index, column) in columns.enumerated() {
      let isGeometry = column.type == .geometry
      let field = writer.begin(
        isGeometry ? Self.geometryField : Self.field, at: writer.reference(index, behind: first))
      writer.set(1, of: field, UInt8(1))
      writer.set(2, of: field, column.type.number)
      writer.append(text: column.name, at: writer.reference(0, of: field))
      append(column.type, writer, at: writer.reference(3, of: field))
      _ = writer.beginReferences(0, at: writer.reference(5, of: field))
      if isGeometry { appendNotes(writer, at: writer.reference(6, of: field)) }
    }
  }

  private func append(
    _ type: ArrowColumnType, _ writer: FlatBufferWriter, at reference: FlatBufferWriter.Reference
  ) {
    switch type {
    case .int:
      let table = writer.begin(Self.integer, at: reference)
      writer.set(0, of: table, Int32(64))
      writer.set(1, of: table, UInt8(1))
    case .float, .double:
      let table = writer.begin(Self.float, at: reference)
      writer.set(0, of: table, Int16(type == .float ? 1 : 2))
    case .timestamp:
      let table = writer.begin(Self.timestamp, at: reference)
      // Microseconds.
      writer.set(0, of: table, Int16(2))
      writer.append(text: "UTC", at: writer.reference(1, of: table))
    case .bool, .text, .data, .geometry: _ = writer.begin(Self.plain, at: reference)
    }
  }

  /// Says that a column holds geometries, and in which coordinate system.
  private func appendNotes(_ writer: FlatBufferWriter, at reference: FlatBufferWriter.Reference) {
    let notes = [
      ("ARROW:extension:name", "geoarrow.wkb"), ("ARROW:extension:metadata", geoMetadata),
    ]
    let first = writer.beginReferences(notes.count, at: reference)
    for (index, (name, value)) in notes.enumerated() {
      let table = writer.begin(Self.note, at: writer.reference(index, behind: first))
      writer.append(text: name, at: writer.reference(0, of: table))
      writer.append(text: value, at: writer.reference(1, of: table))
    }
  }

  /// The coordinate system as GeoArrow names it.
  private var geoMetadata: String {
    guard let system, !system.isWGS84 else {
      return #"{"crs":"EPSG:4326","crs_type":"authority_code"}"#
    }
    if let json = system.projJSON { return #"{"crs":\#(json),"crs_type":"projjson"}"# }
    return #"{"crs":\#(JSONString.quoted(system.definition))}"#
  }
}
