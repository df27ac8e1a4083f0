internal import CArrow
import CairnSystem
internal import CairnValues

/// The values of one column of a batch, read in place.
struct ArrowColumn {
  let field: ArrowField
  private let rows: cairn_arrow_array
  /// The values of a dictionary; otherwise the rows themselves.
  private let values: cairn_arrow_array

  init(_ field: ArrowField, _ array: cairn_arrow_array) throws(LayerFailure) {
    self.field = field
    rows = array
    guard field.dictionaryIndex != nil else {
      values = array
      return
    }
    guard let dictionary = array.dictionary else {
      throw LayerFailure("the column `\(field.name)` lacks its dictionary")
    }
    values = dictionary.pointee
  }

  /// Throws unless the column has the rows before an index. The buffers have no sizes of their own, so
  /// the length that the library states is all that there is to compare with.
  func requireRows(upTo end: Int) throws(LayerFailure) {
    guard Int64(end) <= rows.length, rows.offset >= 0 else {
      throw LayerFailure("the column `\(field.name)` lacks some of its rows")
    }
  }

  /// Returns the index of a row's value in the buffers; nil for a null.
  @inline(__always)
  func position(_ row: Int) -> Int? {
    assert(row >= 0 && row < rows.length, "a row is outside of the column")
    let index = Int(rows.offset) + row
    guard Self.isValid(rows, index) else { return nil }
    guard let type = field.dictionaryIndex else { return field.type == .null ? nil : index }
    let number = Int(truncatingIfNeeded: Self.integer(rows, type: type, at: index))
    guard number >= 0, number < values.length else { return nil }
    let position = Int(values.offset) + number
    return Self.isValid(values, position) ? position : nil
  }

  @inline(__always)
  private static func isValid(_ array: cairn_arrow_array, _ index: Int) -> Bool {
    guard array.null_count != 0, array.n_buffers > 0, let bits = array.buffers?[0] else {
      return true
    }
    return bits.load(fromByteOffset: index >> 3, as: UInt8.self) >> UInt8(index & 7) & 1 != 0
  }

  /// A buffer of an array; nil if the array lacks it. Valid until the array is released.
  @inline(__always)
  private static func buffer(_ array: cairn_arrow_array, _ number: Int) -> UnsafeRawPointer? {
    number < array.n_buffers ? array.buffers?[number] ?? nil : nil
  }

  @inline(__always)
  private static func load<T: BitwiseCopyable>(
    _ array: cairn_arrow_array, at index: Int, as type: T.Type
  ) -> T? {
    buffer(array, 1)?.loadUnaligned(fromByteOffset: index * MemoryLayout<T>.size, as: T.self)
  }

  /// Returns an integer of up to 64 bits; unsigned ones of 64 bits have their bits.
  @inline(__always)
  private static func integer(
    _ array: cairn_arrow_array, type: ArrowType, at index: Int
  ) -> Int64 {
    guard case .int(let size, let isSigned) = type else { return 0 }
    switch (size, isSigned) {
    case (1, true): return Int64(load(array, at: index, as: Int8.self) ?? 0)
    case (2, true): return Int64(load(array, at: index, as: Int16.self) ?? 0)
    case (4, true): return Int64(load(array, at: index, as: Int32.self) ?? 0)
    case (1, false): return Int64(load(array, at: index, as: UInt8.self) ?? 0)
    case (2, false): return Int64(load(array, at: index, as: UInt16.self) ?? 0)
    case (4, false): return Int64(load(array, at: index, as: UInt32.self) ?? 0)
    default: return load(array, at: index, as: Int64.self) ?? 0
    }
  }
}

// The values at positions.
extension ArrowColumn {
  /// Returns an integer.
  @inline(__always)
  func int(at position: Int) throws(LayerFailure) -> Int64 {
    let number = Self.integer(values, type: field.type, at: position)
    if number < 0, field.type == .int(size: 8, isSigned: false) {
      throw LayerFailure(
        "the column `\(field.name)` has the number \(UInt64(bitPattern: number)), which is too "
          + "large for an int")
    }
    return number
  }

  func bool(at position: Int) -> Bool {
    guard let bits = Self.buffer(values, 1) else { return false }
    return bits.load(fromByteOffset: position >> 3, as: UInt8.self) >> UInt8(position & 7) & 1 != 0
  }

  @inline(__always)
  func double(at position: Int) -> Double {
    switch field.type {
    case .float(size: 4): Double(Self.load(values, at: position, as: Float.self) ?? .nan)
    case .float: Self.load(values, at: position, as: Double.self) ?? .nan
    default: Double(decimalText(at: position)) ?? .nan
    }
  }

  /// The seconds from 1970 to 2001, where dates begin.
  private static let epoch: Int64 = 978_307_200

  /// Returns the seconds since 2001.
  @inline(__always)
  func date(at position: Int) -> Double {
    switch field.type {
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
    let ticks = Self.load(values, at: position, as: Int64.self) ?? 0
    let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: perSecond)
    return Double(seconds - Self.epoch) + Double(rest) / Double(perSecond)
  }

