internal import CairnGeometry
internal import CairnIO
internal import CairnValues

/// Batches of rows in Arrow's IPC format.
///
/// Locations and geometries are WKB as GeoArrow names it, with the altitude of a location as its third
/// coordinate. Values that Arrow has no type for are the text that CSV has.
///
/// Source: "Serialization and Interprocess Communication (IPC)" of the Arrow columnar format 1.5, and
/// "GeoArrow extension types" 0.2.
struct ArrowEncoder: RowEncoder {
  private let columns: [OutputColumn]
  private let altitude: AltitudeColumn?
  /// The columns of the output, as indices of cells.
  private let fields: [Int]
  private let buffers: [ColumnBuffer]
  private let target: ArrowTarget
  private var rowCount = 0
  private var firstRow = 0
  private var wkb: [UInt8] = []

  /// The most rows and the usual bytes of a batch.
  private static let batchRows = 1 << 16
  private static let batchBytes = 64 << 20

  /// - Parameter isFile: Whether an index of the batches follows them, as in a file.
  init(_ columns: [OutputColumn], system: OutputSystem?, isFile: Bool) {
    self.columns = columns
    let location = columns.firstIndex(where: \.isSpatial)
    altitude = location.flatMap { AltitudeColumn(columns, location: $0) }
    let kept = columns.indices.filter { [altitude] in $0 != altitude?.index }
    fields = kept
    let types = kept.map { ArrowColumnType(columns[$0].type) }
    buffers = types.map { ColumnBuffer($0.layerType) }
    target = ArrowTarget(
      columns: zip(kept, types).map { (columns[$0].name, $1) },
      system: system?.definition, isFile: isFile)
  }

  mutating func begin(_ sink: OutputSink) { target.begin(sink) }

  mutating func encode(
    _ row: UnsafeBufferPointer<Cell>, sink: OutputSink
  ) throws(OutputError) {
    for (index, cell) in fields.enumerated() {
      let buffer = buffers[index]
      if buffer.type == .geometry {
        append(row[cell], altitude: altitude?.value(in: row, of: cell), to: buffer)
      } else if !buffer.append(row[cell]) {
        throw .file(
          .data,
          "row \(firstRow + rowCount + 1): `\(columns[cell].name)` has a value of another type than "
            + "its column, which Arrow cannot hold; choose csv or json")
      }
    }
    rowCount += 1
    let isFull =
      rowCount == Self.batchRows
      || rowCount & 7 == 0 && buffers.reduce(0) { $0 + $1.size } > Self.batchBytes
    if isFull { try send(to: sink) }
  }

  private mutating func append(_ cell: Cell, altitude: Double?, to buffer: ColumnBuffer) {
    switch cell {
    case .point(let position):
      buffer.append(
        x: position.longitude, y: position.latitude, z: Self.z(altitude, position.altitude))
    case .projected(let x, let y, let own): buffer.append(x: x, y: y, z: Self.z(altitude, own))
    case .geometry(let geometry):
      wkb.removeAll(keepingCapacity: true)
      geometry.withView { $0.appendWKB(to: &wkb) }
      wkb.withUnsafeBytes { buffer.append(bytes: $0) }
    default: buffer.appendNull()
    }
  }

  /// Returns the third coordinate of a location.
  ///
  /// - Parameter own: The altitude within the location, 0 if it has none.
  private static func z(_ altitude: Double?, _ own: Double) -> Double? {
    let z = altitude ?? (own == 0 ? nil : own)
    return z?.isNaN == true ? nil : z
  }

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
