internal import CairnIO
import CairnSystem
internal import CairnValues

/// The text of values that no type of a property holds.
package enum ValueText {
  /// The text of a time of day, counted in parts of a second.
  package static func time(_ ticks: Int64, perSecond: Int64) -> String {
    let (whole, rest) = ticks.magnitude.quotientAndRemainder(dividingBy: UInt64(perSecond))
    let digits = "\(perSecond)".count - 1
    var text =
      (ticks < 0 ? "-" : "") + padded(whole / 3600, 2) + ":" + padded(whole / 60 % 60, 2) + ":"
      + padded(whole % 60, 2)
    if rest > 0 {
      text += "." + padded(rest, digits)
      while text.last == "0" { text.removeLast() }
    }
    return text
  }

  private static func padded(_ number: UInt64, _ count: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }

  /// The text of a decimal in an integer.
  static func decimal(_ value: Int64, scale: Int) -> String {
    placed("\(value.magnitude)", isNegative: value < 0, scale: scale)
  }

  /// The text of a decimal in bytes, the most significant of them first.
  package static func decimal(_ bytes: UnsafeRawBufferPointer, scale: Int) -> String {
    let isNegative = bytes.first.map { $0 & 0x80 != 0 } ?? false
    var magnitude = Array(bytes)
    if isNegative {
      // Two's complement: the bits change, and one is added.
      var carry = true
      for index in magnitude.indices.reversed() {
        magnitude[index] = ~magnitude[index]
        if carry { (magnitude[index], carry) = magnitude[index].addingReportingOverflow(1) }
      }
    }
    var digits: [Character] = []
    var rest = magnitude[...].drop { $0 == 0 }
    while !rest.isEmpty {
      var carry = 0
      for index in rest.indices {
        let value = carry << 8 | Int(rest[index])
        rest[index] = UInt8(value / 10)
        carry = value % 10
      }
      digits.append(Character("\(carry)"))
      rest = rest.drop { $0 == 0 }
    }
    return placed(String(digits.reversed()), isNegative: isNegative, scale: scale)
  }

  /// Sets the decimal point.
  private static func placed(_ digits: String, isNegative: Bool, scale: Int) -> String {
    let scale = max(0, min(scale, 1000))
    var text = String(repeating: "0", count: max(0, scale + 1 - digits.count)) + digits
    if scale > 0 { text.insert(".", at: text.index(text.endIndex, offsetBy: -scale)) }
    return (isNegative ? "-" : "") + text
  }

  /// The text of a UUID of 16 bytes.
  package static func uuid(_ bytes: UnsafeRawBufferPointer) -> String {
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return text
  }

  /// The text of an interval in ISO 8601: months, days and milliseconds of 4 bytes each.
  static func interval(_ bytes: UnsafeRawBufferPointer) -> String {
    guard bytes.count == 12 else { return "" }
    func number(_ index: Int) -> UInt64 {
      UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)))
    }
    let (seconds, milliseconds) = number(2).quotientAndRemainder(dividingBy: 1000)
    var text = "P\(number(0))M\(number(1))DT\(seconds)"
    if milliseconds > 0 { text += "." + padded(milliseconds, 3) }
    return text + "S"
  }

  /// The text of a number that was decoded, for a column of text.
  static func text(_ bits: UInt64, _ kind: ValueKind) -> String {
    let value = Int64(bitPattern: bits)
    switch kind {
    case .bool: return bits == 0 ? "false" : "true"
    case .time(let unit): return time(value, perSecond: unit.perSecond)
    case .decimalInteger(_, let scale) where kind.columnType == .text:
      return decimal(value, scale: scale)
    case .float, .double, .half, .decimalInteger, .decimalBytes:
      return "\(Double(bitPattern: bits))"
    case .days, .timestamp, .oldTimestamp: return ISODate.format(Double(bitPattern: bits))
    default: return "\(value)"
    }
  }

  /// Returns the text of bytes that are not text themselves; nil for those that are.
  static func text(_ bytes: UnsafeRawBufferPointer, _ kind: ValueKind) -> String? {
    switch kind {
    case .decimalBytes(_, let scale): decimal(bytes, scale: scale)
    case .uuid: uuid(bytes)
    case .interval: interval(bytes)
    default: nil
    }
  }
}
