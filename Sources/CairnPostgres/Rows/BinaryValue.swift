import CairnValues

/// The binary forms of PostgreSQL's types, all big-endian.
///
/// The forms are those of the server's `…send` functions, such as `numeric_send`.
enum BinaryValue {
  /// The seconds from 2000-01-01, from which PostgreSQL counts, to 2001-01-01.
  static let epoch: Double = 366 * 86400
  private static let microsecondsOfEpoch: Int64 = 366 * 86_400_000_000

  @inline(__always)
  static func integer<T: FixedWidthInteger>(
    _ bytes: UnsafeRawBufferPointer, as type: T.Type
  ) throws(ValueProblem) -> T {
    guard bytes.count == MemoryLayout<T>.size else { throw .damaged }
    return T(bigEndian: bytes.loadUnaligned(as: T.self))
  }

  /// Reads a time, with or without a zone, as seconds since 2001-01-01T00:00:00Z.
  @inline(__always)
  static func timestamp(_ bytes: UnsafeRawBufferPointer) throws(ValueProblem) -> Double {
    let microseconds = try integer(bytes, as: Int64.self)
    guard microseconds != .max, microseconds != .min else {
      throw infinity(isNegative: microseconds < 0)
    }
    return seconds(microseconds: microseconds)
  }

  /// Whether a date is another one than the time that it was read from, because a double has fewer
  /// digits. That needs 136 years between the date and 2001.
  @inline(__always)
  static func isRounded(
    _ date: Double, from bytes: UnsafeRawBufferPointer
  ) throws(ValueProblem) -> Bool {
    guard date.magnitude > 4_294_967_296 else { return false }
    return microseconds(date) != (try integer(bytes, as: Int64.self))
  }

  /// Whether the vertices of a geometry in EWKB have measures (M): a flag of its type.
  static func hasMeasures(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 5 else { return false }
    return bytes[bytes[0] == 1 ? 4 : 1] & 0x40 != 0
  }

  /// The date of a number of microseconds as PostgreSQL counts them.
  @inline(__always)
  static func seconds(microseconds: Int64) -> Double {
    // One division rounds once; the difference is exact in integers.
    Double(microseconds - microsecondsOfEpoch) / 1e6
  }

  /// Returns the microseconds of a date as PostgreSQL counts them; nil beyond its range.
  static func microseconds(_ date: Double) -> Int64? {
    let seconds = date.rounded(.down)
    // The last year of a timestamp is 294276, and the sum below fits in 64 bits.
    guard seconds.magnitude < 9.22334e12 else { return nil }
    // The product of a distant date would have fewer digits than its seconds.
    let fraction = Int64(((date - seconds) * 1e6).rounded())
    let result = Int64(seconds) * 1_000_000 + fraction + microsecondsOfEpoch
    return (-211_813_488_000_000_000..<9_223_371_331_200_000_000).contains(result) ? result : nil
  }

  /// Reads a day as the seconds of its beginning in UTC.
  static func date(_ bytes: UnsafeRawBufferPointer) throws(ValueProblem) -> Double {
    let days = try integer(bytes, as: Int32.self)
    guard days != .max, days != .min else { throw infinity(isNegative: days < 0) }
    return Double(days) * 86400 - epoch
  }

  private static func infinity(isNegative: Bool) -> ValueProblem {
    ValueProblem(
      "'\(isNegative ? "-" : "")infinity' is not a date", reason: "infinity is not a date")
  }

  /// Reads an ObjectId, written as 24 hexadecimal digits.
  static func objectId(_ bytes: UnsafeRawBufferPointer) throws(ValueProblem) -> ObjectId {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let id = ObjectId(digits: text) else {
      throw ValueProblem(
        "'\(text)' is not an ObjectId, 24 hexadecimal digits", reason: "not an ObjectId")
    }
    return id
  }

