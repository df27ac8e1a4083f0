import CairnIndex
import CairnValues

/// An editable chunk in memory, with a capacity of 4096 rows at full width.
///
/// Bulk loads fill it, transactions edit it, and `ChunkEncoder` encodes it. Rows that were never
/// set hold zeros or no bytes.
package final class ChunkBuffer {
  let memory: ChunkMemory

  /// Makes an empty buffer for rows of that layout.
  package init(layout: ChunkLayout) { memory = ChunkMemory(layout: layout) }

  deinit { memory.deallocate() }

  /// The layout of the rows.
  package var layout: ChunkLayout { memory.layout }
  /// The number of rows.
  package var count: Int {
    get { memory.count }
    set { memory.count = newValue }
  }
  /// The number of null rows.
  package var nullCount: Int { memory.nullCount }
  /// The null bitmap of 64 words, valid while the buffer lives.
  var nulls: UnsafeMutablePointer<UInt64> { memory.nulls }
  /// The rows at full width, valid while the buffer lives.
  var rows: UnsafeMutableRawPointer { memory.rows }
  /// The bytes that slots refer to, valid until a row of `.bytes` changes.
  var heap: UnsafeMutableRawPointer { memory.heap }
  var heapSize: Int { memory.heapSize }
  /// Whether an altitude other than zero was ever set.
  var hasAltitudes: Bool { memory.hasAltitudes }

  /// The 4096 rows of `.integers`, valid while the buffer lives.
  package var integers: UnsafeMutablePointer<Int64> { memory.integers }
  /// The 4096 rows of `.doubles`, valid while the buffer lives.
  package var doubles: UnsafeMutablePointer<Double> { memory.doubles }
  /// The 4096 rows of `.floats`, valid while the buffer lives.
  package var floats: UnsafeMutablePointer<Float> { memory.floats }
  /// The 4096 longitudes of `.points`, in degrees, valid while the buffer lives.
  package var longitudes: UnsafeMutablePointer<Double> { memory.doubles }
  /// The 4096 latitudes of `.points`, in degrees, valid while the buffer lives.
  package var latitudes: UnsafeMutablePointer<Double> { memory.doubles + ChunkShape.rows }
  /// The 4096 altitudes of `.points`, in metres, valid while the buffer lives.
  package var altitudes: UnsafeMutablePointer<Double> { memory.doubles + 2 * ChunkShape.rows }
  /// The 4096 rows of `.bytes`: (offset, length) pairs, valid while the buffer lives.
  var slots: UnsafeMutablePointer<UInt32> { memory.slots }

  /// Removes every row, so that the buffer can hold the next chunk.
  package func removeAll() { memory.removeAll() }

  /// Sets whether a row is null.
  @inline(__always)
  package func setNull(_ isNull: Bool, at row: Int) { memory.setNull(isNull, at: row) }

  /// Returns whether a row is null.
  @inline(__always)
  package func isNull(_ row: Int) -> Bool { memory.isNull(row) }

  /// Sets a row of `.points`.
  package func setPoint(_ position: Position, at row: Int) { memory.setPoint(position, at: row) }

  /// Sets a row of `.bytes` that is empty.
  @inline(__always)
  package func setBytes(_ bytes: UnsafeRawBufferPointer, at row: Int) {
    memory.setBytes(bytes, at: row)
  }

  /// Replaces a row of `.bytes`.
  func replaceBytes(_ bytes: UnsafeRawBufferPointer, at row: Int) {
    memory.replaceBytes(bytes, at: row)
  }

  /// Sets a row of `.fixed`.
  package func setFixed(_ bytes: UnsafeRawBufferPointer, at row: Int) {
    memory.setFixed(bytes, at: row)
  }

  /// Sets a row to zeros or no bytes, the contents of a null row.
  package func clear(_ row: Int) { memory.clear(row) }

  /// The buffer as a readable chunk, valid until a row of the buffer changes.
  package var view: Chunk {
    Chunk(
      base: UnsafeRawPointer(rows), encoding: layout.bufferEncoding,
      count: layout == .points ? ChunkShape.rows : count, width: layout.bufferWidth,
      exponent: hasAltitudes ? ChunkHeader.altitudesPresent : 0, frame: 0,
      nulls: nullCount > 0 ? UnsafePointer(nulls) : nil, codes: UnsafeRawPointer(rows),
      heap: layout == .points ? UnsafeRawPointer(altitudes) : UnsafeRawPointer(heap),
      heapSize: layout == .points ? ChunkShape.rows * 8 : heapSize)
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

extension ChunkBuffer {
  /// Copies the rows of a chunk to an editable buffer.
  package convenience init(layout: ChunkLayout, copying chunk: Chunk) {
    self.init(layout: layout)
    assert(layout.reads(chunk.encoding), "the chunk is of another layout")
    count = chunk.count
    if let words = chunk.nulls {
      for row in 0..<count where words.isSet(row) {
        setNull(true, at: row)
      }
    }
    switch layout {
    case .integers: for row in 0..<count { integers[row] = chunk.int(at: row) }
    case .doubles: for row in 0..<count { doubles[row] = chunk.double(at: row) }
    case .floats: for row in 0..<count { floats[row] = chunk.float(at: row) }
    case .bytes:
      memory.hasReferences = chunk.hasReferences
      guard !memory.adoptBytes(of: chunk) else { return }
      for row in 0..<count { setBytes(chunk.bytes(at: row), at: row) }
    case .fixed: for row in 0..<count { setFixed(chunk.bytes(at: row), at: row) }
    case .points:
      let points = chunk.points
      for row in 0..<count {
        let point = points.point(at: row)
        longitudes[row] = point.longitude
        latitudes[row] = point.latitude
      }
      guard chunk.hasAltitudes else { return }
      for row in 0..<count { setPoint(chunk.position(at: row), at: row) }
    }
  }

  /// Sets one row. The value must be of the column's type or null; the caller has checked it.
  package func set(_ value: Value, at row: Int) { memory.set(value, at: row) }
}

extension ChunkMemory {
  /// Sets one row. The value must be of the column's type or null; the caller has checked it.
  func set(_ value: Value, at row: Int) {
    setNull(value.isNull, at: row)
    switch value {
    case .null: clear(row)
    case .bool(let flag): integers[row] = flag ? 1 : 0
    case .int(let number): integers[row] = number
    case .float(let number): floats[row] = number
    case .double(let number), .date(let number): doubles[row] = number
    case .string(let text): setText(text, at: row)
    case .data(let bytes), .geometry(let bytes):
      bytes.withUnsafeBytes { replaceBytes($0, at: row) }
    case .box(let box): box.withStoredBytes { setFixed($0, at: row) }
    case .objectId(let id): id.withStoredBytes { setFixed($0, at: row) }
    case .uuid(let id): id.withStoredBytes { setFixed($0, at: row) }
    case .decimal(let number): number.withStoredBytes { setFixed($0, at: row) }
    case .point(let position): setPoint(position, at: row)
    case .link(let link): integers[row] = Int64(link.key)
    }
  }

  private func setText(_ text: String, at row: Int) {
    var text = text
    text.withUTF8 { replaceBytes(UnsafeRawBufferPointer($0), at: row) }
  }
}

extension ChunkLayout {
  /// Whether rows of an encoding have this layout, for an assert.
  fileprivate func reads(_ encoding: Encoding) -> Bool {
    switch self {
    case .integers: encoding == .integers
    case .doubles: encoding == .doubles || encoding == .decimals
    case .floats: encoding == .floats
    case .bytes:
      encoding == .bytes || encoding == .dictionary || encoding == .slots || encoding == .spans
    case .fixed: encoding == .fixed
    case .points: encoding == .points
    }
  }
}

/// The layout of a column's rows in memory during edits. It determines the possible encodings.
package enum ChunkLayout: Hashable, Sendable {
  /// Int64 rows.
  case integers
  /// Double rows.
  case doubles
  /// Float rows.
  case floats
  /// Rows of variable length.
  case bytes
  /// Rows of that number of bytes.
  case fixed(Int)
  /// Longitudes, latitudes and altitudes.
  case points
}
