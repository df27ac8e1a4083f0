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
    return (
      codes(buffer, encoding: .integers, values: values, low: bounds.low, high: bounds.high), zone
    )
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

  /// Encodes with a frame of reference and the narrowest codes that reach `high`.
  private static func codes(
    _ buffer: ChunkBuffer, encoding: Encoding, values: UnsafePointer<Int64>, low: Int64,
    high: Int64, exponent: Int = 0
  ) -> [UInt8] {
    let width = codeWidth(UInt64(bitPattern: high &- low))
    let rows = ChunkShape.padded(buffer.count)
    assert(rows <= ChunkShape.rows, "the padding lies outside of the buffer")
    return chunk(
      buffer, encoding: encoding, width: width, exponent: exponent, frame: low, size: rows * width
    ) { data in
      let padded = UnsafeMutablePointer(mutating: values)
      for row in buffer.count..<rows { padded[row] = low }
      switch width {
      case 0: break
      case 1: narrow(values, count: rows, low: low, codes: data.assumingMemoryBound(to: UInt8.self))
      case 2:
        narrow(values, count: rows, low: low, codes: data.assumingMemoryBound(to: UInt16.self))
      case 4:
        narrow(values, count: rows, low: low, codes: data.assumingMemoryBound(to: UInt32.self))
      default:
        narrow(values, count: rows, low: low, codes: data.assumingMemoryBound(to: UInt64.self))
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
    _ values: UnsafePointer<Int64>, count: Int, low: Int64, codes: UnsafeMutablePointer<Code>
  ) {
    for row in 0..<count { codes[row] = Code(truncatingIfNeeded: values[row] &- low) }
  }

  static func doubles(_ buffer: ChunkBuffer) -> ([UInt8], Zone) {
    let zone = doubleZone(buffer) { buffer.doubles[$0] }
    if let bytes = decimals(buffer, zone: zone) { return (bytes, zone) }
    let size = ChunkShape.padded(buffer.count) * 8
    let bytes = chunk(buffer, encoding: .doubles, width: 8, size: size) {
      $0.copyMemory(from: buffer.rows, byteCount: size)
    }
    return (bytes, zone)
  }

  /// Encodes the values as scaled integers, if each converts back bit for bit and they take at most
  /// 4 bytes; nil otherwise.
  private static func decimals(_ buffer: ChunkBuffer, zone: Zone) -> [UInt8]? {
    guard !zone.hasNaN, let exponent = decimalExponent(buffer) else { return nil }
    let scaled = UnsafeMutablePointer<Int64>.allocate(capacity: ChunkShape.rows)
    defer { scaled.deallocate() }
    let power = Decimals.powers[exponent]
    var low = Int64.max
    var high = Int64.min
    for row in 0..<buffer.count where !buffer.isNull(row) {
      let code = Decimals.nearestInteger(buffer.doubles[row] * power)
      guard Decimals.isExact(code, power: power, value: buffer.doubles[row]) else { return nil }
      scaled[row] = Int64(code)
      low = min(low, scaled[row])
      high = max(high, scaled[row])
    }
    if low > high { (low, high) = (0, 0) }
    guard UInt64(bitPattern: high &- low) <= UInt64(UInt32.max) else { return nil }
    if buffer.nullCount > 0 {
      for row in 0..<buffer.count where buffer.isNull(row) { scaled[row] = low }
    }
    return codes(
      buffer, encoding: .decimals, values: scaled, low: low, high: high, exponent: exponent)
  }

  /// Returns the smallest power of ten that makes every value an integer; nil if none up to 10^15
  /// does.
  private static func decimalExponent(_ buffer: ChunkBuffer) -> Int? {
    var exponent = 0
    for row in 0..<buffer.count where !buffer.isNull(row) {
      let value = buffer.doubles[row]
      while true {
        let power = Decimals.powers[exponent]
        if Decimals.isExact(Decimals.nearestInteger(value * power), power: power, value: value) {
          break
        }
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
      Decimals.fitE7(buffer.longitudes, count: rows)
      && Decimals.fitE7(buffer.latitudes, count: rows)
    let width = isFixed ? 4 : 8
    let heap = 2 * rows * width
    let bytes = chunk(
      buffer, encoding: .points, width: width,
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

/// Decimal fractions as scaled integers. Most numbers that people write are decimal fractions, and
/// this form takes half the space of a double or less.
package enum Decimals {
  /// The powers of ten that a double represents exactly.
  package static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  /// 1.5 · 2^52: after adding it to a double of at most 2^51, no bits remain for a fraction.
  private static let roundingMagic = 6_755_399_441_055_744.0
  private static let largest = 2_251_799_813_685_248.0

  /// Returns the integer nearest to `value`, in a few instructions that vectorise. The result is
  /// wrong beyond 2^51, which `isExact` detects.
  @inline(__always)
  static func nearestInteger(_ value: Double) -> Double { (value + roundingMagic) - roundingMagic }

  /// Returns whether `code / power` equals `value`, bit for bit.
  @inline(__always)
  static func isExact(_ code: Double, power: Double, value: Double) -> Bool {
    abs(code) < largest && (code / power) == value && !(code == 0 && value.sign == .minus)
  }

  /// Returns whether every coordinate is a multiple of 1e-7 degrees that an Int32 can represent.
  static func fitE7(_ values: UnsafePointer<Double>, count: Int) -> Bool {
    for row in 0..<count {
      let code = nearestInteger(values[row] * 1e7)
      if !isExact(code, power: 1e7, value: values[row]) || abs(code) > Double(Int32.max) {
        return false
      }
    }
    return true
  }
}
