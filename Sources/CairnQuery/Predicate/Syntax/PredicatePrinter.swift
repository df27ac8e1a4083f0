import CairnGeometry
import CairnValues

/// Prints a tree in the predicate language, in its canonical spelling.
struct PredicatePrinter {
  private(set) var text = ""
  /// The variables of the enclosing subqueries.
  private var variables: [String] = []

  static func text(of node: PredicateNode) -> String {
    var printer = PredicatePrinter()
    printer.print(node, within: .or)
    return printer.text
  }

  /// The precedence of the operator around a condition.
  private enum Binding: Int {
    case or
    case and
    case not
  }

  private mutating func print(_ node: PredicateNode, within binding: Binding) {
    switch node {
    case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let parts): join(parts, word: " AND ", inner: .and, around: binding)
    case .or(let parts): join(parts, word: " OR ", inner: .or, around: binding)
    case .not(let part):
      text += "NOT "
      print(part, within: .not)
    default: printCondition(node)
    }
  }

  private mutating func join(
    _ parts: [PredicateNode], word: String, inner: Binding, around outer: Binding
  ) {
    let needsParentheses = outer.rawValue > inner.rawValue
    if needsParentheses { text += "(" }
    for (index, part) in parts.enumerated() {
      if index > 0 { text += word }
      print(part, within: inner)
    }
    if needsParentheses { text += ")" }
  }

  private mutating func printCondition(_ node: PredicateNode) {
    switch node {
    case .compare(let expression, let operation, let operand, let options):
      print(expression, operation: operation.rawValue, options: options)
      print(operand)
    case .between(let expression, let lower, let upper):
      print(expression, operation: "BETWEEN", options: [])
      print([lower, upper])
    case .isIn(let expression, let values, let options):
      print(expression, operation: "IN", options: options)
      print(values)
    case .match(let expression, let operation, let operand, let options):
      print(expression, operation: operation.rawValue, options: options)
      print(operand)
    case .relation(let path, let relation, let operand):
      print(path)
      text += " \(relation.rawValue)"
      if case .property(_, .planar) = operand, !relation.isPlanar { text += "[planar]" }
      text += " "
      print(operand)
    case .distance(let path, let comparison, let operand, let distance):
      text += "GEODISTANCE("
      print(path)
      text += ", "
      print(operand)
      text += ") \(comparison.rawValue) \(ShapeText.length(distance.radians))"
    case .constant, .and, .or, .not: break
    }
  }

  private mutating func print(_ expression: Expression, operation: String, options: StringOptions) {
    print(expression)
    text += " \(operation)\(options.text) "
  }

  private mutating func print(_ operand: Operand) {
    switch operand {
    case .value(let value): text += ConstantText.text(of: value)
    case .expression(let expression): print(expression)
    case .collection(let constant): text += constant.text
    }
  }

  private mutating func print(_ operand: SpatialOperand) {
    switch operand {
    case .shape(let shape): text += ShapeText.text(of: shape)
    case .property(let path, _): print(path)
    }
  }

  private mutating func print(_ values: [Value]) {
    text += "{" + values.map(ConstantText.text).joined(separator: ", ") + "}"
  }

  // MARK: Subjects

  private mutating func print(_ expression: Expression) {
    switch expression {
    case .path(let path): print(path)
    case .aggregate(let function, let path, let below):
      print(path)
      text += ".@\(function.rawValue)"
      if let below { text += PropertyName.text(of: below.components, isBehind: true) }
    case .count(let path, nil):
      print(path)
      text += ".@count"
    case .count(let path, let condition?):
      text += PropertyName.prefix(path.quantifier) + "SUBQUERY("
      print(path.with(.one))
      variables.append(PredicatePrinter.variable(variables.count))
      text += ", \(variables[variables.count - 1]), "
      print(condition, within: .or)
      variables.removeLast()
      text += ").@count"
    }
  }

  /// Inside a subquery every path begins with its variable.
  private mutating func print(_ path: PropertyPath) {
    text += PropertyName.prefix(path.quantifier)
    if let variable = variables.last { text += "\(variable)." }
    text += PropertyName.text(of: path.components)
  }

  /// The variable of a subquery: `$x`, and inside it `$y`, `$z`, `$x3` and so on.
  private static func variable(_ depth: Int) -> String {
    depth < 3 ? ["$x", "$y", "$z"][depth] : "$x\(depth)"
  }
}

extension StringOptions {
  /// `[c]`, `[d]`, `[cd]` or nothing.
  var text: String {
    switch (contains(.caseInsensitive), contains(.diacriticInsensitive)) {
    case (false, false): ""
    case (true, false): "[c]"
    case (false, true): "[d]"
    case (true, true): "[cd]"
    }
  }
}

/// Prints constants in the predicate language.
enum ConstantText {
  static func text(of value: Value) -> String {
    switch value {
    case .null: "nil"
    case .bool(let flag): flag ? "true" : "false"
    case .int(let number): String(number)
    case .float(let number): "float(\(text(Double(number), shortest: "\(number)")))"
    case .double(let number): text(number, shortest: "\(number)")
    case .decimal(let number): "decimal128(\(number))"
    case .string(let text): quoted(text)
    case .data(let bytes): "base64('\(Base64.encode(bytes))')"
    case .date(let seconds): text(ofDate: seconds)
    case .objectId(let id): "oid(\(id))"
    case .uuid(let id): "uuid(\(id))"
    case .link(let link): "object(\(link.table), \(link.key))"
    case .geometry(let bytes): ShapeText.text(of: Geometry(packed: bytes))
    case .box: value.plainText
    case .point(let position):
      "geoPoint"
        + "("
        + ShapeText.coordinates(
          position.longitude, latitude: position.latitude, altitude: position.altitude) + ")"
    }
  }

  /// A text in quotes, with quotes, backslashes and control characters escaped.
  static func quoted(_ text: String) -> String {
    var result = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'": result += "\\'"
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case "\0"..<" ", "\u{7F}": result += "\\u00" + hexadecimal(scalar.value)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "'"
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    (value < 16 ? "0" : "") + String(value, radix: 16)
  }

  private static func text(_ number: Double, shortest: String) -> String {
    if number.isNaN { return "nan" }
    if number.isInfinite { return number < 0 ? "-infinity" : "infinity" }
    return shortest
  }

  /// The date as a bare literal if that reads back exactly, otherwise its seconds.
  private static func text(ofDate seconds: Double) -> String {
    let text = ISODate.format(seconds)
    let isPlain = text.utf8.first.map { $0 &- UInt8(ascii: "0") < 10 } ?? false
    if isPlain, text.utf8.count >= 10, ISODate.parse(text) == seconds { return text }
    return "date(\(ConstantText.text(of: .double(seconds))))"
  }
}
