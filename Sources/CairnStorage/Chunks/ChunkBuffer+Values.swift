import CairnIndex
import CairnValues

extension ChunkBuffer {
  /// A buffer that holds the rows of a chunk, to be edited.
  package convenience init(layout: ChunkLayout, copying chunk: Chunk) {
    self.init(layout: layout)
    count = chunk.count
    if let words = chunk.nulls {
      for row in 0..<count where words[row >> 6] >> UInt64(row & 63) & 1 != 0 {
        setNull(true, at: row)
      }
    }
    switch layout {
    case .integers: for row in 0..<count { integers[row] = chunk.int(at: row) }
    case .doubles: for row in 0..<count { doubles[row] = chunk.double(at: row) }
    case .floats: for row in 0..<count { floats[row] = chunk.float(at: row) }
    case .bytes:
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
    case .data(let bytes): bytes.withUnsafeBytes { replaceBytes($0, at: row) }
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
