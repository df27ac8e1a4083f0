import CairnValues

/// What other predicate languages have, and what to do here in its place.
extension Parser {
  /// The error for a token that fits nowhere, `what` being what would.
  func unexpected(_ what: String, hint: String = "") -> PredicateError {
    if isArithmetic {
      return error(
        "Arithmetic is no part of a predicate; work the value out beforehand, or store it as a property.",
        kind: .unsupported)
    }
    if let clause = foreignClause {
      return error(
        "\(clause) is no part of a predicate; results are ordered and cut by methods of theirs.",
        kind: .unsupported)
    }
    if doublesAQuote {
      return expected(what, hint: " A quote inside a text is written \\' or \\\".")
    }
    return expected(what, hint: hint)
  }

  /// A clause of SQL or Realm that orders or cuts results, in capitals; nil where the token begins none.
  private var foreignClause: String? {
    guard case .name(let name, _) = token.kind else { return nil }
    let word = name.uppercased()
    switch word {
    case "SORT", "DISTINCT", "LIMIT", "OFFSET": return word
    case "ORDER", "GROUP":
      var next = lexer
      guard case .name(let by, _)? = try? next.next().kind, by.uppercased() == "BY" else {
        return nil
      }
      return word + " BY"
    default: return nil
    }
  }

  /// Whether the token is a text directly behind another, as in SQL's `'L''Aquila'`.
  private var doublesAQuote: Bool {
    guard case .string = token.kind, token.range.lowerBound > 0 else { return false }
    return lexer.text[token.range.lowerBound - 1] == lexer.text[token.range.lowerBound]
  }

  /// The error for SQL's `country NOT IN …`, whose NOT belongs in front of the whole condition.
  func misplacedNegation(behind start: Int) -> PredicateError {
    let subject = String(decoding: lexer.text[start..<token.range.lowerBound], as: UTF8.self)
    let rest = String(decoding: lexer.text[token.range.upperBound...], as: UTF8.self)
    let condition = subject + rest.drop { $0 == " " }
    let shown = condition.count > 60 ? condition.prefix(60) + "…" : condition
    return error("NOT stands in front of a condition: write NOT \(shown)")
  }

  /// Whether the token adds, subtracts, multiplies or divides; `a -1` has it in front of a number.
  private var isArithmetic: Bool {
    if case .number = token.kind {
      let first = lexer.text[token.range.lowerBound]
      return first == UInt8(ascii: "+") || first == UInt8(ascii: "-")
    }
    return token.isArithmetic
  }

  /// The error for `name(`.
  func functionError(_ name: String) -> PredicateError {
    let known = ["oid", "uuid", "decimal128", "float", "base64", "date", "object"]
    let shapes = ["geoCircle", "geoBox", "geoPolygon", "geoMultiPolygon", "geoPoint"]
    let message = "Functions are not supported: '\(name)(' is no constant and no shape."
    if let nearest = NearestName.of(name, among: known + shapes) {
      return error("\(message) Did you mean \(nearest)?", kind: .unsupported)
    }
    return error(
      "\(message) Work the value out beforehand and pass it as an argument.", kind: .unsupported)
  }

  /// The error for an `@` that is none of the collection operators.
  func operatorError(_ name: String, at place: Int) -> PredicateError {
    let known = ["count"] + AggregateFunction.allCases.map(\.rawValue) + ["allKeys", "allValues"]
    let message = "'@\(name)' is no collection operator."
    let others = ["average": "avg", "size": "count", "length": "count"]
    if let nearest = others[name.lowercased()] ?? NearestName.of(name, among: known) {
      return error("\(message) Did you mean '@\(nearest)'?", kind: .unsupported, at: place)
    }
    let all = known.map { "@\($0)" }.joined(separator: " ")
    return error("\(message) There are \(all).", kind: .unsupported, at: place)
  }
}
