/// Removes the ignored differences from code points.
package struct Folding: Sendable {
  /// The ignored differences.
  package let options: StringOptions
  /// The results for the first code points: the code point itself, another one, `dropped`, or
  /// `expands`.
  @usableFromInline let table: [UInt32]

  private static let tableSize: UInt32 = 0x2000
  @usableFromInline static let dropped: UInt32 = 0xFFFF_FFFF
  @usableFromInline static let expands: UInt32 = 0xFFFF_FFFE

  /// The folding for these options. Its table is made once.
  package static func of(_ options: StringOptions) -> Folding {
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
  @inlinable @inline(__always)
  package func fold(_ value: UInt32, body: (UInt32) -> Void) {
    if Int(value) < table.count {
      let folded = table[Int(value)]
      if folded < Folding.expands { return body(folded) }
      if folded == Folding.dropped { return }
    }
    foldRare(value, body: body)
  }

  @usableFromInline @inline(never)
  func foldRare(_ value: UInt32, body: (UInt32) -> Void) {
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
