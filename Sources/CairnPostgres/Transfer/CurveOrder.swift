import CairnIndex
import CairnStorage
import CairnValues

/// The live rows of a class along the Hilbert curve of their locations.
///
/// A bulk load has stored most classes in this order, which then costs no memory.
struct CurveOrder: @unchecked Sendable {
  // Sendable: several threads use an order only if the snapshot of its table is shared.

  private let table: Table
  /// The column of points or boxes; nil for a class without one.
  private let column: ColumnSchema?
  /// The rows in order; nil if they are stored in order.
  private var sorted: [(curve: UInt64, key: Int)]?
  /// The number of rows.
  let count: Int

  init(_ table: Table) {
    self.table = table
    count = table.liveCount
    let spatial = table.schema.spatialColumn
    column = spatial.flatMap { $0.isPoint ? $0 : table.schema.bounds(for: $0) }
    sorted = nil
    guard column != nil else { return }
    var (isSorted, last) = (true, UInt64(0))
    visitStored { curve, _ in
      if curve < last { isSorted = false }
      last = curve
      return isSorted
    }
    guard !isSorted else { return }
    var all: [(curve: UInt64, key: Int)] = []
    all.reserveCapacity(count)
    visitStored { curve, key in
      all.append((curve, key))
      return true
    }
    all.sort { ($0.curve, $0.key) < ($1.curve, $1.key) }
    sorted = all
  }

  /// Calls `body` with the key of each row in order, until it throws. Rows without a location come last.
  ///
  /// - Parameter rows: The rows, by their offset in the order.
  func forEach<E: Error>(in rows: Range<Int>, _ body: (Int) throws(E) -> Void) throws(E) {
    if let sorted {
      for row in sorted[rows] { try body(row.key) }
      return
    }
    var failure: E?
    visitKeys(in: rows) { _, _, key in
      do throws(E) {
        try body(key)
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
  }

  /// Calls `body` with the position on the curve and the key of each live row in the order of the
  /// store, until it returns false.
  private func visitStored(_ body: (UInt64, Int) -> Bool) {
    var (last, chunk) = (-1, Chunk?.none)
    visitKeys(in: 0..<count) { index, row, key in
      if index != last {
        (last, chunk) = (index, column.map { table.column($0.position).chunk(index) })
      }
      return body(chunk.map { curve($0, row: row) } ?? 0, key)
    }
  }

  /// Calls `body` with the chunk, the row in it and the key of each live row in the order of the
  /// store, until it returns false.
  private func visitKeys(in rows: Range<Int>, _ body: (Int, Int, Int) -> Bool) {
    var offset = 0
    for index in 0..<table.chunkCount where offset < rows.upperBound {
      let live = table.liveRowBitmap(ofChunk: index)
      let rowCount = table.rowCount(ofChunk: index)
      let liveCount = live.map { Self.count($0, rows: rowCount) } ?? rowCount
      guard offset + liveCount > rows.lowerBound else {
        offset += liveCount
        continue
      }
      for row in 0..<rowCount {
        if let live, live[row >> 6] >> UInt64(row & 63) & 1 == 0 { continue }
        defer { offset += 1 }
        guard offset >= rows.lowerBound else { continue }
        guard offset < rows.upperBound,
          body(index, row, RowAddress.firstKey(ofChunk: index) + row)
        else { return }
      }
    }
  }

  private static func count(_ live: UnsafePointer<UInt64>, rows: Int) -> Int {
    assert(rows >= 0 && rows <= ChunkShape.rows, "a chunk has up to 4096 rows")
    let whole = (0..<rows >> 6).reduce(0) { $0 + live[$1].nonzeroBitCount }
    let rest = rows & 63
    return rest == 0 ? whole : whole + (live[rows >> 6] & (1 << UInt64(rest) - 1)).nonzeroBitCount
  }

  private func curve(_ chunk: Chunk, row: Int) -> UInt64 {
    guard !chunk.isNull(row), let column else { return .max }
    if column.isPoint {
      let position = chunk.position(at: row)
      return Hilbert.key(longitude: position.longitude, latitude: position.latitude)
    }
    guard case .box(let box) = chunk.value(at: row, type: .box) else { return .max }
    return Self.center(box)
  }

  private static func center(_ box: Box) -> UInt64 {
    let (west, south) = (Double(box.lanes[0]), Double(box.lanes[1]))
    let (east, north) = (-Double(box.lanes[2]), -Double(box.lanes[3]))
    return Hilbert.key(longitude: (west + east) / 2e7, latitude: (south + north) / 2e7)
  }
}
