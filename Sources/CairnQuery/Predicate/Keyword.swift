/// The words of the language, of any case; a property of that name stands in backquotes.
enum Keyword: String, CaseIterable {
  case and
  case or
  case not
  case between
  case `in`
  case beginsWith = "beginswith"
  case endsWith = "endswith"
  case contains
  case like
  case matches
  case geoWithin = "geowithin"
  case truePredicate = "truepredicate"
  case falsePredicate = "falsepredicate"
  case `true`
  case `false`
  case yes
  case no
  case `nil`
  case null
  case nan
  case inf
  case infinity
  case any
  case some
  case all
  case none
  case subquery
  case `self`

  private static let spellings = allCases.map { ($0, Spelling($0.rawValue.utf8)) }

  /// The word that the name is, if it is one.
  init?(name: String) {
    self.init(bytes: name.utf8)
  }

  /// The word that the bytes are, if they are one.
  init?(bytes: some Collection<UInt8>) {
    guard bytes.count <= 14 else { return nil }
    let spelling = Spelling(bytes)
    for (word, other) in Keyword.spellings where other == spelling {
      self = word
      return
    }
    return nil
  }

  static func isReserved(_ name: String) -> Bool { Keyword(name: name) != nil }
}

/// Up to sixteen bytes in lower case, to be compared at once.
private struct Spelling: Equatable {
  private var words: SIMD2<UInt64> = .zero

  init(_ bytes: some Collection<UInt8>) {
    for byte in bytes {
      let letter = byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
      words[1] = words[1] << 8 | words[0] >> 56
      words[0] = words[0] << 8 | UInt64(letter)
    }
  }
}
