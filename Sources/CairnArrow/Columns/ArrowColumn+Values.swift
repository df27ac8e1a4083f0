internal import CArrow
internal import CairnParquet
import CairnSystem
internal import CairnValues

// The values at positions.
extension ArrowColumn {
  /// Returns an integer.
  @inline(__always)
  package func int(at position: Int) throws(ArrowError) -> Int64 {
    let number = Self.integer(values, type: type, at: position)
    if number < 0, type == .int(size: 8, isSigned: false) {
      throw ArrowError(
        "the column `\(field.name)` has the number \(UInt64(bitPattern: number)), which is too "
          + "large for an int")
    }
    return number
  }

  @inline(__always)
  func bool(at position: Int) -> Bool {
    guard let bits = Self.buffer(values, 1) else { return false }
    return bits.load(fromByteOffset: position >> 3, as: UInt8.self) >> UInt8(position & 7) & 1 != 0
  }

  @inline(__always)
  func double(at position: Int) -> Double {
    switch type {
    case .float(size: 8): Self.load(values, at: position, as: Double.self) ?? .nan
    case .float(size: 4): Double(Self.load(values, at: position, as: Float.self) ?? .nan)
    case .float: NumberConversion.half(Self.load(values, at: position, as: UInt16.self) ?? 0)
    default: decimal(at: position)
    }
  }

  /// The powers of ten that a double holds exactly.
  private static let powers: [Double] = (0...22).map { Double("1e\($0)") ?? 1 }

  /// Returns a decimal number of few digits.
  private func decimal(at position: Int) -> Double {
    guard case .decimal(_, let scale, let size) = type, 0..<Self.powers.count ~= scale,
      let base = Self.buffer(values, 1).map({ $0 + position * size })
    else { return Double(decimalText(at: position)) ?? .nan }
    let number =
      size == 4
      ? Int64(base.loadUnaligned(as: Int32.self)) : base.loadUnaligned(as: Int64.self)
    return Double(number) / Self.powers[scale]
  }

  /// The seconds from 1970 to 2001, where dates begin.
  private static let epoch: Int64 = 978_307_200

  /// Returns the seconds since 2001.
  @inline(__always)
  func date(at position: Int) -> Double {
    switch type {
    case .days:
      return Double(
        Int64(Self.load(values, at: position, as: Int32.self) ?? 0) * 86400 - Self.epoch)
    case .dayMilliseconds: return instant(at: position, perSecond: 1000)
    case .timestamp(let perSecond, _): return instant(at: position, perSecond: perSecond)
    default: return .nan
    }
  }

  @inline(__always)
  private func instant(at position: Int, perSecond: Int64) -> Double {
    let (seconds, rest) = ticks(at: position).quotientAndRemainder(dividingBy: perSecond)
    return Double(seconds) - Double(Self.epoch) + Double(rest) / Double(perSecond)
  }

  private func ticks(at position: Int) -> Int64 {
    Self.load(values, at: position, as: Int64.self) ?? 0
  }

  /// Returns the bytes of a text or of binary data. Valid until the array is released.
  @inline(__always)
  package func bytes(at position: Int) -> UnsafeRawBufferPointer {
    let (start, end): (Int, Int)
    var heap = 2
    switch type {
    case .text(isLarge: false), .binary(isLarge: false):
      start = Int(Self.load(values, at: position, as: Int32.self) ?? 0)
      end = Int(Self.load(values, at: position + 1, as: Int32.self) ?? 0)
    case .text, .binary:
      start = Int(Self.load(values, at: position, as: Int64.self) ?? 0)
      end = Int(Self.load(values, at: position + 1, as: Int64.self) ?? 0)
    case .fixedBinary(let size):
      (start, end, heap) = (position * size, (position + 1) * size, 1)
    case .textView, .binaryView: return view(at: position)
    default: return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    guard let base = Self.buffer(values, heap), start >= 0, start <= end else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(start: base + start, count: end - start)
  }

  /// The most bytes that a view holds itself.
  static let longestInView = 12

  private func view(at position: Int) -> UnsafeRawBufferPointer {
    guard let view = Self.buffer(values, 1).map({ $0 + position * 16 }) else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    let count = Int(view.loadUnaligned(as: Int32.self))
    if 0...Self.longestInView ~= count {
      return UnsafeRawBufferPointer(start: view + 4, count: count)
    }
    let number = Int(view.loadUnaligned(fromByteOffset: 8, as: Int32.self))
    let start = Int(view.loadUnaligned(fromByteOffset: 12, as: Int32.self))
    guard count > 0, number >= 0, start >= 0, let base = Self.buffer(values, 2 + number) else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(start: base + start, count: count)
  }
}

// Values whose types no property has.
extension ArrowColumn {
  /// Returns the text of a value whose type no property has, such as a time of day, or JSON of a list.
  package func text(at position: Int) throws(ArrowError) -> String {
    switch type {
    case .time(let perSecond, let size):
      return ValueText.time(
        size == 4
          ? Int64(Self.load(values, at: position, as: Int32.self) ?? 0) : ticks(at: position),
        perSecond: perSecond)
    case .duration(let perSecond): return durationText(ticks(at: position), perSecond: perSecond)
    case .interval(let unit): return intervalText(at: position, unit)
    case .decimal: return decimalText(at: position)
    case .fixedBinary where field.content.meaning == .uuid:
      return ValueText.uuid(bytes(at: position))
    default:
      var text = ""
      try appendJSON(at: position, to: &text)
      return text
    }
  }

