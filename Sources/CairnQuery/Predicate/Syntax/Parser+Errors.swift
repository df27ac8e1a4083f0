import CairnValues

/// Errors for syntax of other predicate languages, each with the alternative in this one.
extension Parser {
  /// The error for an unexpected token.
  ///
  /// - Parameter what: The tokens that would be valid here.
  func unexpected(_ what: String, hint: String = "") -> PredicateError {
    if isArithmetic {
      return error(
        "Arithmetic is not part of a predicate; compute the value beforehand, "
          + "or store it as a property.",
        kind: .unsupported)
    }
    if let clause = foreignClause {
      return error(
        "\(clause) is not part of a predicate; results have methods to sort and limit them.",
        kind: .unsupported)
    }
    return expected(what, hint: hint)
  }

  /// A clause of SQL or Realm that orders or limits results, in capitals; nil if the token begins
  /// none.
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

  /// The error for `country NOT == …`. The NOT belongs in front of the whole condition.
  func misplacedNegation(behind start: Int) -> PredicateError {
    let expression = String(decoding: lexer.text[start..<token.range.lowerBound], as: UTF8.self)
    let rest = String(decoding: lexer.text[token.range.upperBound...], as: UTF8.self)
    let condition = expression + rest.drop { $0 == " " }
    let shown = condition.count > 60 ? condition.prefix(60) + "…" : condition
    return error("NOT belongs in front of a condition: write NOT \(shown)")
  }

  /// Whether the token adds, subtracts, multiplies or divides. In `a -1` the lexer has made it part
  /// of a number.
  var isArithmetic: Bool {
    if case .number = token.kind {
      let first = lexer.text[token.range.lowerBound]
      return first == UInt8(ascii: "+") || first == UInt8(ascii: "-")
    }
    return token.isArithmetic
  }

  /// The error for `name(`.
  func functionError(_ name: String) -> PredicateError {
    let known = ["oid", "uuid", "decimal128", "float", "base64", "date", "object"]
    let message = "Functions are not supported: '\(name)(' is neither a constant nor a shape."
    if Parser.distanceNames.contains(name.lowercased()) {
      return error(
        "\(message) A distance is written GEODISTANCE(property, shape) < 5km.", kind: .unsupported)
    }
    if let nearest = NearestName.of(name, among: known + Parser.shapeNames) {
      return error("\(message) Did you mean \(nearest)?", kind: .unsupported)
    }
    return error(
      "\(message) Compute the value beforehand and pass it as an argument.", kind: .unsupported)
  }

  /// The error for an unknown collection operator behind `@`.
  func operatorError(_ name: String, at position: Int) -> PredicateError {
    let known = ["count"] + AggregateFunction.allCases.map(\.rawValue) + ["allKeys", "allValues"]
    let message = "'@\(name)' is not a collection operator."
    let others = ["average": "avg", "size": "count", "length": "count"]
    if let nearest = others[name.lowercased()] ?? NearestName.of(name, among: known) {
      return error("\(message) Did you mean '@\(nearest)'?", kind: .unsupported, at: position)
    }
    let all = known.map { "@\($0)" }.joined(separator: " ")
    return error("\(message) There are \(all).", kind: .unsupported, at: position)
  }
}
