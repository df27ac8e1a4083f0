import CairnValues

/// What the values of one column come to, over the rows that are not null.
package struct Summary: Sendable, Equatable {
  /// Values that are not null.
  package var count = 0
  /// Of no values 0; of integers exact, as a decimal where 64 bits do not hold it. Null where the
  /// type cannot be added up.
  package var sum = Value.null
  /// Null when there is no value, or the type has no order to speak of.
  package var minimum = Value.null
  package var maximum = Value.null
  /// Of integers a double. Null when there is no value, or the type cannot be added up.
  package var average = Value.null
}

extension ValueType {
  /// Whether values of the type can be added up.
  package var isSummable: Bool { isNumeric }
  /// Whether a least and a greatest value of the type are to be had.
  package var isRanked: Bool { isNumeric || self == .date || self == .string }
}