  /// Returns the bytes of a text or of binary data. Valid until the array is released.
  @inline(__always)
  func bytes(at position: Int) -> UnsafeRawBufferPointer {
    let (start, end): (Int, Int)
    var heap = 2
    switch field.type {
    case .text(isLarge: false), .binary(isLarge: false):
      start = Int(Self.load(values, at: position, as: Int32.self) ?? 0)
      end = Int(Self.load(values, at: position + 1, as: Int32.self) ?? 0)
    case .text, .binary:
      start = Int(Self.load(values, at: position, as: Int64.self) ?? 0)
      end = Int(Self.load(values, at: position + 1, as: Int64.self) ?? 0)
    case .fixedBinary(let size):
      (start, end, heap) = (position * size, (position + 1) * size, 1)
    default: return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    guard let base = Self.buffer(values, heap), start >= 0, start <= end else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(start: base + start, count: end - start)
  }

  /// Returns the text of a value whose type no property has: a time of day, a decimal number, or
  /// JSON of a list.
  func text(at position: Int) throws(LayerFailure) -> String {
    switch field.type {
    case .time(let perSecond, let size):
      return Self.timeText(
        size == 4
          ? Int64(Self.load(values, at: position, as: Int32.self) ?? 0)
          : Self.load(values, at: position, as: Int64.self) ?? 0, perSecond: perSecond)
    case .decimal: return decimalText(at: position)
    default: return try json(at: position)
    }
  }

  private static func timeText(_ ticks: Int64, perSecond: Int64) -> String {
    func digits(_ number: Int64, _ count: Int) -> String {
      let text = "\(number)"
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let (seconds, rest) = ticks.magnitude.quotientAndRemainder(dividingBy: UInt64(perSecond))
    let whole = Int64(seconds)
    var text =
      (ticks < 0 ? "-" : "") + digits(whole / 3600, 2) + ":" + digits(whole / 60 % 60, 2) + ":"
      + digits(whole % 60, 2)
    if rest > 0 {
      text += "." + digits(Int64(rest), "\(perSecond)".count - 1)
      while text.last == "0" { text.removeLast() }
    }
    return text
  }

  private func decimalText(at position: Int) -> String {
    guard case .decimal(_, let scale, let size) = field.type, let base = Self.buffer(values, 1)
    else { return "" }
    var low = base.loadUnaligned(fromByteOffset: position * size, as: UInt64.self)
    var high = base.loadUnaligned(fromByteOffset: position * size + 8, as: UInt64.self)
    let isNegative = Int64(bitPattern: high) < 0
    if isNegative {
      low = ~low &+ 1
      high = ~high &+ (low == 0 ? 1 : 0)
    }
    var digits: [Character] = []
    while high > 0 || low > 0 {
      let (upper, carry) = high.quotientAndRemainder(dividingBy: 10)
      let (lower, rest) = UInt64(10).dividingFullWidth((carry, low))
      (high, low) = (upper, lower)
      digits.append(Character("\(rest)"))
    }
    while digits.count <= scale { digits.append("0") }
    if scale > 0 { digits.insert(".", at: scale) }
    return (isNegative ? "-" : "") + String(digits.reversed())
  }
}

// Lists.
extension ArrowColumn {
  /// Returns the JSON of a value.
  private func json(at position: Int) throws(LayerFailure) -> String {
    switch field.type {
    case .null: return "null"
    case .bool: return bool(at: position) ? "true" : "false"
    case .int: return "\(try int(at: position))"
    case .float:
      let number = double(at: position)
      return number.isFinite ? "\(number)" : "null"
    case .decimal: return decimalText(at: position)
    case .text:
      return JSONString.quoted(String(decoding: bytes(at: position), as: UTF8.self))
    case .binary, .fixedBinary: return JSONString.quoted(Base64.encode(Array(bytes(at: position))))
    case .days, .dayMilliseconds, .timestamp:
      return JSONString.quoted(ISODate.format(date(at: position)))
    case .time: return JSONString.quoted(try text(at: position))
    case .structure: return try structureJSON(at: position)
    case .list, .fixedList, .map: return try listJSON(range(at: position))
    }
  }

  /// The range of a list in the values of the child.
  private func range(at position: Int) -> Range<Int> {
    let (start, end): (Int, Int)
    switch field.type {
    case .fixedList(let count): (start, end) = (position * count, (position + 1) * count)
    case .list(isLarge: true):
      start = Int(Self.load(values, at: position, as: Int64.self) ?? 0)
      end = Int(Self.load(values, at: position + 1, as: Int64.self) ?? 0)
    default:
      start = Int(Self.load(values, at: position, as: Int32.self) ?? 0)
      end = Int(Self.load(values, at: position + 1, as: Int32.self) ?? 0)
    }
    return max(start, 0)..<max(start, end, 0)
  }

  private func listJSON(_ range: Range<Int>) throws(LayerFailure) -> String {
    let child = try child(0)
    try child.requireRows(upTo: range.upperBound)
    var parts: [String] = []
    for row in range {
      parts.append(
        try child.position(row).map { (position) throws(LayerFailure) in
          try child.json(at: position)
        } ?? "null")
    }
    return "[" + parts.joined(separator: ",") + "]"
  }

  private func structureJSON(at position: Int) throws(LayerFailure) -> String {
    var parts: [String] = []
    for index in field.children.indices {
      let child = try child(index)
      try child.requireRows(upTo: position + 1)
      // A structure's own offset applies to its children as well.
      let value = try child.position(position).map { (position) throws(LayerFailure) in
        try child.json(at: position)
      }
      parts.append(JSONString.quoted(child.field.name) + ":" + (value ?? "null"))
    }
    return "{" + parts.joined(separator: ",") + "}"
  }

  private func child(_ index: Int) throws(LayerFailure) -> ArrowColumn {
    guard index < field.children.count, index < values.n_children,
      let array = values.children?[index]
    else { throw LayerFailure("the column `\(field.name)` lacks a part of its values") }
    return try ArrowColumn(field.children[index], array.pointee)
  }
}
