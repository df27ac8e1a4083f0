import CairnIndex
import CairnStorage
import CairnValues

/// The live rows of a class along the Hilbert curve of their locations.
///
/// A bulk load has stored most classes in this order, which then costs no memory.
struct CurveOrder {
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
    let spatial = table.schema.properties.first { $0.isPoint || $0.isGeometry }
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

  /// Calls `body` with the position on the curve and the key of each row in order, until it throws. Rows
  /// without a location come last, with the position `UInt64.max`.
  func forEach<E: Error>(_ body: (UInt64, Int) throws(E) -> Void) throws(E) {
    if let sorted {
      for row in sorted { try body(row.curve, row.key) }
      return
    }
    var failure: E?
    visitStored { curve, key in
      do throws(E) {
        try body(curve, key)
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
  }

  /// Calls `body` with each live row in the order of the store, until it returns false.
  private func visitStored(_ body: (UInt64, Int) -> Bool) {
    for index in 0..<table.chunkCount {
      let live = table.liveRowBitmap(ofChunk: index)
      let chunk = column.map { table.column($0.position).chunk(index) }
      for row in 0..<table.rowCount(ofChunk: index) {
        if let live, live[row >> 6] >> UInt64(row & 63) & 1 == 0 { continue }
        let curve = chunk.map { self.curve($0, row: row) } ?? 0
        guard body(curve, RowAddress.firstKey(ofChunk: index) + row) else { return }
      }
    }
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
