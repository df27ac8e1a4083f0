/// One column of a block before it is put in order.
enum MergeSource {
  case fixed(UnsafeMutableRawBufferPointer, width: Int)
  case points(UnsafeMutableRawBufferPointer, UnsafeMutableRawBufferPointer)
  case texts(UnsafeMutablePointer<(start: UInt32, length: UInt32)>, UnsafeMutableRawBufferPointer)

  /// Puts the rows that `order` names into the buffer.
  func fill(_ buffer: ChunkBuffer, _ order: ArraySlice<UInt32>) {
    switch self {
    case .fixed(let rows, 8): Self.permute(rows.bindMemory(to: UInt64.self), buffer.rows, order)
    case .fixed(let rows, 4): Self.permute(rows.bindMemory(to: UInt32.self), buffer.rows, order)
    case .fixed(let rows, let width):
      for (row, source) in order.enumerated() {
        buffer.setFixed(
          UnsafeRawBufferPointer(rebasing: rows[Int(source) * width..<Int(source) * width + width]),
          at: row)
      }
    case .points(let longitudes, let latitudes):
      Self.permute(longitudes.bindMemory(to: UInt64.self), buffer.longitudes, order)
      Self.permute(latitudes.bindMemory(to: UInt64.self), buffer.latitudes, order)
    case .texts(let spans, let heap):
      guard let base = heap.baseAddress else { return }
      for (row, source) in order.enumerated() {
        let span = spans[Int(source)]
        buffer.setBytes(
          UnsafeRawBufferPointer(start: base + Int(span.start), count: Int(span.length)), at: row)
      }
    }
  }

  private static func permute<T: BitwiseCopyable>(
    _ source: UnsafeMutableBufferPointer<T>, _ target: UnsafeMutableRawPointer,
    _ order: ArraySlice<UInt32>
  ) {
    let rows = target.assumingMemoryBound(to: T.self)
    order.withUnsafeBufferPointer { order in
      for row in 0..<order.count { rows[row] = source[Int(order[row])] }
    }
  }

  func deallocate() {
    switch self {
    case .fixed(let rows, _): rows.deallocate()
    case .points(let longitudes, let latitudes):
      longitudes.deallocate()
      latitudes.deallocate()
    case .texts(let spans, let heap):
      spans.deallocate()
      heap.deallocate()
    }
  }
}
