import CairnValues

/// How the values of two properties are compared for equality in a join. Each has a word of 64 bits,
/// which equal values have in common.
enum KeyKind {
  /// Integers, or truth values.
  case integers
  /// Integers with numbers of floating point. A number that is not whole equals no integer.
  case wholeNumbers
  /// Numbers of floating point, or dates.
  case doubles
  /// Texts, data, UUIDs or object ids, of whose bytes the word is a hash.
  case bytes
  /// Decimal numbers with numbers of any type. The word is that of the nearest double.
  case numbers

  /// Returns nil for types whose values a join does not compare with each other.
  init?(_ one: ValueType, _ other: ValueType) {
    switch (one, other) {
    case (.int, .int), (.bool, .bool): self = .integers
    case (.date, .date): self = .doubles
    case (.string, .string), (.data, .data), (.uuid, .uuid), (.objectId, .objectId): self = .bytes
    case _ where !one.isNumeric || !other.isNumeric: return nil
    case (.decimal128, _), (_, .decimal128): self = .numbers
    case (.int, _), (_, .int): self = .wholeNumbers
    default: self = .doubles
    }
  }

  /// Whether values with the same word are equal.
  var isExact: Bool {
    switch self {
    case .integers, .wholeNumbers, .doubles: true
    case .bytes, .numbers: false
    }
  }
}
