/// Decodes text of one encoding to UTF-8, piece by piece.
struct TextDecoder {
  private enum Method {
    /// The UTF-8 of every byte.
    case table([[UInt8]])
    case units(width: Int, isBigEndian: Bool)
    case system(SystemConverter)
  }

  private let encoding: TextEncoding
  private let method: Method
  /// The bytes of an incomplete unit.
  private var pending: [UInt8] = []
  /// The first half of a surrogate pair.
  private var highSurrogate: UInt32?
  /// The number of the current line.
  private(set) var line = 1

  /// Returns nil when the system does not support the encoding.
  ///
  /// - Parameter encoding: Any encoding but UTF-8.
  init?(_ encoding: TextEncoding) {
    self.encoding = encoding
    switch encoding {
    case .singleByte(let index):
      method = .table(Self.table(SingleByteTables.all[index].characters))
    case .utf16(let isBigEndian): method = .units(width: 2, isBigEndian: isBigEndian)
    case .utf32(let isBigEndian): method = .units(width: 4, isBigEndian: isBigEndian)
    case .utf8: method = .table(Self.table(""))
    case .system(let index):
      guard let converter = SystemConverter(index) else { return nil }
      method = .system(converter)
    }
  }

  /// Appends the decoded text of a piece.
  mutating func decode(
    _ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]
  ) throws(DecodingFailure) {
    switch method {
    case .table(let table): try decode(bytes, table: table, output: &output)
    case .units(let width, let isBigEndian):
      try decode(bytes, width: width, isBigEndian: isBigEndian, output: &output)
    case .system(let converter):
      let start = output.count
      let wrong = converter.convert(bytes, into: &output)
      line += output[start...].count { $0 == 0x0A }
      if let wrong { throw noMeaning(wrong) }
    }
  }

  /// Checks, after the last piece, that the text did not end within a character.
  func finish() throws(DecodingFailure) {
    var isWhole = pending.isEmpty && highSurrogate == nil
    if case .system(let converter) = method { isWhole = isWhole && converter.isWhole }
    guard isWhole else {
      throw DecodingFailure(
        line: line, what: "the file ends within a character of \(encoding.name)")
    }
  }

  private mutating func decode(
    _ bytes: UnsafeRawBufferPointer, table: [[UInt8]], output: inout [UInt8]
  ) throws(DecodingFailure) {
    var index = 0
    while index < bytes.count {
      let end = bytes[index...].firstIndex { $0 >= 0x80 } ?? bytes.count
      output.append(contentsOf: bytes[index..<end])
      index = end
      while index < bytes.count, bytes[index] >= 0x80 {
        let text = table[Int(bytes[index]) - 0x80]
        guard !text.isEmpty else {
          line += Self.newlines(bytes[..<index])
          throw noMeaning(bytes[index])
        }
        output.append(contentsOf: text)
        index += 1
      }
    }
    line += Self.newlines(bytes[...])
  }

  private static func newlines(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
    bytes.count { $0 == 0x0A }
  }

  private mutating func decode(
    _ bytes: UnsafeRawBufferPointer, width: Int, isBigEndian: Bool, output: inout [UInt8]
  ) throws(DecodingFailure) {
    var index = 0
    while !pending.isEmpty, pending.count < width, index < bytes.count {
      pending.append(bytes[index])
      index += 1
    }
    if pending.count == width {
      let whole = pending
      pending.removeAll()
      try take(
        Self.unit(whole[...], isBigEndian: isBigEndian), isPaired: width == 2, output: &output)
    }
    guard pending.isEmpty else { return }
    while index + width <= bytes.count {
      let unit = Self.unit(bytes[index..<index + width], isBigEndian: isBigEndian)
      if unit < 0x80, unit != 0x0A, highSurrogate == nil {
        output.append(UInt8(truncatingIfNeeded: unit))
      } else {
        try take(unit, isPaired: width == 2, output: &output)
      }
      index += width
    }
    pending.append(contentsOf: bytes[index...])
  }

  @inline(__always)
  private static func unit(_ bytes: some Collection<UInt8>, isBigEndian: Bool) -> UInt32 {
    var unit: UInt32 = 0
    var shift: UInt32 = 0
    for byte in bytes {
      unit = isBigEndian ? unit << 8 | UInt32(byte) : unit | UInt32(byte) << shift
      shift += 8
    }
    return unit
  }

  private mutating func take(
    _ unit: UInt32, isPaired: Bool, output: inout [UInt8]
  ) throws(DecodingFailure) {
    if unit == 0x0A { line += 1 }
    var scalar = unit
    if let high = highSurrogate {
      guard unit & 0xFC00 == 0xDC00 else { throw unpaired }
      scalar = 0x10000 + (high & 0x3FF) << 10 + unit & 0x3FF
      highSurrogate = nil
    } else if isPaired, unit & 0xFC00 == 0xD800 {
      highSurrogate = unit
      return
    }
    guard let scalar = Unicode.Scalar(scalar) else { throw unpaired }
    output.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
  }

  private var unpaired: DecodingFailure {
    DecodingFailure(
      line: line, what: "half a surrogate pair here shows that this is not \(encoding.name)")
  }

  private func noMeaning(_ byte: UInt8) -> DecodingFailure {
    let shown = "0x" + String(byte, radix: 16, uppercase: true)
    let hint: ImportMessage =
      encoding.name == "iso-8859-1" ? ", such as \(option: .encoding, "windows-1252")" : ""
    return DecodingFailure(
      line: line,
      what: "the byte \(shown) has no meaning in \(encoding.name); name the right encoding\(hint)")
  }

  private static func table(_ characters: StaticString) -> [[UInt8]] {
    let digits = Array(characters.description.utf8)
    return (0..<128).map { index in
      let start = index * 4
      guard start + 4 <= digits.count else { return [] }
      let text = String(decoding: digits[start..<start + 4], as: UTF8.self)
      guard let code = UInt16(text, radix: 16), code != 0xFFFD, let scalar = Unicode.Scalar(code)
      else { return [] }
      return UTF8.encode(scalar).map(Array.init) ?? []
    }
  }
}

