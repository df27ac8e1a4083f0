extension OutputSink {
  func append(int value: Int64) {
    var digits = value.magnitude
    var length = 1
    var bound: UInt64 = 10
    while length < 19, digits >= bound {
      length += 1
      bound &*= 10
    }
    if length == 19, digits >= 10_000_000_000_000_000_000 { length = 20 }
    let isNegative = value < 0
    let target = reserve(21)
    if isNegative { target.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self) }
    let first = isNegative ? 1 : 0
    for place in stride(from: first + length - 1, through: first, by: -1) {
      let (quotient, digit) = digits.quotientAndRemainder(dividingBy: 10)
      target.storeBytes(of: UInt8(48 + digit), toByteOffset: place, as: UInt8.self)
      digits = quotient
    }
    advance(first + length)
  }

  /// The shortest text that reads back as the same double; it always has a point or an exponent.
  func append(double value: Double) {
    if appendDecimal(value) { return }
    append(value.description)
  }

  /// The shortest text that reads back as the same float.
  func append(float value: Float) { append(value.description) }

  /// Few decimals, as most data has: m / 10^k is rounded correctly, so it reads back as the value;
  /// with at most 15 digits no other text is as short.
  private func appendDecimal(_ value: Double) -> Bool {
    let magnitude = value.magnitude
    guard magnitude < 1e8, magnitude >= 1e-3 else { return false }
    var power = 1.0
    for places in 1...7 {
      power *= 10
      let scaled = (magnitude * power).rounded()
      if scaled / power == magnitude {
        append(scaled: UInt64(scaled), places: places, isNegative: value < 0)
        return true
      }
    }
    return false
  }

  private func append(scaled: UInt64, places: Int, isNegative: Bool) {
    var rest = scaled
    let target = reserve(32)
    var place = 31
    for _ in 0..<places { Self.put(&rest, target, &place) }
    target.storeBytes(of: UInt8(ascii: "."), toByteOffset: place, as: UInt8.self)
    place -= 1
    repeat { Self.put(&rest, target, &place) } while rest > 0
    if isNegative {
      target.storeBytes(of: UInt8(ascii: "-"), toByteOffset: place, as: UInt8.self)
      place -= 1
    }
    let length = 31 - place
    target.copyMemory(from: target + place + 1, byteCount: length)
    advance(length)
  }

  private static func put(
    _ rest: inout UInt64, _ target: UnsafeMutableRawPointer, _ place: inout Int
  ) {
    let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
    target.storeBytes(of: UInt8(48 + digit), toByteOffset: place, as: UInt8.self)
    place -= 1
    rest = quotient
  }
}
