import CairnValues

/// One word, sign or constant of a predicate's text.
struct Token: Equatable {
  enum Kind: Equatable {
    case end
    /// A name as written, and its keyword if it is one.
    case name(String, Keyword?)
    /// A name in backquotes.
    case quotedName(String)
    case string(String)
    /// A number and the letters that follow it without a gap: `50km`.
    case number(Value, unit: String)
    case date(Double)
    /// `%@`, `%d`: the next argument.
    case nextArgument
    /// `%K`: the next argument, as a property.
    case nextProperty
    /// `$0`: the argument of that number.
    case argument(Int)
    /// `$x`: the variable of a subquery.
    case variable(String)
    case sign(Sign)
  }

  /// The operators and punctuation marks. The raw value is their spelling.
  enum Sign: String {
    case open = "("
    case close = ")"
    case openBrace = "{"
    case closeBrace = "}"
    case openBracket = "["
    case closeBracket = "]"
    case comma = ","
    case colon = ":"
    case dot = "."
    case at = "@"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case and = "&&"
    case or = "||"
    case not = "!"
    case plus = "+"
    case minus = "-"
    case times = "*"
    case over = "/"
  }

  let kind: Kind
  /// The token's range in the text, in UTF-8 bytes.
  let range: Range<Int>

  /// The keyword of the token, if it is one.
  var keyword: Keyword? {
    if case .name(_, let keyword) = kind { keyword } else { nil }
  }

  /// Whether the token is `%@`, `$0` or the like.
  var isArgument: Bool {
    switch kind {
    case .nextArgument, .argument: true
    default: false
    }
  }

  func `is`(_ sign: Sign) -> Bool { kind == .sign(sign) }

  /// Whether the token is `+`, `-`, `*` or `/`.
  var isArithmetic: Bool {
    switch kind {
    case .sign(.plus), .sign(.minus), .sign(.times), .sign(.over): true
    default: false
    }
  }

  /// The token as messages show it.
  func description(in lexer: Lexer) -> String {
    if kind == .end { return "the end of the \(lexer.subject)" }
    let whole = String(decoding: lexer.text[range], as: UTF8.self)
    let shown = whole.count > 40 ? whole.prefix(40) + "…" : whole
    if case .string = kind { return "the text \(shown)" }
    return "'\(shown)'"
  }
}

/// The reserved words of the language, in any case. A property of that name is written in
/// backquotes.
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
  case geoIntersects = "geointersects"
  case geoContains = "geocontains"
  case geoDisjoint = "geodisjoint"
  case geoTouches = "geotouches"
  case geoCrosses = "geocrosses"
  case geoOverlaps = "geooverlaps"
  case geoEquals = "geoequals"
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

  /// The keyword with that name, if there is one.
  init?(name: String) {
    self.init(bytes: name.utf8)
  }

  /// The keyword spelled by the bytes, if there is one.
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

/// Up to sixteen bytes in lower case, for a comparison in one step.
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
