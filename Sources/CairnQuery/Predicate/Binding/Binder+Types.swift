import CairnStorage
import CairnValues

extension Binder {
  /// Rejects an ordering operator on a type that has no order.
  func check(
    _ operation: String, isOrder: Bool, resolved: ResolvedExpression
  ) throws(PredicateError) {
    let hasOrder =
      switch resolved.type {
      case .bool, .point, .link, .embedded, .geometry, .lineString, .polygon, .box: false
      default: true
      }
    if isOrder && !hasOrder {
      throw pathError(
        .typeMismatch, message: "Operator '\(operation)' not supported for \(resolved.typedName).")
    }
  }

  /// Rejects a string operator on anything but text and data.
  func checkText(_ operation: MatchOperator, resolved: ResolvedExpression) throws(PredicateError) {
    guard
      [.string, .mixed].contains(resolved.type) || (resolved.type == .data && operation != .search)
    else {
      throw pathError(
        .typeMismatch,
        message: "Operator '\(operation.rawValue)' not supported for \(resolved.typedName).")
    }
  }

  /// Rejects `[c]` and `[d]` on anything but text.
  func checked(
    _ options: StringOptions, resolved: ResolvedExpression, constant: Value
  ) throws(PredicateError) -> StringOptions {
    if options.isEmpty || resolved.type == .string { return options }
    if resolved.type == .mixed {
      // For mixed values the options apply to texts; other values compare as usual.
      if constant.isNull || constant.type == .string { return options }
      throw operandError(
        .typeMismatch,
        message:
          "\(options.text) is for text; the value is of type '\(constant.type?.name ?? "nil")'.")
    }
    throw pathError(
      .typeMismatch, message: "\(options.text) is for text; \(resolved.typedName) is not text.")
  }

  /// The constant, converted to a value that is comparable with the values of the property.
  func converted(_ value: Value, for resolved: ResolvedExpression) throws(PredicateError) -> Value {
    if case .link(let link) = value, let table = resolved.table {
      return try converted(link, for: resolved, table: table)
    }
    if let constant = Binder.convert(value, to: resolved.type) { return constant }
    throw mismatch(value, resolved: resolved)
  }

  /// Checks an object constant against a property that leads to objects of one class.
  private func converted(
    _ link: Link, for resolved: ResolvedExpression, table: TableSchema
  ) throws(PredicateError) -> Value {
    if link == .nowhere || link.table == table.id { return .link(link) }
    let other = classes.tables.first { $0.id == link.table }
    throw operandError(
      .typeMismatch,
      message:
        "Cannot compare an object of class '\(other?.name ?? "?")' to \(resolved.typedName), "
        + "which leads to '\(table.name)'."
    )
  }

  /// The constant of a string operator.
  func convertedText(
    _ value: Value, operation: MatchOperator, for resolved: ResolvedExpression
  ) throws(PredicateError) -> Value {
    let constant = try converted(value, for: resolved)
    switch constant {
    case .string: return constant
    case .data where !operation.takesPattern && !operation.takesConstantText: return constant
    case .data:
      throw operandError(
        .typeMismatch, message: "\(operation.rawValue) takes a text, not data.")
    default:
      throw operandError(
        .typeMismatch, message: "\(operation.rawValue) takes a text, not '\(shown(value))'.")
    }
  }

  /// Rejects a full-text search with a phrase that is too long.
  func checkSearch(_ text: String) throws(PredicateError) {
    guard TextSearch(text) == nil else { return }
    throw operandError(
      .tooLarge,
      message: "A phrase of a full-text search has at most \(TextSearch.maxPhrase) words.")
  }

  /// Rejects an invalid regular expression.
  func checkPattern(_ pattern: String, options: StringOptions) throws(PredicateError) {
    do {
      _ = try RegularExpression(pattern, options: options)
    } catch {
      let place = error.position.map { "At character \($0) of the regular expression: " }
      throw operandError(
        error.position == nil ? .tooLarge : .syntax,
        message: (place ?? "The regular expression is invalid: ") + error.message + ".")
    }
  }

  private func mismatch(_ value: Value, resolved: ResolvedExpression) -> PredicateError {
    operandError(
      .typeMismatch,
      message: "Cannot compare value '\(shown(value))' of type '\(value.type?.name ?? "nil")' "
        + "to \(resolved.typedName).\(hint(value, type: resolved.type))"
    )
  }

  private static func convert(_ value: Value, to type: ValueType) -> Value? {
    switch (type, value) {
    case (.bool, .bool), (.string, .string), (.data, .data), (.date, .date),
      (.objectId, .objectId), (.uuid, .uuid), (.point, .point), (.geometry, .geometry),
      (.lineString, .geometry), (.polygon, .geometry):
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

  /// Converts a number for a float property. It becomes a float if its digits are the shortest
  /// spelling of one, as in `0.1`.
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

  private func hint(_ value: Value, type: ValueType) -> String {
    switch (type, value) {
    case (.objectId, .string): " An object id is written oid(…), or passed as an ObjectId."
    case (.uuid, .string): " A UUID is written uuid(…), or passed as a UUID."
    case (.date, .string): " A date is written 2024-05-01 or 2024-05-01T12:00:00Z."
    case (.string, .int), (.string, .double): " Text is written in quotes."
    case (.link, _), (.embedded, _):
      " Compare an object with an object or nil, or name one of its properties, as in owner.name."
    default: ""
    }
  }
}

extension Value {
  /// Whether no stored value equals the constant.
  var equalsNothing: Bool { isNaN || self == .link(.nowhere) }
}
