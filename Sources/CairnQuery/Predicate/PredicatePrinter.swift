import CairnGeometry
import CairnValues

/// Writes a tree in the predicate language, in its one canonical spelling.
struct PredicatePrinter {
  private(set) var text = ""

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
    case .compare(let path, let operation, let value, let options):
      print(path, operation.rawValue, options)
      print(value)
    case .compareProperties(let path, let operation, let other, let options):
      print(path, operation.rawValue, options)
      print(other)
    case .between(let path, let lower, let upper):
      print(path, "BETWEEN", [])
      print([lower, upper])
    case .isIn(let path, let values, let options):
      print(path, "IN", options)
      print(values)
    case .match(let path, let operation, let value, let options):
      print(path, operation.rawValue, options)
      print(value)
    case .matchProperties(let path, let operation, let other, let options):
      print(path, operation.rawValue, options)
      print(other)
    case .within(let path, let shape):
      print(path, "GEOWITHIN", [])
      print(shape)
    case .constant, .and, .or, .not: break
    }
  }

  private mutating func print(_ path: PropertyPath, _ operation: String, _ options: StringOptions) {
    print(path)
    text += " \(operation)\(options.text) "
  }

  private mutating func print(_ path: PropertyPath) {
    text += PropertyName.text(of: path)
  }

  private mutating func print(_ value: Value) {
    text += ConstantText.text(of: value)
  }

  private mutating func print(_ values: [Value]) {
    text += "{" + values.map(ConstantText.text).joined(separator: ", ") + "}"
  }

  private mutating func print(_ shape: Shape) {
    text += ShapeText.text(of: shape)
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
