/// Brings text of one encoding to UTF-8, piece by piece.
struct TextDecoder {
  private enum Method {
    /// UTF-8 of every byte.
    case table([[UInt8]])
    case units(width: Int, isBigEndian: Bool)
    case system(SystemConverter)
  }

  private let encoding: TextEncoding
  private let method: Method
  /// Bytes of a unit that has not come whole, and then the first half of a surrogate pair.
  private var pending: [UInt8] = []
  private var highSurrogate: UInt32?
  /// The line that is read.
  private(set) var line = 1

  /// Nil when the system lacks the encoding.
  ///
  /// - Parameter encoding: not UTF-8.
  init?(_ encoding: TextEncoding) {
    self.encoding = encoding
    switch encoding {
    case .singleByte(let place):
      method = .table(Self.table(SingleByteTables.all[place].characters))
    case .utf16(let isBigEndian): method = .units(width: 2, isBigEndian: isBigEndian)
    case .utf32(let isBigEndian): method = .units(width: 4, isBigEndian: isBigEndian)
    case .utf8: method = .table(Self.table(""))
    case .system(let place):
      guard let converter = SystemConverter(place) else { return nil }
      method = .system(converter)
    }
  }

  /// Appends what a piece of text spells.
  mutating func decode(
    _ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]
  ) throws(DecodingFailure) {
    switch method {
    case .table(let table): try decode(bytes, table, &output)
    case .units(let width, let isBigEndian): try decode(bytes, width, isBigEndian, &output)
    case .system(let converter):
      let start = output.count
      let wrong = converter.convert(bytes, into: &output)
      line += output[start...].count { $0 == 0x0A }
      if let wrong { throw noMeaning(wrong) }
    }
  }

  /// Called when the text has ended.
  func finish() throws(DecodingFailure) {
    var isWhole = pending.isEmpty && highSurrogate == nil
    if case .system(let converter) = method { isWhole = isWhole && converter.isWhole }
    guard isWhole else {
      throw DecodingFailure(
        line: line, what: "the file ends within a character of \(encoding.name)")
    }
  }

  private mutating func decode(
    _ bytes: UnsafeRawBufferPointer, _ table: [[UInt8]], _ output: inout [UInt8]
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
    _ bytes: UnsafeRawBufferPointer, _ width: Int, _ isBigEndian: Bool, _ output: inout [UInt8]
  ) throws(DecodingFailure) {
    var index = 0
    while !pending.isEmpty, pending.count < width, index < bytes.count {
      pending.append(bytes[index])
      index += 1
    }
    if pending.count == width {
      let whole = pending
      pending.removeAll()
      try take(Self.unit(whole[...], isBigEndian), isPaired: width == 2, &output)
    }
    guard pending.isEmpty else { return }
    while index + width <= bytes.count {
      let unit = Self.unit(bytes[index..<index + width], isBigEndian)
      if unit < 0x80, unit != 0x0A, highSurrogate == nil {
        output.append(UInt8(truncatingIfNeeded: unit))
      } else {
        try take(unit, isPaired: width == 2, &output)
      }
      index += width
    }
    pending.append(contentsOf: bytes[index...])
  }

  @inline(__always)
  private static func unit(_ bytes: some Collection<UInt8>, _ isBigEndian: Bool) -> UInt32 {
    var unit: UInt32 = 0
    var shift: UInt32 = 0
    for byte in bytes {
      unit = isBigEndian ? unit << 8 | UInt32(byte) : unit | UInt32(byte) << shift
      shift += 8
    }
    return unit
  }

  private mutating func take(
    _ unit: UInt32, isPaired: Bool, _ output: inout [UInt8]
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
      line: line, what: "half a character stands here, so this is no \(encoding.name)")
  }

  private func noMeaning(_ byte: UInt8) -> DecodingFailure {
    let shown = "0x" + String(byte, radix: 16, uppercase: true)
    let hint = encoding.name == "iso-8859-1" ? ", as `--encoding windows-1252`" : ""
    return DecodingFailure(
      line: line,
      what: "the byte \(shown) has no meaning in \(encoding.name): name the right one\(hint)")
  }

  private static func table(_ characters: StaticString) -> [[UInt8]] {
    let digits = Array(characters.description.utf8)
    return (0..<128).map { place in
      let start = place * 4
      guard start + 4 <= digits.count else { return [] }
      let text = String(decoding: digits[start..<start + 4], as: UTF8.self)
      guard let code = UInt16(text, radix: 16), code != 0xFFFD, let scalar = Unicode.Scalar(code)
      else { return [] }
      return UTF8.encode(scalar).map(Array.init) ?? []
    }
  }
}

/// What keeps text from being decoded, and where.
struct DecodingFailure: Error {
  let line: Int
  let what: String
}
