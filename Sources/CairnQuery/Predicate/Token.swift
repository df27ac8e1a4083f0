import CairnValues

/// One word, sign or constant of a predicate's text.
struct Token: Equatable {
  enum Kind: Equatable {
    case end
    /// A name as it stands, and the keyword that it is.
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
    /// `$x`: the element that a subquery speaks of.
    case variable(String)
    case sign(Sign)
  }

  /// Signs; the raw value is how they are written.
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
  /// Where it stands, in bytes of UTF-8.
  let range: Range<Int>

  /// The keyword that the token is.
  var keyword: Keyword? {
    if case .name(_, let keyword) = kind { keyword } else { nil }
  }

  func `is`(_ sign: Sign) -> Bool { kind == .sign(sign) }

  /// Whether the token is `+`, `-`, `*` or `/`.
  var isArithmetic: Bool {
    switch kind {
    case .sign(.plus), .sign(.minus), .sign(.times), .sign(.over): true
    default: false
    }
  }

  /// What to call the token in a message.
  func description(in text: [UInt8]) -> String {
    if kind == .end { return "the end of the predicate" }
    let whole = String(decoding: text[range], as: UTF8.self)
    let shown = whole.count > 40 ? whole.prefix(40) + "…" : whole
    if case .string = kind { return "the text \(shown)" }
    return "'\(shown)'"
  }
}
