extension ChunkEncoder {
  static func integers(_ buffer: ChunkBuffer) -> ([UInt8], Zone) {
    let bounds = bounds(buffer)
    let zone = Zone(
      minimum: bounds.low, maximum: bounds.high, nullCount: buffer.nullCount,
      flags: bounds.isEmpty ? 0 : Zone.hasBoundsFlag)
    let values = buffer.integers
    if buffer.nullCount > 0 {
      for row in 0..<buffer.count where buffer.isNull(row) { values[row] = bounds.low }
    }
    return (codes(buffer, .integers, values, low: bounds.low, high: bounds.high), zone)
  }

  private static func bounds(_ buffer: ChunkBuffer) -> (low: Int64, high: Int64, isEmpty: Bool) {
    let values = buffer.integers
    var low = Int64.max
    var high = Int64.min
    if buffer.nullCount == 0 {
      for row in 0..<buffer.count {
        low = min(low, values[row])
        high = max(high, values[row])
      }
    } else {
      for row in 0..<buffer.count where !buffer.isNull(row) {
        low = min(low, values[row])
        high = max(high, values[row])
      }
    }
    return low <= high ? (low, high, false) : (0, 0, true)
  }

  /// A frame of reference and the narrowest codes that reach `high`.
  private static func codes(
    _ buffer: ChunkBuffer, _ encoding: Encoding, _ values: UnsafePointer<Int64>, low: Int64,
    high: Int64, exponent: Int = 0
  ) -> [UInt8] {
    let width = codeWidth(UInt64(bitPattern: high &- low))
    let rows = ChunkShape.padded(buffer.count)
    return chunk(
      buffer, encoding, width: width, exponent: exponent, frame: low, size: rows * width
    ) { data in
      let padded = UnsafeMutablePointer(mutating: values)
      for row in buffer.count..<rows { padded[row] = low }
      switch width {
      case 0: break
      case 1: narrow(values, rows, low, data.assumingMemoryBound(to: UInt8.self))
      case 2: narrow(values, rows, low, data.assumingMemoryBound(to: UInt16.self))
      case 4: narrow(values, rows, low, data.assumingMemoryBound(to: UInt32.self))
      default: narrow(values, rows, low, data.assumingMemoryBound(to: UInt64.self))
      }
    }
  }

  static func codeWidth(_ span: UInt64) -> Int {
    if span == 0 { return 0 }
    if span <= UInt64(UInt8.max) { return 1 }
    if span <= UInt64(UInt16.max) { return 2 }
    return span <= UInt64(UInt32.max) ? 4 : 8
  }

  @inline(__always)
  private static func narrow<Code: FixedWidthInteger>(
    _ values: UnsafePointer<Int64>, _ count: Int, _ low: Int64, _ codes: UnsafeMutablePointer<Code>
  ) {
    for row in 0..<count { codes[row] = Code(truncatingIfNeeded: values[row] &- low) }
  }

  static func doubles(_ buffer: ChunkBuffer) -> ([UInt8], Zone) {
    let zone = doubleZone(buffer) { buffer.doubles[$0] }
    if let bytes = decimals(buffer, zone) { return (bytes, zone) }
    let size = ChunkShape.padded(buffer.count) * 8
    let bytes = chunk(buffer, .doubles, width: 8, size: size) {
      $0.copyMemory(from: buffer.rows, byteCount: size)
    }
    return (bytes, zone)
  }

  /// The values as scaled integers, when each comes back bit for bit and they take at most 4 bytes.
  private static func decimals(_ buffer: ChunkBuffer, _ zone: Zone) -> [UInt8]? {
    guard !zone.hasNaN, let exponent = decimalExponent(buffer) else { return nil }
    let scaled = UnsafeMutablePointer<Int64>.allocate(capacity: ChunkShape.rows)
    defer { scaled.deallocate() }
    let power = Decimals.powers[exponent]
    var low = Int64.max
    var high = Int64.min
    for row in 0..<buffer.count where !buffer.isNull(row) {
      let code = Decimals.nearestInteger(buffer.doubles[row] * power)
      guard Decimals.isExact(code, power, buffer.doubles[row]) else { return nil }
      scaled[row] = Int64(code)
      low = min(low, scaled[row])
      high = max(high, scaled[row])
    }
    if low > high { (low, high) = (0, 0) }
    guard UInt64(bitPattern: high &- low) <= UInt64(UInt32.max) else { return nil }
    if buffer.nullCount > 0 {
      for row in 0..<buffer.count where buffer.isNull(row) { scaled[row] = low }
    }
    return codes(buffer, .decimals, scaled, low: low, high: high, exponent: exponent)
  }

  /// The smallest power of ten that makes every value an integer; nil when none up to 10^15 does.
  private static func decimalExponent(_ buffer: ChunkBuffer) -> Int? {
    var exponent = 0
    for row in 0..<buffer.count where !buffer.isNull(row) {
      let value = buffer.doubles[row]
      while true {
        let power = Decimals.powers[exponent]
        if Decimals.isExact(Decimals.nearestInteger(value * power), power, value) { break }
        exponent += 1
        if exponent == Decimals.powers.count { return nil }
      }
    }
    return exponent
  }

  static func points(_ buffer: ChunkBuffer) -> ([UInt8], Zone) {
    let rows = ChunkShape.padded(buffer.count)
    for row in buffer.count..<rows {
      buffer.longitudes[row] = 0
      buffer.latitudes[row] = 0
    }
    let isFixed =
      Decimals.areMicroSteps(buffer.longitudes, rows)
      && Decimals.areMicroSteps(buffer.latitudes, rows)
    let width = isFixed ? 4 : 8
    let heap = 2 * rows * width
    let bytes = chunk(
      buffer, .points, width: width,
      exponent: buffer.hasAltitudes ? ChunkHeader.altitudesPresent : 0,
      size: heap + (buffer.hasAltitudes ? rows * 8 : 0), heapOffset: heap
    ) { data in
      if isFixed {
        let codes = data.assumingMemoryBound(to: Int32.self)
        for row in 0..<rows {
          codes[row] = Int32(Decimals.nearestInteger(buffer.longitudes[row] * 1e7))
          codes[rows + row] = Int32(Decimals.nearestInteger(buffer.latitudes[row] * 1e7))
        }
      } else {
        data.copyMemory(from: buffer.longitudes, byteCount: rows * 8)
        (data + rows * 8).copyMemory(from: buffer.latitudes, byteCount: rows * 8)
      }
      if buffer.hasAltitudes {
        (data + heap).copyMemory(from: buffer.altitudes, byteCount: rows * 8)
      }
    }
    return (bytes, Zone(nullCount: buffer.nullCount))
  }
}
