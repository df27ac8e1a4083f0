import CairnStorage
import CairnValues

extension Binder {
  /// Refuses an order of what has none.
  func check(
    _ operation: String, isOrder: Bool, _ column: ColumnSchema
  ) throws(PredicateError) {
    let hasOrder =
      switch column.type {
      case .bool, .point, .link, .embedded, .mixed: false
      default: true
      }
    if isOrder && !hasOrder {
      throw pathError(
        .typeMismatch,
        "Operator '\(operation)' not supported for \(column.words)."
      )
    }
  }

  /// Refuses a string operator on anything but text and data.
  func checkText(_ operation: MatchOperator, _ column: ColumnSchema) throws(PredicateError) {
    guard column.type == .string || column.type == .data else {
      throw pathError(
        .typeMismatch,
        "Operator '\(operation.rawValue)' not supported for \(column.words)."
      )
    }
  }

  /// Refuses `[c]` and `[d]` on anything but text.
  func checked(
    _ options: StringOptions, _ column: ColumnSchema
  ) throws(PredicateError) -> StringOptions {
    guard options.isEmpty || column.type == .string else {
      throw pathError(
        .typeMismatch,
        "\(options.text) is for text; property '\(column.name)' is of type '\(column.type.name)'.")
    }
    return options
  }

  /// The constant as something that compares with what the property holds.
  func converted(_ value: Value, for column: ColumnSchema) throws(PredicateError) -> Value {
    if let constant = Binder.convert(value, to: column.type) { return constant }
    throw operandError(
      .typeMismatch,
      "Cannot compare value '\(shown(value))' of type '\(value.type?.name ?? "nil")' "
        + "to \(column.words).\(hint(value, column.type))"
    )
  }

  private static func convert(_ value: Value, to type: ValueType) -> Value? {
    switch (type, value) {
    case (.bool, .bool), (.string, .string), (.data, .data), (.date, .date),
      (.objectId, .objectId), (.uuid, .uuid), (.point, .point):
      value
    case (.bool, .int(let number)) where number == 0 || number == 1: .bool(number == 1)
    case (.date, .string(let text)): ISODate.parse(text).map { .date($0) }
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
    case (.objectId, .string): " An object id is written oid(…)."
    case (.uuid, .string): " A UUID is written uuid(…)."
    case (.date, .string): " A date is written 2024-05-01 or 2024-05-01T12:00:00Z."
    case (.string, .int), (.string, .double): " A text stands in quotes."
    default: ""
    }
  }
}

extension ColumnSchema {
  /// What messages call the property.
  var words: String { "property '\(name)' of type '\(type.name)'" }
}
