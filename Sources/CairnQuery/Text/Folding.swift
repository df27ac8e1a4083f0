/// Takes from code points the differences that do not count.
struct Folding: Sendable {
  let options: StringOptions
  /// What the first code points become: themselves, another, `dropped`, or `expands`.
  private let table: [UInt32]

  private static let tableSize: UInt32 = 0x2000
  private static let dropped: UInt32 = 0xFFFF_FFFF
  private static let expands: UInt32 = 0xFFFF_FFFE

  /// The folding of these options; its table is made once.
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
      let folded = Unicode.Scalar(value).map { Folding.folded($0, options) } ?? [value]
      return folded.isEmpty ? Folding.dropped : folded.count == 1 ? folded[0] : Folding.expands
    }
  }

  /// Hands over what the code point becomes: nothing, one code point or a few.
  @inline(__always)
  func fold(_ value: UInt32, _ body: (UInt32) -> Void) {
    if Int(value) < table.count {
      let folded = table[Int(value)]
      if folded < Folding.expands { return body(folded) }
      if folded == Folding.dropped { return }
    }
    foldRare(value, body)
  }

  @inline(never)
  private func foldRare(_ value: UInt32, _ body: (UInt32) -> Void) {
    guard !options.isEmpty, let scalar = Unicode.Scalar(value) else { return body(value) }
    for folded in Folding.folded(scalar, options) { body(folded) }
  }

  private static func folded(_ scalar: Unicode.Scalar, _ options: StringOptions) -> [UInt32] {
    var scalars = [scalar.value]
    if options.contains(.diacriticInsensitive) { scalars = scalars.flatMap(withoutMarks) }
    if options.contains(.caseInsensitive) { scalars = scalars.flatMap(withoutCase) }
    // Folding the case of a letter can leave a mark of its own: that of U+0130 is a dot.
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

  /// Unicode's full case folding, by way of the case mappings that the standard library has.
  private static func withoutCase(_ value: UInt32) -> [UInt32] {
    guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenCaseMapped else {
      return [value]
    }
    // A dotless i has a capital in common with i, but is another letter.
    if value == 0x131 { return [value] }
    let upper = mapped(scalar.properties.lowercaseMapping) { $0.properties.uppercaseMapping }
    return mapped(upper) { $0.properties.lowercaseMapping }.unicodeScalars.map(\.value)
  }

  private static func mapped(
    _ text: String, _ mapping: (Unicode.Scalar) -> String
  ) -> String {
    text.unicodeScalars.reduce(into: "") { $0 += mapping($1) }
  }
}
