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
    if case .name(let name, _) = token.kind,
      ["sort", "distinct", "limit"].contains(name.lowercased()), lexer.peek() == UInt8(ascii: "(")
    {
      return error(
        "\(name.uppercased()) is no part of a predicate; results are ordered and cut by methods of theirs.",
        kind: .unsupported)
    }
    return expected(what, hint: hint)
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
