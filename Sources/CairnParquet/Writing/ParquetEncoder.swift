internal import CairnIO
internal import CairnStorage
import CairnSystem
internal import CairnValues

/// The rows of a Parquet file, with the geometries of GeoParquet if there is a location.
///
/// The first location or geometry is that of the file, and a number `altitude` the third coordinate of a
/// location, as in GeoJSON. Further geometries are well-known text, and collections, objects and mixed
/// values are JSON.
struct ParquetEncoder: ColumnarEncoder {
  private let columns: [OutputColumn]
  private let location: Int?
  private let altitude: AltitudeColumn?
  /// The columns without the altitude, as indices of cells.
  private let fields: [Int]
  /// The columns of the file: the fields, and the four sides of the boxes of the geometries.
  private let leaves: [OutputLeaf]
  private let buffers: [ColumnBuffer]
  private let groupSize: Int
  private var footer: FileFooter
  /// The offset in the file behind what was written.
  private var offset = 0
  private var firstRow = 0
  private var shapes: ShapeBuffer?

  /// The rows of a row group.
  static let groupSize = 122_880
  /// The bytes of values after which a row group ends.
  private static let groupBytes = 256 << 20
  private static let magic = Array("PAR1".utf8)
  private static let sides = ["xmin", "ymin", "xmax", "ymax"]

  init(
    _ columns: [OutputColumn], system: OutputSystem?, groupSize: Int?
  ) throws(OutputError) {
    self.columns = columns
    let location = columns.firstIndex(where: \.isSpatial)
    let altitude = location.flatMap { AltitudeColumn(columns, location: $0) }
    (self.location, self.altitude) = (location, altitude)
    fields = columns.indices.filter { $0 != altitude?.index }
    let names = ColumnNames(fields.map { columns[$0].name }).names
    var leaves = zip(fields, names).map { field, name in
      field == location
        ? OutputLeaf(path: [name], kind: .geometry) : OutputLeaf(columns[field], name: name)
    }
    if let location, let place = fields.firstIndex(of: location) {
      let boxes = ColumnNames(names + ["bbox"]).names.last ?? "bbox"
      leaves += Self.sides.map { OutputLeaf(path: [boxes, $0], kind: .single) }
      let note = GeoNote(column: names[place], boxes: boxes, system: try Self.system(system))
      let buffers = leaves.map { ColumnBuffer($0.bufferType) }
      shapes = ShapeBuffer(buffers[place], boxes: Array(buffers[fields.count...]), note: note)
      self.buffers = buffers
    } else {
      buffers = leaves.map { ColumnBuffer($0.bufferType) }
    }
    self.leaves = leaves
    self.groupSize = groupSize ?? Self.groupSize
    footer = FileFooter(leaves: leaves, codec: Codec.best)
  }

  /// Returns a system in PROJJSON; nil for WGS 84.
  private static func system(_ system: OutputSystem?) throws(OutputError) -> String? {
    guard let system, !system.isWGS84 else { return nil }
    guard let json = system.projJSON else {
      throw .unnamedSystem("Parquet cannot name the coordinate system; choose gpkg or csv")
    }
    return json
  }

  mutating func begin(_ sink: OutputSink) { write(Self.magic, to: sink) }

  mutating func encode(
    _ row: UnsafeBufferPointer<Cell>, sink: OutputSink
  ) throws(OutputError) {
    for (index, cell) in fields.enumerated() {
      if cell == location {
        shapes?.append(row[cell], altitude: altitude.map { row[$0.index] } ?? .null)
        continue
      }
      guard buffers[index].append(row[cell]) else { throw mismatch(columns[cell]) }
    }
    // The size is looked at before the largest values could exceed the memory of a buffer.
    let isFull = rowCount >= groupSize || rowCount % PendingRows.step == 0 && isLarge
    if isFull { try writeGroup(to: sink) }
  }

