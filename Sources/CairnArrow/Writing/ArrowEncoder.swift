internal import CairnIO
internal import CairnParquet
internal import CairnStorage
internal import CairnValues

/// Batches of rows in Arrow's IPC format.
///
/// Locations and geometries are WKB as GeoArrow names it, with the altitude of a location as its third
/// coordinate. Values that Arrow has no type for are the text that CSV has.
///
/// Source: "Serialization and Interprocess Communication (IPC)" of the Arrow columnar format 1.5, and
/// "GeoArrow extension types" 0.2.
struct ArrowEncoder: ColumnarEncoder {
  private let columns: [OutputColumn]
  private let location: Int?
  private let altitude: AltitudeColumn?
  /// The columns of the output, as indices of cells.
  private let fields: [Int]
  private let buffers: [ColumnBuffer]
  /// The buffers of those fields that are geometries; nil for the others.
  private var shapes: [ShapeBuffer?]
  private let target: ArrowTarget
  private var rowCount = 0
  private var firstRow = 0

  /// The most rows and the usual bytes of a batch.
  private static let batchRows = 1 << 16
  private static let batchBytes = 64 << 20

  /// - Parameter isFile: Whether an index of the batches follows them, as in a file.
  init(_ columns: [OutputColumn], system: OutputSystem?, isFile: Bool) {
    self.columns = columns
    let location = columns.firstIndex(where: \.isSpatial)
    let altitude = location.flatMap { AltitudeColumn(columns, location: $0) }
    (self.location, self.altitude) = (location, altitude)
    let kept = columns.indices.filter { $0 != altitude?.index }
    fields = kept
    let types = kept.map { ArrowColumnType(columns[$0].type) }
    let buffers = types.map { ColumnBuffer($0.layerType) }
    self.buffers = buffers
    shapes = buffers.map { $0.type == .geometry ? ShapeBuffer($0) : nil }
    target = ArrowTarget(
      columns: zip(kept, types).map { (columns[$0].name, $1) }, system: system, isFile: isFile)
  }

  mutating func begin(_ sink: OutputSink) { target.begin(sink) }

  mutating func encode(
    _ row: UnsafeBufferPointer<Cell>, sink: OutputSink
  ) throws(OutputError) {
    for (index, cell) in fields.enumerated() {
      if shapes[index] != nil {
        let height = cell == location ? altitude.map { row[$0.index] } : nil
        shapes[index]?.append(row[cell], altitude: height ?? .null)
      } else if !buffers[index].append(row[cell]) {
        throw mismatch(columns[cell])
      }
    }
    rowCount += 1
    if rowCount == Self.batchRows || rowCount & 7 == 0 && isLarge { try send(to: sink) }
  }

  mutating func encode(
    _ keys: UnsafeBufferPointer<Int>, of table: Table, sink: OutputSink
  ) throws(OutputError) {
    var rest = keys[...]
    while !rest.isEmpty {
      let part = UnsafeBufferPointer(rebasing: rest.prefix(Self.batchRows - rowCount))
      rest = rest.dropFirst(part.count)
      try append(part, of: table)
      rowCount += part.count
      if rowCount == Self.batchRows || isLarge { try send(to: sink) }
    }
  }

  private mutating func append(
    _ keys: UnsafeBufferPointer<Int>, of table: Table
  ) throws(OutputError) {
    for (index, cell) in fields.enumerated() {
      guard case .stored(let position) = columns[cell].source else { continue }
      let (column, type) = (table.column(position), columns[cell].type)
      if shapes[index] != nil {
        let heights = cell == location ? altitude?.stored(in: table) : nil
        shapes[index]?.append(keys, of: column, type: type, altitudes: heights)
      } else if !buffers[index].append(keys, of: column, type: type) {
        throw mismatch(columns[cell])
      }
    }
  }

  private func mismatch(_ column: OutputColumn) -> OutputError {
    .file(
      .data,
      "row \(firstRow + rowCount + 1): `\(column.name)` has a value of another type than its column, "
        + "which Arrow cannot hold; choose csv or json")
  }

  private var isLarge: Bool { buffers.reduce(0) { $0 + $1.size } > Self.batchBytes }

  mutating func end(_ sink: OutputSink) throws(OutputError) {
    try send(to: sink)
    target.end(sink)
  }

  private mutating func send(to sink: OutputSink) throws(OutputError) {
    guard rowCount > 0 else { return }
    try target.append(buffers, rows: rowCount, to: sink)
    try sink.flush()
    for buffer in buffers { buffer.removeAll() }
    firstRow += rowCount
    rowCount = 0
  }
}
