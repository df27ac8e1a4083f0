/// Removes the ignored differences from code points.
struct Folding: Sendable {
  let options: StringOptions
  /// The results for the first code points: the code point itself, another one, `dropped`, or
  /// `expands`.
  private let table: [UInt32]

  private static let tableSize: UInt32 = 0x2000
  private static let dropped: UInt32 = 0xFFFF_FFFF
  private static let expands: UInt32 = 0xFFFF_FFFE

  /// The folding for these options. Its table is made once.
  static func of(_ options: StringOptions) -> Folding {
    switch (options.contains(.caseInsensitive), options.contains(.diacriticInsensitive)) {
    case (false, false): none
    case (true, false): ofCase
    case (false, true): ofMarks
    case (true, true): ofBoth
    }
  }

  private static let none = Folding([])
  private static let ofCase = Folding(.caseInsensitive)
  private static let ofMarks = Folding(.diacriticInsensitive)
  private static let ofBoth = Folding([.caseInsensitive, .diacriticInsensitive])

  private init(_ options: StringOptions) {
    self.options = options
    guard !options.isEmpty else {
      table = []
      return
    }
    table = (0..<Folding.tableSize).map { value in
      let folded = Unicode.Scalar(value).map { Folding.folded($0, options: options) } ?? [value]
      return folded.isEmpty ? Folding.dropped : folded.count == 1 ? folded[0] : Folding.expands
    }
  }

  /// Calls `body` with the result for a code point: nothing, one code point or a few.
  @inline(__always)
  func fold(_ value: UInt32, body: (UInt32) -> Void) {
    if Int(value) < table.count {
      let folded = table[Int(value)]
      if folded < Folding.expands { return body(folded) }
      if folded == Folding.dropped { return }
    }
    foldRare(value, body: body)
  }

  @inline(never)
  private func foldRare(_ value: UInt32, body: (UInt32) -> Void) {
    guard !options.isEmpty, let scalar = Unicode.Scalar(value) else { return body(value) }
    for folded in Folding.folded(scalar, options: options) { body(folded) }
  }

  private static func folded(_ scalar: Unicode.Scalar, options: StringOptions) -> [UInt32] {
    var scalars = [scalar.value]
    if options.contains(.diacriticInsensitive) { scalars = scalars.flatMap(withoutMarks) }
    if options.contains(.caseInsensitive) { scalars = scalars.flatMap(withoutCase) }
    // Case folding can leave a mark: U+0130 becomes an i and a combining dot.
    if options.contains(.diacriticInsensitive) { scalars = scalars.flatMap(withoutMarks) }
    return scalars
  }

  private static func withoutMarks(_ value: UInt32) -> [UInt32] {
    if let plain = MarkedLetters.plain[value] { return [plain] }
    guard value >= 0x300, let scalar = Unicode.Scalar(value) else { return [value] }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return []
    default: return [value]
    }
  }

  /// Unicode's full case folding, composed from the standard library's case mappings.
  private static func withoutCase(_ value: UInt32) -> [UInt32] {
    guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenCaseMapped else {
      return [value]
    }
    // A dotless i shares its capital with i, but is another letter.
    if value == 0x131 { return [value] }
    let upper = mapped(scalar.properties.lowercaseMapping) { $0.properties.uppercaseMapping }
    return mapped(upper) { $0.properties.lowercaseMapping }.unicodeScalars.map(\.value)
  }

  private static func mapped(
    _ text: String, mapping: (Unicode.Scalar) -> String
  ) -> String {
    text.unicodeScalars.reduce(into: "") { $0 += mapping($1) }
  }
}

/// Texts as sequences of folded code points, one unit each.
///
/// If one code point folds to several, all units but the first carry `continuation`, so that `?`
/// finds the boundaries of the text's code points.
enum FoldedText {
  static let continuation: UInt32 = 1 << 31

  /// Calls `body` with the units of a text. The memory is valid during the call only.
  static func withUnits<Result>(
    of bytes: UnsafeRawBufferPointer, _ folding: Folding,
    body: (UnsafeBufferPointer<UInt32>) -> Result
  ) -> Result {
    // At most three code points per byte: a code point that folds to several has at least two bytes
    // of UTF-8, and none folds to more than three.
    let capacity = bytes.count * 3 + 1
    return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: capacity) { units in
      var count = 0
      decode(bytes) { scalar in
        var mark: UInt32 = 0
        folding.fold(scalar) { unit in
          units.initializeElement(at: count, to: unit | mark)
          count += 1
          mark = continuation
        }
      }
      return body(UnsafeBufferPointer(rebasing: units[..<count]))
    }
  }

  /// The folded code points of a text, without continuation marks.
  static func codePoints(of text: String, _ folding: Folding) -> [UInt32] {
    Array(text.utf8).withUnsafeBytes {
      withUnits(of: $0, folding) { $0.map { $0 & ~continuation } }
    }
  }

  /// Decodes UTF-8. Each invalid byte counts as one code point.
  @inline(__always)
  private static func decode(_ bytes: UnsafeRawBufferPointer, body: (UInt32) -> Void) {
    var index = 0
    while index < bytes.count {
      let first = bytes[index]
      let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      if length == 1 || first < 0xC0 || index + length > bytes.count {
        body(UInt32(first))
        index += 1
        continue
      }
      var scalar = UInt32(first) & (0x7F >> UInt32(length))
      for offset in 1..<length { scalar = scalar << 6 | UInt32(bytes[index + offset] & 0x3F) }
      body(scalar)
      index += length
    }
  }
}
