package import CairnIO
package import CairnParquet

// The values of rows as those of a column of a layer.
extension ArrowColumn {
  /// Appends the values of rows, geometries as they are.
  ///
  /// - Parameters:
  ///   - rows: The rows. The column must have them.
  ///   - type: The type that ``ArrowField/columnType`` says.
  package func append(
    _ rows: Range<Int>, as type: LayerColumnType, to target: ColumnValues
  ) throws(ArrowError) {
    switch type {
    case .int: try appendIntegers(rows, to: target)
    case .double: try appendDoubles(rows, to: target)
    case .date:
      try appendNumbers(rows, mark: self.type.isLocal ? .local : .value, to: target) {
        date(at: $0).bitPattern
      }
    case .bool: try appendNumbers(rows, to: target) { bool(at: $0) ? UInt8(1) : 0 }
    case .text where !self.type.isText:
      try appendValues(rows, to: target) { (position, heap) throws(ArrowError) in
        heap.append(try text(at: position))
      }
    case .text, .data: try appendBytes(rows, to: target)
    case .geometry: try appendGeometries(rows, to: target)
    }
  }

  private func appendIntegers(
    _ rows: Range<Int>, to target: ColumnValues
  ) throws(ArrowError) {
    guard self.type != .int(size: 8, isSigned: true) else {
      return try appendNumbers(rows, to: target) {
        UInt64(bitPattern: Self.load(values, at: $0, as: Int64.self) ?? 0)
      }
    }
    try appendNumbers(rows, to: target) { (position) throws(ArrowError) in
      UInt64(bitPattern: try int(at: position))
    }
  }

  private func appendDoubles(
    _ rows: Range<Int>, to target: ColumnValues
  ) throws(ArrowError) {
    guard self.type != .float(size: 8) else {
      return try appendNumbers(rows, to: target) {
        Self.load(values, at: $0, as: UInt64.self) ?? 0
      }
    }
    try appendNumbers(rows, to: target) { double(at: $0).bitPattern }
  }

  /// Appends a number for each row, and marks the nulls.
  @inline(__always)
  private func appendNumbers<Number: FixedWidthInteger & BitwiseCopyable>(
    _ rows: Range<Int>, mark: LayerMark = .value, to target: ColumnValues,
    value: (Int) throws(ArrowError) -> Number
  ) throws(ArrowError) {
    let (marks, numbers) = target.appendSpace(rows.count, for: Number.self)
    if let offset = denseOffset {
      marks.update(repeating: mark.rawValue, count: rows.count)
      for index in 0..<rows.count {
        numbers[index] = try value(offset + rows.lowerBound + index)
      }
      return
    }
    for index in 0..<rows.count {
      if let position = position(rows.lowerBound + index) {
        marks[index] = mark.rawValue
        numbers[index] = try value(position)
      } else {
        marks[index] = LayerMark.null.rawValue
        numbers[index] = 0
      }
    }
  }

  /// Appends bytes for each row that is not null.
  @inline(__always)
  func appendValues(
    _ rows: Range<Int>, to target: ColumnValues,
    _ append: (Int, ColumnMemory) throws(ArrowError) -> Void
  ) throws(ArrowError) {
    for row in rows {
      guard let position = position(row) else {
        target.appendNulls(1)
        continue
      }
      try append(position, target.heap)
      target.endValue()
      try checkSize(target)
    }
  }

  private func appendBytes(_ rows: Range<Int>, to target: ColumnValues) throws(ArrowError) {
    if let offset = denseOffset, !rows.isEmpty,
      self.type == .text(isLarge: false) || self.type == .binary(isLarge: false)
    {
      return try appendHeap(offset + rows.lowerBound..<offset + rows.upperBound, to: target)
    }
    try appendValues(rows, to: target) { position, heap in
      heap.append(bytes: bytes(at: position))
    }
  }

  /// Appends the bytes of positions that follow one another.
  private func appendHeap(
    _ positions: Range<Int>, to target: ColumnValues
  ) throws(ArrowError) {
    guard let offsets = Self.buffer(values, 1).map({ $0 + positions.lowerBound * 4 }),
      let heap = Self.buffer(values, 2)
    else { return target.appendNulls(positions.count) }
    let start = offsets.loadUnaligned(as: Int32.self)
    let end = offsets.loadUnaligned(fromByteOffset: positions.count * 4, as: Int32.self)
    guard start >= 0, start <= end else {
      throw ArrowError("the column `\(field.name)` has a text that ends before it begins")
    }
    let shift = UInt32(truncatingIfNeeded: target.heap.size) &- UInt32(start)
    target.heap.append(heap + Int(start), count: Int(end - start))
    let (marks, ends) = target.appendSpace(positions.count, for: UInt32.self)
    marks.update(repeating: LayerMark.value.rawValue, count: positions.count)
    for index in 0..<positions.count {
      ends[index] =
        offsets.loadUnaligned(fromByteOffset: (index + 1) * 4, as: UInt32.self) &+ shift
    }
    try checkSize(target)
  }

  @inline(__always)
  private func checkSize(_ target: ColumnValues) throws(ArrowError) {
    do throws(ParquetError) { try target.checkSize() } catch {
      throw ArrowError(error).located("the column `\(field.name)`")
    }
  }
}

// Geometries.
extension ArrowColumn {
  private func appendGeometries(
    _ rows: Range<Int>, to target: ColumnValues
  ) throws(ArrowError) {
    switch field.meaning {
    case .wkt:
      var converter = WKTConverter()
      try appendValues(rows, to: target) { position, heap in
        converter.append(bytes(at: position), to: heap)
      }
    case .shapes(let kind):
      let shapes = try ShapeColumn(self, kind: kind)
      try appendValues(rows, to: target) { (position, heap) throws(ArrowError) in
        try shapes.append(position, to: heap)
      }
    default: try appendBytes(rows, to: target)
    }
  }
}
