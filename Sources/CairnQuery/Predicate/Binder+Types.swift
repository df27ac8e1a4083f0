import CairnStorage
import CairnValues

extension Binder {
  /// Refuses an order of what has none.
  func check(
    _ operation: String, isOrder: Bool, _ target: Target
  ) throws(PredicateError) {
    let hasOrder =
      switch target.type {
      case .bool, .point, .link, .embedded: false
      default: true
      }
    if isOrder && !hasOrder {
      throw pathError(.typeMismatch, "Operator '\(operation)' not supported for \(target.words).")
    }
  }

  /// Refuses a string operator on anything but text and data.
  func checkText(_ operation: MatchOperator, _ target: Target) throws(PredicateError) {
    guard [.string, .data, .mixed].contains(target.type) else {
      throw pathError(
        .typeMismatch, "Operator '\(operation.rawValue)' not supported for \(target.words).")
    }
  }

  /// Refuses `[c]` and `[d]` on anything but text.
  func checked(
    _ options: StringOptions, _ target: Target, _ constant: Value
  ) throws(PredicateError) -> StringOptions {
    if options.isEmpty || target.type == .string { return options }
    if target.type == .mixed {
      // Of mixed values the texts are compared so, and the rest as ever.
      if constant.isNull || constant.type == .string { return options }
      throw operandError(
        .typeMismatch,
        "\(options.text) is for text; the value is of type '\(constant.type?.name ?? "nil")'.")
    }
    throw pathError(
      .typeMismatch, "\(options.text) is for text; \(target.words) is none.")
  }

  /// The constant as something that compares with what the property holds.
  func converted(_ value: Value, for target: Target) throws(PredicateError) -> Value {
    if case .link(let link) = value, let table = target.table {
      return try converted(link, for: target, table)
    }
    if let constant = Binder.convert(value, to: target.type) { return constant }
    throw mismatch(value, target)
  }

  /// An object for a property that leads to objects of one class.
  private func converted(
    _ link: Link, for target: Target, _ table: TableSchema
  ) throws(PredicateError) -> Value {
    if link == .nowhere || link.table == table.id { return .link(link) }
    let other = classes.tables.first { $0.id == link.table }
    throw operandError(
      .typeMismatch,
      "Cannot compare an object of class '\(other?.name ?? "?")' to \(target.words), which leads to '\(table.name)'."
    )
  }

  /// The constant of an operator that looks into a text.
  func convertedText(
    _ value: Value, _ operation: MatchOperator, for target: Target
  ) throws(PredicateError) -> Value {
    let constant = try converted(value, for: target)
    switch constant {
    case .string: return constant
    case .data where operation != .like: return constant
    case .data: throw operandError(.typeMismatch, "LIKE takes a text; data has no wildcards.")
    default:
      throw operandError(
        .typeMismatch, "\(operation.rawValue) takes a text, not '\(shown(value))'.")
    }
  }

  private func mismatch(_ value: Value, _ target: Target) -> PredicateError {
    operandError(
      .typeMismatch,
      "Cannot compare value '\(shown(value))' of type '\(value.type?.name ?? "nil")' "
        + "to \(target.words).\(hint(value, target.type))"
    )
  }

  private static func convert(_ value: Value, to type: ValueType) -> Value? {
    switch (type, value) {
    case (.bool, .bool), (.string, .string), (.data, .data), (.date, .date),
      (.objectId, .objectId), (.uuid, .uuid), (.point, .point):
      value
    case (.bool, .int(let number)) where number == 0 || number == 1: .bool(number == 1)
    case (.date, .string(let text)): ISODate.parse(text).map { .date($0) }
    case (.mixed, _), (.link, .link), (.embedded, .link): value
    case (.float, .double(let number)): float(number)
    case (.decimal128, .int(let number)): .decimal(Decimal128(number))
    case (.decimal128, .float(let number)): .decimal(Decimal128(Double(number)))
    case (.decimal128, .double(let number)): .decimal(Decimal128(number))
    case (_, .int), (_, .float), (_, .double), (_, .decimal): type.isNumeric ? value : nil
    default: nil
    }
  }

  /// For a float property a number is meant as a float when its digits are those of one: `0.1`.
  private static func float(_ number: Double) -> Value {
    let near = Float(number)
    return Double("\(near)") == number ? .float(near) : .double(number)
  }

  private func shown(_ value: Value) -> String {
    switch value {
    case .string(let text): text.count > 60 ? text.prefix(60) + "…" : text
    default: ConstantText.text(of: value)
    }
  }

  private func hint(_ value: Value, _ type: ValueType) -> String {
    switch (type, value) {
    case (.objectId, .string): " An object id is written oid(…), or passed as an ObjectId."
    case (.uuid, .string): " A UUID is written uuid(…), or passed as a UUID."
    case (.date, .string): " A date is written 2024-05-01 or 2024-05-01T12:00:00Z."
    case (.string, .int), (.string, .double): " A text stands in quotes."
    case (.link, _), (.embedded, _):
      " An object is compared with an object or nil; for its values follow the path on, as in owner.name."
    default: ""
    }
  }
}

extension Value {
  /// Whether no stored value equals the constant.
  var equalsNothing: Bool { isNaN || self == .link(.nowhere) }
}