/// The reason why text cannot be decoded, and the line.
struct DecodingFailure: Error {
  let line: Int
  let what: ImportMessage
}

/// Checks that bytes are well-formed UTF-8 (no surrogates, no overlong forms).
package enum UTF8Check {
  /// Returns the index of the first malformed byte, or nil when the bytes are valid.
  package static func firstError(_ bytes: UnsafePointer<UInt8>, range: Range<Int>) -> Int? {
    assert(range.lowerBound >= 0, "the bytes begin at their pointer")
    var index = range.lowerBound
    while true {
      index = skipASCII(bytes, from: index, end: range.upperBound)
      guard index < range.upperBound else { return nil }
      let length = sequenceLength(bytes, at: index, end: range.upperBound)
      if length == 0 { return index }
      index += length
    }
  }

  @inline(__always)
  private static func skipASCII(_ bytes: UnsafePointer<UInt8>, from: Int, end: Int) -> Int {
    var index = from
    while index &+ 32 <= end {
      let wide = UnsafeRawPointer(bytes + index).loadUnaligned(as: SIMD4<UInt64>.self)
      if (wide[0] | wide[1] | wide[2] | wide[3]) & 0x8080_8080_8080_8080 != 0 { break }
      index &+= 32
    }
    while index < end, bytes[index] < 0x80 { index &+= 1 }
    return index
  }

  /// Returns the length of the sequence that begins with a non-ASCII byte, or 0 when it is
  /// malformed.
  private static func sequenceLength(
    _ bytes: UnsafePointer<UInt8>, at index: Int, end: Int
  ) -> Int {
    assert(index < end, "the byte is outside of the range")
    let lead = bytes[index]
    let length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0
    guard length > 0, index + length <= end else { return 0 }
    let second = bytes[index + 1]
    let least: UInt8 = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
    let most: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
    guard second >= least, second <= most else { return 0 }
    for offset in 2..<max(2, length) where bytes[index + offset] & 0xC0 != 0x80 { return 0 }
    return length
  }
}