  /// Reads a `numeric`: the numbers of digits, weight, sign and scale, then digits of base 10000.
  static func numeric(_ bytes: UnsafeRawBufferPointer) throws(ValueProblem) -> Decimal128 {
    guard bytes.count >= 8 else { throw .damaged }
    func word(_ index: Int) -> UInt16 {
      UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))
    }
    let count = Int(word(0))
    let weight = Int(Int16(bitPattern: word(1)))
    let scale = Int(word(3))
    guard bytes.count == 8 + count * 2 else { throw .damaged }
    switch word(2) {
    case 0xC000: return try decimal("NaN")
    case 0xD000: return try decimal("Infinity")
    case 0xF000: return try decimal("-Infinity")
    default: break
    }
    var digits = ""
    for index in 0..<count {
      guard word(4 + index) < 10_000 else { throw .damaged }
      let group = String(word(4 + index))
      digits += String(repeating: "0", count: 4 - group.count) + group
    }
    // The digits end at 10000 to the power of weight - count + 1; the scale says how many of them
    // follow the point, trailing zeros included.
    var exponent = 4 * (weight - count + 1)
    let missing = scale + exponent
    if missing > 0, digits.count + missing <= 40 {
      digits += String(repeating: "0", count: missing)
      exponent -= missing
    } else if missing < 0, digits.suffix(-missing).allSatisfy({ $0 == "0" }) {
      digits.removeLast(min(-missing, digits.count))
      exponent -= missing
    }
    let significant = digits.drop { $0 == "0" }
    let stripped = significant.reversed().drop { $0 == "0" }
    let sign = word(2) == 0x4000 ? "-" : ""
    guard stripped.count <= 34 else {
      let shown = significant.count > 40 ? "\(significant.prefix(40))…" : String(significant)
      let power = exponent == 0 || significant.count > 40 ? "" : "E\(exponent)"
      throw ValueProblem(
        "\(sign)\(shown)\(power) has more than the 34 digits of a decimal128; round it in a view",
        reason: "a number has more than 34 digits")
    }
    let last = exponent + significant.count - stripped.count
    // Beyond these powers of ten, a decimal128 would be infinite, or have fewer digits.
    guard stripped.isEmpty || last >= -6176 && last + stripped.count <= 6145 else {
      throw ValueProblem(
        "\(sign)\(String(stripped.reversed()))E\(last) is beyond the range of a decimal128",
        reason: "a number is out of range")
    }
    return try decimal("\(sign)\(digits.isEmpty ? "0" : digits)E\(exponent)")
  }

  private static func decimal(_ text: String) throws(ValueProblem) -> Decimal128 {
    guard let value = Decimal128(text: text) else { throw .damaged }
    return value
  }
}

/// The binary form of arrays.
enum BinaryArray {
  /// Reads an array of one dimension.
  static func values(
    _ bytes: UnsafeRawBufferPointer, of form: ValueForm
  ) throws(ValueProblem) -> [Value] {
    var rest = bytes[...]
    func number() throws(ValueProblem) -> Int {
      guard rest.count >= 4 else { throw .damaged }
      defer { rest = rest.dropFirst(4) }
      return Int(
        try BinaryValue.integer(
          UnsafeRawBufferPointer(rebasing: rest.prefix(4)), as: Int32.self))
    }
    let dimensions = try number()
    _ = (try number(), try number())
    if dimensions == 0 { return [] }
    guard dimensions == 1 else {
      throw ValueProblem(
        "an array has \(dimensions) dimensions; a list has one",
        reason: "an array has several dimensions")
    }
    let count = try number()
    guard count >= 0 else { throw .damaged }
    _ = try number()
    var values: [Value] = []
    for _ in 0..<count {
      let size = try number()
      guard size >= 0 else {
        values.append(.null)
        continue
      }
      guard size <= rest.count else { throw .damaged }
      let element = UnsafeRawBufferPointer(rebasing: rest.prefix(size))
      rest = rest.dropFirst(size)
      values.append(try value(element, form))
    }
    return values
  }

  /// Reads an element, or a value of a column with a form that elements may have.
  static func value(
    _ bytes: UnsafeRawBufferPointer, _ form: ValueForm
  ) throws(ValueProblem) -> Value {
    switch form {
    case .bool: return .bool(try BinaryValue.integer(bytes, as: UInt8.self) != 0)
    case .int16: return .int(Int64(try BinaryValue.integer(bytes, as: Int16.self)))
    case .int32: return .int(Int64(try BinaryValue.integer(bytes, as: Int32.self)))
    case .int64: return .int(try BinaryValue.integer(bytes, as: Int64.self))
    case .oid: return .int(Int64(try BinaryValue.integer(bytes, as: UInt32.self)))
    case .float:
      return .float(Float(bitPattern: try BinaryValue.integer(bytes, as: UInt32.self)))
    case .double:
      return .double(Double(bitPattern: try BinaryValue.integer(bytes, as: UInt64.self)))
    case .numeric: return .decimal(try BinaryValue.numeric(bytes))
    case .text, .castText: return .string(String(decoding: bytes, as: UTF8.self))
    case .bytes: return .data(Array(bytes))
    case .date: return .date(try BinaryValue.date(bytes))
    case .timestamp: return .date(try BinaryValue.timestamp(bytes))
    case .uuid:
      guard bytes.count == 16 else { throw .damaged }
      return .uuid(UUIDBytes(storedBytes: bytes))
    case .objectId: return .objectId(try BinaryValue.objectId(bytes))
    case .geometry, .array, .set: throw .damaged
    }
  }
}
