import CairnValues

/// A chunk in memory that can be edited: every row at its full width, room for 4096 of them.
///
/// Bulk loads gather into it, transactions edit it, `ChunkEncoder` writes it out. Rows that were
/// never set hold zeros or nothing.
package final class ChunkBuffer {
  let memory: ChunkMemory

  /// An empty buffer for rows of that layout.
  package init(layout: ChunkLayout) { memory = ChunkMemory(layout: layout) }

  deinit { memory.deallocate() }

  package var layout: ChunkLayout { memory.layout }
  /// Rows in use.
  package var count: Int {
    get { memory.count }
    set { memory.count = newValue }
  }
  package var nullCount: Int { memory.nullCount }
  var nulls: UnsafeMutablePointer<UInt64> { memory.nulls }
  var rows: UnsafeMutableRawPointer { memory.rows }
  /// Bytes that slots lead to.
  var heap: UnsafeMutableRawPointer { memory.heap }
  var heapSize: Int { memory.heapSize }
  /// Whether an altitude other than zero was ever set.
  var hasAltitudes: Bool { memory.hasAltitudes }

  /// Rows of `.integers`.
  package var integers: UnsafeMutablePointer<Int64> { memory.integers }
  /// Rows of `.doubles`.
  package var doubles: UnsafeMutablePointer<Double> { memory.doubles }
  /// Rows of `.floats`.
  package var floats: UnsafeMutablePointer<Float> { memory.floats }
  /// Rows of `.points`.
  package var longitudes: UnsafeMutablePointer<Double> { memory.doubles }
  package var latitudes: UnsafeMutablePointer<Double> { memory.doubles + ChunkShape.rows }
  package var altitudes: UnsafeMutablePointer<Double> { memory.doubles + 2 * ChunkShape.rows }
  /// Rows of `.bytes`: (offset, length).
  var slots: UnsafeMutablePointer<UInt32> { memory.slots }

  /// Forgets every row, so that the buffer can take the next chunk.
  package func removeAll() { memory.removeAll() }

  /// Marks a row null, or not.
  @inline(__always)
  package func setNull(_ isNull: Bool, at row: Int) { memory.setNull(isNull, at: row) }

  @inline(__always)
  package func isNull(_ row: Int) -> Bool { memory.isNull(row) }

  /// Sets a row of `.points`.
  package func setPoint(_ position: Position, at row: Int) { memory.setPoint(position, at: row) }

  /// Sets a row of `.bytes` that held none.
  @inline(__always)
  package func setBytes(_ bytes: UnsafeRawBufferPointer, at row: Int) {
    memory.setBytes(bytes, at: row)
  }

  /// Sets a row of `.bytes` that may hold some.
  func replaceBytes(_ bytes: UnsafeRawBufferPointer, at row: Int) {
    memory.replaceBytes(bytes, at: row)
  }

  /// Sets a row of `.fixed`.
  package func setFixed(_ bytes: UnsafeRawBufferPointer, at row: Int) {
    memory.setFixed(bytes, at: row)
  }

  /// Zeros or nothing: what a null row holds.
  package func clear(_ row: Int) { memory.clear(row) }

  /// The buffer as readers see a chunk.
  package var view: Chunk {
    Chunk(
      base: UnsafeRawPointer(rows), encoding: layout.bufferEncoding,
      count: layout == .points ? ChunkShape.rows : count, width: layout.bufferWidth,
      exponent: hasAltitudes ? ChunkHeader.altitudesPresent : 0, frame: 0,
      nulls: nullCount > 0 ? UnsafePointer(nulls) : nil, codes: UnsafeRawPointer(rows),
      heap: layout == .points ? UnsafeRawPointer(altitudes) : UnsafeRawPointer(heap))
  }
}

extension ChunkLayout {
  fileprivate var bufferWidth: Int {
    switch self {
    case .integers, .doubles, .bytes, .points: 8
    case .floats: 4
    case .fixed(let width): width
    }
  }

  fileprivate var bufferEncoding: Encoding {
    switch self {
    case .integers: .integers
    case .doubles: .doubles
    case .floats: .floats
    case .bytes: .slots
    case .fixed: .fixed
    case .points: .points
    }
  }
}