  func decimalText(at position: Int) -> String {
    guard case .decimal(_, let scale, let size) = type, let base = Self.buffer(values, 1) else {
      return ""
    }
    let bytes = UnsafeRawBufferPointer(start: base + position * size, count: size)
    // Parquet has the most significant byte first.
    let text = Array(bytes.reversed()).withUnsafeBytes { ValueText.decimal($0, scale: scale) }
    return scale < 0 && text != "0" ? text + String(repeating: "0", count: -scale) : text
  }

  /// The text of a length of time in ISO 8601.
  private func durationText(_ ticks: Int64, perSecond: Int64) -> String {
    (ticks < 0 ? "-PT" : "PT") + Self.secondsText(ticks.magnitude, perSecond: perSecond)
  }

  private static func secondsText(_ ticks: UInt64, perSecond: Int64) -> String {
    let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: UInt64(perSecond))
    return "\(seconds)" + fraction(rest, of: perSecond) + "S"
  }

  private static func fraction(_ rest: UInt64, of perSecond: Int64) -> String {
    guard rest > 0 else { return "" }
    var digits = "\(UInt64(perSecond) + rest)".dropFirst()
    while digits.last == "0" { digits = digits.dropLast() }
    return "." + digits
  }

  /// The text of an interval in ISO 8601, with a sign for each part.
  private func intervalText(at position: Int, _ unit: ArrowInterval) -> String {
    guard let base = Self.buffer(values, 1).map({ $0 + position * unit.size }) else { return "" }
    func number(_ index: Int) -> Int32 {
      base.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)
    }
    func time(_ ticks: Int64, perSecond: Int64) -> String {
      (ticks < 0 ? "T-" : "T") + Self.secondsText(ticks.magnitude, perSecond: perSecond)
    }
    switch unit {
    case .months: return "P\(number(0))M"
    case .daysAndMilliseconds:
      return "P\(number(0))D" + time(Int64(number(1)), perSecond: 1000)
    case .monthsDaysAndNanoseconds:
      let rest = base.loadUnaligned(fromByteOffset: 8, as: Int64.self)
      return "P\(number(0))M\(number(1))D" + time(rest, perSecond: 1_000_000_000)
    }
  }
}

// Lists.
extension ArrowColumn {
  /// The range of a list in the values of the child.
  func range(at position: Int) -> Range<Int> {
    let (start, end): (Int, Int)
    switch type {
    case .fixedList(let count): (start, end) = (position * count, (position + 1) * count)
    case .list(isLarge: true):
      start = Int(Self.load(values, at: position, as: Int64.self) ?? 0)
      end = Int(Self.load(values, at: position + 1, as: Int64.self) ?? 0)
    case .listView(let isLarge): (start, end) = listView(at: position, isLarge: isLarge)
    default:
      start = Int(Self.load(values, at: position, as: Int32.self) ?? 0)
      end = Int(Self.load(values, at: position + 1, as: Int32.self) ?? 0)
    }
    return max(start, 0)..<max(start, end, 0)
  }

  private func listView(at position: Int, isLarge: Bool) -> (Int, Int) {
    guard let sizes = Self.buffer(values, 2) else { return (0, 0) }
    func number(_ base: UnsafeRawPointer?) -> Int {
      guard let base else { return 0 }
      return isLarge
        ? Int(base.loadUnaligned(fromByteOffset: position * 8, as: Int64.self))
        : Int(base.loadUnaligned(fromByteOffset: position * 4, as: Int32.self))
    }
    let start = number(Self.buffer(values, 1))
    let (end, overflows) = start.addingReportingOverflow(number(sizes))
    return overflows ? (0, 0) : (start, end)
  }

  /// Returns the column of a child.
  func child(_ index: Int) throws(ArrowError) -> ArrowColumn {
    let fields = field.content.children
    guard index < fields.count, index < values.n_children, let array = values.children?[index]
    else { throw ArrowError("the column `\(field.name)` lacks a part of its values") }
    return try ArrowColumn(fields[index], array.pointee)
  }
}
