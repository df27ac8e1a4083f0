extension CodePointSet {
  /// `\d`: the decimal digits of all scripts.
  static let digits = GeneralCategories.members(of: ["Nd"])

  /// `\w`: letters, marks, decimal digits, connecting punctuation such as `_`, letters in circles,
  /// and the zero-width joiners.
  static let words = GeneralCategories.members(of: [
    "Lu", "Ll", "Lt", "Lm", "Lo", "Nl", "Mn", "Mc", "Me", "Nd", "Pc",
  ]).union(
    CodePointSet([
      0x24B6...0x24E9, 0x1F130...0x1F149, 0x1F150...0x1F169, 0x1F170...0x1F189, 0x200C...0x200D,
    ]))

  /// `\s`: white space.
  static let blanks = CodePointSet([
    0x9...0xD, 0x20...0x20, 0x85...0x85, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A,
    0x2028...0x2029, 0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000,
  ])

  /// The ends of lines, which `.` does not match.
  static let lineEnds = CodePointSet([0xA...0xD, 0x85...0x85, 0x2028...0x2029])

  /// The code points of a general category such as `Lu`, or of a group of them such as `L`.
  /// Returns nil for an unknown name.
  static func category(_ name: String) -> CodePointSet? {
    let names = GeneralCategories.names.filter { $0.hasPrefix(name) }
    if name == "LC" { return GeneralCategories.members(of: ["Lu", "Ll", "Lt"]) }
    guard (1...2).contains(name.utf8.count), !names.isEmpty else { return nil }
    return GeneralCategories.members(of: names)
  }
}

/// The code points of each of Unicode's general categories.
private enum GeneralCategories {
  /// The categories by their short names, in the order of `number(of:)`.
  static let names = [
    "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi",
    "Pf", "Po", "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co", "Cn",
  ]

  static func members(of wanted: [String]) -> CodePointSet {
    CodePointSet(wanted.flatMap { name in names.firstIndex(of: name).map { ranges[$0] } ?? [] })
  }

  /// The planes 4 to 13 have no assigned code point, the last two are for private use, and plane 14
  /// has assigned ones only at its beginning.
  private static let searched: [ClosedRange<UInt32>] = [
    0...0xD7FF, 0xE000...0x3FFFF, 0xE0000...0xE0FFF,
  ]

  private static let ranges: [[ClosedRange<UInt32>]] = {
    var ranges: [[ClosedRange<UInt32>]] = Array(repeating: [], count: names.count)
    for codePoints in searched { collect(codePoints, into: &ranges) }
    ranges[number(of: .surrogate)].append(0xD800...0xDFFF)
    ranges[number(of: .unassigned)] += [
      0x40000...0xDFFFF, 0xE1000...0xEFFFF, 0xFFFFE...0xFFFFF, 0x10FFFE...0x10FFFF,
    ]
    ranges[number(of: .privateUse)] += [0xF0000...0xFFFFD, 0x100000...0x10FFFD]
    return ranges
  }()

  /// Adds each run of code points of one category to the ranges of that category.
  private static func collect(
    _ codePoints: ClosedRange<UInt32>, into ranges: inout [[ClosedRange<UInt32>]]
  ) {
    var first = codePoints.lowerBound
    var current = category(first)
    for codePoint in codePoints.dropFirst() {
      let next = category(codePoint)
      if next != current {
        ranges[number(of: current)].append(first...codePoint - 1)
        first = codePoint
        current = next
      }
    }
    ranges[number(of: current)].append(first...codePoints.upperBound)
  }

  private static func category(_ codePoint: UInt32) -> Unicode.GeneralCategory {
    Unicode.Scalar(codePoint)?.properties.generalCategory ?? .surrogate
  }

  private static func number(of category: Unicode.GeneralCategory) -> Int {
    switch category {
    case .uppercaseLetter: 0
    case .lowercaseLetter: 1
    case .titlecaseLetter: 2
    case .modifierLetter: 3
    case .otherLetter: 4
    case .nonspacingMark: 5
    case .spacingMark: 6
    case .enclosingMark: 7
    case .decimalNumber: 8
    case .letterNumber: 9
    case .otherNumber: 10
    case .connectorPunctuation: 11
    case .dashPunctuation: 12
    case .openPunctuation: 13
    case .closePunctuation: 14
    case .initialPunctuation: 15
    case .finalPunctuation: 16
    case .otherPunctuation: 17
    case .mathSymbol: 18
    case .currencySymbol: 19
    case .modifierSymbol: 20
    case .otherSymbol: 21
    case .spaceSeparator: 22
    case .lineSeparator: 23
    case .paragraphSeparator: 24
    case .control: 25
    case .format: 26
    case .surrogate: 27
    case .privateUse: 28
    case .unassigned: 29
    @unknown default: 29
    }
  }
}
