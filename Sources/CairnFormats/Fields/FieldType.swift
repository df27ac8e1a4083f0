package import CairnValues

/// The types that the fields of a file can turn out to have.
package enum FieldType: Sendable, Equatable {
  case int
  case double
  case bool
  case date
  case text
  /// Nothing but nulls, as far as the file has been looked at: text if it stays so.
  case unknown

  package var valueType: ValueType {
    switch self {
    case .int: .int
    case .double: .double
    case .bool: .bool
    case .date: .date
    case .text, .unknown: .string
    }
  }

  init?(_ type: ValueType) {
    switch type {
    case .int: self = .int
    case .double: self = .double
    case .bool: self = .bool
    case .date: self = .date
    case .string: self = .text
    default: return nil
    }
  }
}

/// What the values of one column were seen to be; sets of it are united in any order.
struct FieldEvidence: OptionSet, Sendable {
  let rawValue: UInt8

  static let int = FieldEvidence(rawValue: 1)
  /// An integer that no double holds exactly.
  static let largeInt = FieldEvidence(rawValue: 2)
  static let double = FieldEvidence(rawValue: 4)
  static let bool = FieldEvidence(rawValue: 8)
  static let date = FieldEvidence(rawValue: 16)
  static let text = FieldEvidence(rawValue: 32)

  /// The one type that holds every value exactly; text where there is none, and for nothing but
  /// nulls.
  var type: FieldType {
    switch self {
    case .int, .largeInt, [.int, .largeInt]: .int
    case .double, [.int, .double]: .double
    case .bool: .bool
    case .date: .date
    default: .text
    }
  }

  /// Whether a column of the type holds every value that was seen, exactly.
  func fits(_ type: FieldType) -> Bool {
    switch type {
    case .text: true
    case .unknown: isEmpty
    case .double: isSubset(of: [.int, .double])
    case .int: isSubset(of: [.int, .largeInt])
    case .bool: isSubset(of: .bool)
    case .date: isSubset(of: .date)
    }
  }

  /// What the bytes of a CSV field spell, quoted or not. Reads up to 24 bytes.
  static func of(_ text: UnsafePointer<UInt8>, _ count: Int) -> FieldEvidence {
    if let value = IntegerText.parse(text, count) {
      return IntegerText.isExact(value) ? .int : .largeInt
    }
    if DoubleText.parse(text, count) != nil { return .double }
    if BoolText.parse(text, count) != nil { return .bool }
    if DateText.parse(text, count) != nil { return .date }
    return .text
  }
}
