import CairnValues

extension ColumnBatch {
  /// Removes the rows whose flag is false. Boxes must not have been made yet.
  package func keep(_ isKept: [Bool]) {
    for column in columns { column.keep(isKept) }
  }
}

extension ColumnBuilder {
  /// Moves the rows whose flag is true to the front, and removes the others.
  fileprivate func keep(_ isKept: [Bool]) {
    var (kept, keptNulls) = (0, 0)
    var (heapStart, heapEnd) = (0, 0)
    let (rows, heap, nulls) = (rows, heap, nulls)
    assert(isKept.count == count, "each row has a flag")
    assert(rows.count == count * rowWidth && nulls.count <= count, "the columns have other sizes")
    for row in 0..<count {
      var size = 0
      if layout == .bytes {
        let end = Int(rows.element(row, as: UInt32.self))
        assert(heapStart <= end && end <= heap.count, "a text lies outside of the heap")
        size = end - heapStart
        heapStart = end
      }
      guard isKept[row] else { continue }
      if row < nulls.count {
        (nulls.base + kept).copyMemory(from: nulls.base + row, byteCount: 1)
        keptNulls = kept + 1
      }
      switch layout {
      case .bytes:
        (heap.base + heapEnd).copyMemory(from: heap.base + heapStart - size, byteCount: size)
        heapEnd += size
        rows.base.storeBytes(of: UInt32(heapEnd), toByteOffset: kept * 4, as: UInt32.self)
      case .points:
        (heap.base + kept * 8).copyMemory(from: heap.base + row * 8, byteCount: 8)
        (rows.base + kept * 8).copyMemory(from: rows.base + row * 8, byteCount: 8)
      default:
        let width = rowWidth
        (rows.base + kept * width).copyMemory(from: rows.base + row * width, byteCount: width)
      }
      kept += 1
    }
    state.pointee.rows.count = kept * rowWidth
    state.pointee.heap.count = layout == .bytes ? heapEnd : layout == .points ? kept * 8 : 0
    state.pointee.nulls.count = keptNulls
    state.pointee.count = kept
  }

  /// The number of bytes of a row in `rows`.
  private var rowWidth: Int {
    switch layout {
    case .integers, .doubles, .points: 8
    case .floats, .bytes: 4
    case .fixed(let width): width
    }
  }
}
