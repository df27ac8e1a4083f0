import CairnValues

/// Checks one class: which rows live, every chunk, and what leads from it to others.
final class TableCheck {
  let table: Table
  let log: IntegrityLog
  /// Whether it is known which rows live.
  private(set) var isLivenessSound = true
  /// Columns whose chunks can be read, by position.
  private(set) var isColumnSound: [Bool]

  var name: String { table.schema.name }
  private var state: TableState { table.state }

  init(_ table: Table, _ log: IntegrityLog) {
    self.table = table
    self.log = log
    isColumnSound = Array(repeating: true, count: table.schema.columns.count)
  }

  /// Liveness and chunks: what everything else is held against.
  func checkRows() {
    checkLiveness()
    for column in table.schema.columns { checkChunks(of: column) }
  }

  private func checkLiveness() {
    var live = 0
    for chunk in 0..<table.storedChunkCount {
      let (extent, number) = state.storage(ofChunk: chunk)
      guard let bytes = table.transaction.get(.liveness(table.id, extent, number)) else {
        live += table.rowCount(ofChunk: chunk)
        continue
      }
      guard let words = BitmapForm(bytes), words.isEmpty(from: table.rowCount(ofChunk: chunk))
      else {
        isLivenessSound = false
        note(.data, nil, chunk, "the marks of which objects live make no sense")
        continue
      }
      live += words.count
    }
    if isLivenessSound, live != state.liveCount {
      isLivenessSound = false
      note(.data, nil, nil, "\(live) objects live, and \(state.liveCount) should")
    }
  }

  private func checkChunks(of column: ColumnSchema) {
    for chunk in 0..<table.storedChunkCount {
      let (extent, number) = state.storage(ofChunk: chunk)
      guard let bytes = table.transaction.get(.chunk(table.id, column.id, extent, number)) else {
        continue
      }
      log.report.chunkCount += 1
      let rows = table.rowCount(ofChunk: chunk)
      if let objection = ChunkForm.objection(bytes, column.layout, rows: rows) {
        isColumnSound[column.position] = false
        note(.data, column, chunk, objection)
      } else {
        checkZone(of: column, chunk)
      }
    }
    guard isLivenessSound, isColumnSound[column.position] else { return }
    let values = ColumnValuesCheck(table, column)
    for chunk in 0..<table.storedChunkCount {
      if let objection = values.objection(chunk) { note(.data, column, chunk, objection) }
    }
  }

  private func checkZone(of column: ColumnSchema, _ chunk: Int) {
    let (extent, number) = state.storage(ofChunk: chunk)
    let segment = number / Zone.perSegment
    let bytes = table.transaction.get(.zones(table.id, column.id, extent, segment))
    guard let base = bytes?.baseAddress, let size = bytes?.count,
      size >= (number % Zone.perSegment + 1) * Zone.size,
      let found = Zone(reading: base + (number % Zone.perSegment) * Zone.size),
      let stored = table.column(column.position).stored(chunk)
    else { return note(.index, column, chunk, "the bounds of its values are missing") }
    let buffer = ChunkBuffer(layout: column.layout, copying: stored)
    var expected = ChunkEncoder.encode(buffer).zone
    expected.flags |= Zone.isWrittenFlag
    if found != expected { note(.index, column, chunk, "the bounds of its values are wrong") }
  }

  func note(
    _ harm: IntegrityFinding.Harm, _ column: ColumnSchema?, _ chunk: Int?, _ message: String
  ) {
    log.note(
      harm, message, in: name, property: column.map { table.schema.shownName(of: $0) },
      chunk: chunk)
  }

  /// Indexes: only where the columns that they are held against can be read.
  func checkIndexes() {
    guard isLivenessSound else { return }
    for column in table.schema.columns where isColumnSound[column.position] {
      if column.hasValueIndex { ValueIndexCheck(self, column).run() }
      if column.hasSpatialIndex { SpatialIndexCheck(self, column).run() }
    }
  }
}

extension TableSchema {
  /// The property that a column is of; the store's own columns go by what they are there for.
  func shownName(of column: ColumnSchema) -> String {
    switch column.role {
    case .property, .point: column.name
    case .ownerKey: "(key of the owner)"
    case .ownerColumn: "(property of the owner)"
    }
  }
}

/// A bitmap over the rows of a chunk as it is stored.
struct BitmapForm {
  private let words: UnsafePointer<UInt64>

  /// Nil when the bytes are none.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= ChunkShape.words * 8, let base = bytes.baseAddress,
      Int(bitPattern: base) & 7 == 0, bytes[(ChunkShape.words * 8)...].allSatisfy({ $0 == 0 })
    else { return nil }
    words = base.assumingMemoryBound(to: UInt64.self)
  }

  var count: Int { (0..<ChunkShape.words).reduce(0) { $0 + words[$1].nonzeroBitCount } }

  func has(_ row: Int) -> Bool { words[row >> 6] >> UInt64(row & 63) & 1 != 0 }

  /// Whether no bit is set from a row on.
  func isEmpty(from row: Int) -> Bool { (row..<max(row, ChunkShape.rows)).allSatisfy { !has($0) } }
}
