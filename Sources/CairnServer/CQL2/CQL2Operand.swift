import CairnIO
import CairnQuery
import CairnStorage
import CairnValues

/// A property in a filter.
struct CQL2Property {
  let path: PropertyPath
  /// The column at the end of the path.
  let column: ColumnSchema
  /// Whether the property may be null.
  let isNullable: Bool

  /// Whether values of both can be compared.
  func isComparable(with other: CQL2Property) -> Bool {
    let (a, b) = (column.type, other.column.type)
    return a == b || a.isNumeric && b.isNumeric
  }
}

/// A side of a comparison.
struct CQL2Operand {
  /// A property or a constant.
  enum Content {
    case property(CQL2Property)
    case value(Value)
  }

  let content: Content
  /// The differences between texts to ignore.
  var options: StringOptions = []
}

extension CQL2Compiler {
  /// Reads a side of a comparison.
  ///
  /// - Parameter isOfAnyType: Whether the property may have a type that cannot be compared.
  func operand(
    _ term: CQL2Term, isOfAnyType: Bool = false
  ) throws(PredicateError) -> CQL2Operand {
    switch term.content {
    case .bool(let flag): return CQL2Operand(content: .value(.bool(flag)))
    case .number(let value): return CQL2Operand(content: .value(value))
    case .text(let text): return CQL2Operand(content: .value(.string(text)))
    case .instant(let seconds): return CQL2Operand(content: .value(.date(seconds)))
    case .property(let name):
      let property = try property(name, at: term.offset)
      guard isOfAnyType || property.column.isScalar else {
        throw error(
          "'\(name)' is a \(property.column.typeName), which has no comparisons",
          at: term.offset)
      }
      return CQL2Operand(content: .property(property))
    case .operation(let name, let arguments):
      if let folding = CQL2Compiler.folding[name] {
        return try folded(arguments, folding, term: term)
      }
      guard Arithmetic.operators.contains(name) else {
        throw error(
          "'\(name)' is not available as a value", at: term.offset, kind: .unsupported)
      }
      return CQL2Operand(content: .value(try computed(name, arguments, term: term)))
    case .interval, .shape, .list:
      throw error("expected a property or a value", at: term.offset)
    }
  }

  /// Finds a property, or the property at the end of a path of links.
  func property(_ name: String, at offset: Int) throws(PredicateError) -> CQL2Property {
    let classes = collection.context.state.snapshot.schema
    guard let path = ColumnPath(name, of: collection.schema, in: classes) else {
      let names = collection.schema.queryables.map(\.name)
      let hint = NearestName.of(name, among: names).map { "; did you mean '\($0)'?" } ?? ""
      throw error(
        "'\(collection.name)' has no property '\(name)'\(hint)", at: offset,
        kind: .unknownProperty)
    }
    return CQL2Property(
      path: path.path, column: path.end,
      isNullable: path.columns.count > 1 || path.end.isNullable)
  }

  /// The functions that fold a text before it is compared.
  static let folding: [String: StringOptions] = [
    "casei": .caseInsensitive, "accenti": .diacriticInsensitive,
  ]

  private func folded(
    _ arguments: [CQL2Term], _ option: StringOptions, term: CQL2Term
  ) throws(PredicateError) -> CQL2Operand {
    try require(arguments, count: 1, of: term)
    var operand = try operand(arguments[0])
    switch operand.content {
    case .value(.string): break
    case .property(let property) where property.column.type == .string: break
    default: throw error("expected a text", at: arguments[0].offset)
    }
    operand.options.insert(option)
    return operand
  }

  /// Converts a constant to the type of a property.
  func constant(
    _ value: Value, for property: CQL2Property, at offset: Int
  ) throws(PredicateError) -> Value {
    let type = property.column.type
    switch (type, value) {
    case (.bool, .bool), (.string, .string), (.date, .date): return value
    case (.int, .int), (.int, .double), (.float, .int), (.float, .double), (.double, .int),
      (.double, .double), (.decimal128, .int), (.decimal128, .double):
      return value
    case (.date, .string(let text)):
      if let seconds = ISODate.parse(text.uppercased()) { return .date(seconds) }
    case (.uuid, .string(let text)):
      if let id = UUIDBytes(text) { return .uuid(id) }
    case (.objectId, .string(let text)):
      if let id = ObjectId(text) { return .objectId(id) }
    default: break
    }
    throw error(
      "'\(property.column.name)' is of the type \(type.name), and this value is not", at: offset)
  }

  // MARK: Arithmetic

