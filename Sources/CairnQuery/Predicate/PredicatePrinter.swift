import CairnGeometry
import CairnValues

/// Writes a tree in the predicate language, in its one canonical spelling.
struct PredicatePrinter {
  private(set) var text = ""
  /// Of the subqueries that are open.
  private var variables: [String] = []

  static func text(of node: Node) -> String {
    var printer = PredicatePrinter()
    printer.print(node, within: .or)
    return printer.text
  }

  /// How tightly what stands around a condition binds it.
  private enum Binding: Int {
    case or
    case and
    case not
  }

  private mutating func print(_ node: Node, within binding: Binding) {
    switch node {
    case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let parts): join(parts, " AND ", .and, around: binding)
    case .or(let parts): join(parts, " OR ", .or, around: binding)
    case .not(let part):
      text += "NOT "
      print(part, within: .not)
    default: printCondition(node)
    }
  }

  private mutating func join(
    _ parts: [Node], _ word: String, _ inner: Binding, around outer: Binding
  ) {
    let needsParentheses = outer.rawValue > inner.rawValue
    if needsParentheses { text += "(" }
    for (place, part) in parts.enumerated() {
      if place > 0 { text += word }
      print(part, within: inner)
    }
    if needsParentheses { text += ")" }
  }

  private mutating func printCondition(_ node: Node) {
    switch node {
    case .compare(let subject, let operation, let operand, let options):
      print(subject, operation.rawValue, options)
      print(operand)
    case .between(let subject, let lower, let upper):
      print(subject, "BETWEEN", [])
      print([lower, upper])
    case .isIn(let subject, let values, let options):
      print(subject, "IN", options)
      print(values)
    case .match(let subject, let operation, let operand, let options):
      print(subject, operation.rawValue, options)
      print(operand)
    case .within(let path, let shape):
      print(.path(path), "GEOWITHIN", [])
      text += ShapeText.text(of: shape)
    case .constant, .and, .or, .not: break
    }
  }

  private mutating func print(_ subject: Subject, _ operation: String, _ options: StringOptions) {
    print(subject)
    text += " \(operation)\(options.text) "
  }

  private mutating func print(_ operand: Operand) {
    switch operand {
    case .value(let value): text += ConstantText.text(of: value)
    case .subject(let subject): print(subject)
    case .collection(let constant): text += constant.text
    }
  }

  private mutating func print(_ values: [Value]) {
    text += "{" + values.map(ConstantText.text).joined(separator: ", ") + "}"
  }

  // MARK: Subjects

  private mutating func print(_ subject: Subject) {
    switch subject {
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

  /// `$x`, and inside of it `$y`, `$z`, `$x3` and so on.
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