  mutating func encode(
    _ keys: UnsafeBufferPointer<Int>, of table: Table, sink: OutputSink
  ) throws(OutputError) {
    var rest = keys[...]
    while !rest.isEmpty {
      let part = UnsafeBufferPointer(rebasing: rest.prefix(groupSize - rowCount))
      rest = rest.dropFirst(part.count)
      for (index, cell) in fields.enumerated() {
        guard case .stored(let position) = columns[cell].source else { continue }
        let column = table.column(position)
        if cell == location {
          shapes?.append(
            part, of: column, type: columns[cell].type, altitudes: altitude?.stored(in: table))
        } else if !buffers[index].append(part, of: column, type: columns[cell].type) {
          throw mismatch(columns[cell])
        }
      }
      if rowCount >= groupSize || isLarge { try writeGroup(to: sink) }
    }
  }

  private func mismatch(_ column: OutputColumn) -> OutputError {
    .file(
      .data,
      "row \(firstRow + rowCount + 1): `\(column.name)` has a value of another type than its column, "
        + "which Parquet cannot hold; choose csv or json")
  }

  mutating func end(_ sink: OutputSink) throws(OutputError) {
    if rowCount > 0 { try writeGroup(to: sink) }
    if let note = shapes?.note { footer.notes = [("geo", note.json)] }
    write(footer.bytes(at: offset), to: sink)
  }

  /// The number of rows that were not written.
  private var rowCount: Int { buffers.first?.count ?? 0 }

  private var isLarge: Bool { buffers.reduce(0) { $0 + $1.size } > Self.groupBytes }

  private mutating func write(_ bytes: [UInt8], to sink: OutputSink) {
    sink.append(bytes)
    offset += bytes.count
  }

  /// Encodes the columns on all cores, and writes them.
  private mutating func writeGroup(to sink: OutputSink) throws(OutputError) {
    let group = GroupEncoding(leaves, buffers, codec: footer.codec)
    let chunks: [EncodedChunk]
    do throws(ParquetError) { chunks = try group.run() } catch {
      throw .file(.data, "rows \(firstRow + 1) to \(firstRow + rowCount): \(error.message)")
    }
    var written: [(chunk: EncodedChunk, offset: Int)] = []
    for chunk in chunks {
      let start = offset
      write(chunk.bytes, to: sink)
      var described = chunk
      described.bytes = []
      written.append((described, start))
      try sink.flush()
    }
    footer.groups.append(FileFooter.Group(rowCount: rowCount, chunks: written))
    firstRow += rowCount
    for buffer in buffers { buffer.removeAll() }
  }
}

/// The encoding of the columns of a row group by several threads.
// Sendable: each column is encoded by one thread, and the caller waits for all.
private final class GroupEncoding: @unchecked Sendable {
  private let leaves: [OutputLeaf]
  private let buffers: [ColumnBuffer]
  private let codec: Codec
  private let state: Mutex<State>

  private struct State {
    var next = 0
    var chunks: [EncodedChunk?]
    var failure: ParquetError?
  }

  init(_ leaves: [OutputLeaf], _ buffers: [ColumnBuffer], codec: Codec) {
    self.leaves = leaves
    self.buffers = buffers
    self.codec = codec
    state = Mutex(State(chunks: Array(repeating: nil, count: leaves.count)))
  }

  /// Encodes all columns.
  func run() throws(ParquetError) -> [EncodedChunk] {
    let others = min(processorCount(), leaves.count) - 1
    Workers.run(others: max(0, others)) {
      self.work()
    } own: {
      work()
    }
    let (chunks, failure) = state.withLock { ($0.chunks, $0.failure) }
    if let failure { throw failure }
    return chunks.compactMap { $0 }
  }

  private func work() {
    while let index = state.withLock({ state -> Int? in
      guard state.next < leaves.count, state.failure == nil else { return nil }
      defer { state.next += 1 }
      return state.next
    }) {
      do throws(ParquetError) {
        var encoder = try ChunkEncoder(leaves[index], buffers[index], codec: codec)
        let chunk = try encoder.encode()
        state.withLock { $0.chunks[index] = chunk }
      } catch {
        state.withLock { $0.failure = $0.failure ?? error }
      }
    }
  }
}