  private func computed(
    _ name: String, _ arguments: [CQL2Term], term: CQL2Term
  ) throws(PredicateError) -> Value {
    try require(arguments, count: 2, of: term)
    var values: [Value] = []
    for argument in arguments {
      guard case .value(let value) = try operand(argument).content else {
        throw error(
          "arithmetic with properties is not available; compare the property with a number",
          at: argument.offset, kind: .unsupported)
      }
      values.append(value)
    }
    guard let result = Arithmetic.value(name, values[0], values[1]) else {
      throw error("the result is not a number", at: term.offset)
    }
    return result
  }
}

/// Arithmetic with constants.
enum Arithmetic {
  static let operators: Set<String> = ["+", "-", "*", "/", "^", "%", "div"]

  /// The result of an operator; nil if it is not a finite number.
  static func value(_ name: String, _ a: Value, _ b: Value) -> Value? {
    if case .int(let x) = a, case .int(let y) = b, let result = integer(name, x, y) {
      return .int(result)
    }
    guard let x = double(a), let y = double(b) else { return nil }
    let result: Double
    switch name {
    case "+": result = x + y
    case "-": result = x - y
    case "*": result = x * y
    case "/": result = x / y
    case "%": result = x.truncatingRemainder(dividingBy: y)
    case "div": result = (x / y).rounded(.towardZero)
    default: result = power(x, y)
    }
    return result.isFinite ? .double(result) : nil
  }

  private static func double(_ value: Value) -> Double? {
    switch value {
    case .int(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  /// The exact result; nil for a quotient with a fraction, and if it does not fit.
  private static func integer(_ name: String, _ x: Int64, _ y: Int64) -> Int64? {
    func exact(_ result: (partialValue: Int64, overflow: Bool)) -> Int64? {
      result.overflow ? nil : result.partialValue
    }
    switch name {
    case "+": return exact(x.addingReportingOverflow(y))
    case "-": return exact(x.subtractingReportingOverflow(y))
    case "*": return exact(x.multipliedReportingOverflow(by: y))
    case "%": return exact(x.remainderReportingOverflow(dividingBy: y))
    case "div": return exact(x.dividedReportingOverflow(by: y))
    case "/":
      guard exact(x.remainderReportingOverflow(dividingBy: y)) == 0 else { return nil }
      return exact(x.dividedReportingOverflow(by: y))
    default: return nil
    }
  }

  /// A power with a whole exponent of moderate size; NaN for others.
  private static func power(_ base: Double, _ exponent: Double) -> Double {
    guard exponent == exponent.rounded(), abs(exponent) <= 1024 else { return .nan }
    var result = 1.0
    for _ in 0..<Int(abs(exponent)) { result *= base }
    return exponent < 0 ? 1 / result : result
  }
}

/// A pattern of LIKE: `%` matches any text, `_` matches one character, and a character after a
/// backslash matches only itself.
struct LikePattern {
  private enum Part: Equatable {
    case literal(Unicode.Scalar)
    case one
    case run
  }

  private var parts: [Part] = []

  init(_ text: String) {
    var isEscaped = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case _ where isEscaped:
        parts.append(.literal(scalar))
        isEscaped = false
      case "\\": isEscaped = true
      case "%": parts.append(.run)
      case "_": parts.append(.one)
      default: parts.append(.literal(scalar))
      }
    }
    if isEscaped { parts.append(.literal("\\")) }
  }

  /// The condition in the predicate language, whose own LIKE has `*` and `?` without an escape.
  func condition(on expression: Expression, options: StringOptions) -> PredicateNode {
    let literals = parts.compactMap { part -> Unicode.Scalar? in
      if case .literal(let scalar) = part { scalar } else { nil }
    }
    if literals.count == parts.count {
      let text = String(String.UnicodeScalarView(literals))
      return .compare(expression, .equal, .value(.string(text)), options)
    }
    let isPlain = !literals.contains("*") && !literals.contains("?")
    return .match(
      expression, isPlain ? .like : .matches,
      .value(.string(isPlain ? wildcards : regularExpression)), options)
  }

  private var wildcards: String {
    parts.map { part in
      switch part {
      case .literal(let scalar): String(scalar)
      case .one: "?"
      case .run: "*"
      }
    }.joined()
  }

  private var regularExpression: String {
    parts.map { part in
      switch part {
      case .literal(let scalar):
        "\\^$.|?*+()[]{}-/".unicodeScalars.contains(scalar) ? "\\\(scalar)" : String(scalar)
      case .one: "[\\s\\S]"
      case .run: "[\\s\\S]*"
      }
    }.joined()
  }
}
