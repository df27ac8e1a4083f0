package import CairnValues

/// The types that a field of a file can have.
public enum FieldType: Sendable, Equatable {
  /// An integer of 64 bits.
  case int
  /// A decimal number.
  case double
  /// `true` or `false`.
  case bool
  /// A date, with or without a time.
  case date
  /// Any text.
  case text
  /// Bytes, in text as Base64; only in files whose columns have types, and for a property of this
  /// type.
  case data
  /// A number of 32 bits; only for a property of this type.
  case float
  /// A decimal number of 34 digits; only for a property of this type.
  case decimal
  /// An `ObjectId`, as 24 hexadecimal digits; only for a property of this type.
  case objectId
  /// A UUID; only for a property of this type.
  case uuid
  /// A bool written in any of the words that databases use; only when the user asks for it.
  case boolWord
  /// Seconds since 1970; only when the user asks for them.
  case epochSeconds
  /// Milliseconds since 1970; only when the user asks for them.
  case epochMilliseconds
  /// Only nulls in the part that was inspected; becomes text if no other value follows. Imports
  /// infer it; it is not meant to be set.
  case unknown

  /// The type of the property that stores the field.
  package var valueType: ValueType {
    switch self {
    case .int: .int
    case .double: .double
    case .bool, .boolWord: .bool
    case .date, .epochSeconds, .epochMilliseconds: .date
    case .text, .unknown: .string
    case .data: .data
    case .float: .float
    case .decimal: .decimal128
    case .objectId: .objectId
    case .uuid: .uuid
    }
  }

  /// Whether ``ParsedText`` reads the values.
  package var isParsedText: Bool {
    switch self {
    case .data, .float, .decimal, .objectId, .uuid: true
    case .int, .double, .bool, .date, .text, .boolWord, .epochSeconds, .epochMilliseconds,
      .unknown:
      false
    }
  }

  init?(_ type: ValueType) {
    switch type {
    case .int: self = .int
    case .double: self = .double
    case .bool: self = .bool
    case .date: self = .date
    case .string: self = .text
    case .data: self = .data
    case .float: self = .float
    case .decimal128: self = .decimal
    case .objectId: self = .objectId
    case .uuid: self = .uuid
    default: return nil
    }
  }
}

/// The kinds of values seen in one column. Sets can be united in any order.
package struct FieldEvidence: OptionSet, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// An integer that a double holds exactly.
  package static let int = FieldEvidence(rawValue: 1)
  /// An integer that no double holds exactly.
  package static let largeInt = FieldEvidence(rawValue: 2)
  /// A number with decimals.
  package static let double = FieldEvidence(rawValue: 4)
  /// A Boolean.
  package static let bool = FieldEvidence(rawValue: 8)
  /// A date.
  package static let date = FieldEvidence(rawValue: 16)
  /// Any other text.
  package static let text = FieldEvidence(rawValue: 32)
  /// Set in addition to `date` when some time does not name a zone.
  package static let localDate = FieldEvidence(rawValue: 64)
  /// Bytes that are no text.
  package static let data = FieldEvidence(rawValue: 256)
  /// A word that may mean null, such as `NaN`; it counts as text unless the user says that it means
  /// null.
  static let suspect = FieldEvidence(rawValue: 128)
  /// An integer beyond 64 bits, which only text and decimals hold exactly.
  static let hugeInt = FieldEvidence(rawValue: 512)
  /// A text such as `14.03.2024`, which an option can read as a date.
  static let dottedDate = FieldEvidence(rawValue: 1024)
  /// A text such as `14/03/2024` or `3/14/2024`.
  static let slashedDate = FieldEvidence(rawValue: 2048)

  /// The one type that holds every value exactly; text when no other type does, and for columns of
  /// only nulls.
  var type: FieldType {
    switch subtracting(.localDate) {
    case .int, .largeInt, [.int, .largeInt]: .int
    case .double, [.int, .double]: .double
    case .bool: .bool
    case .date: .date
    case .data: .data
    default: .text
    }
  }

  /// Whether a column of the type holds every value seen exactly.
  func fits(_ type: FieldType) -> Bool {
    switch type {
    case .text, .objectId, .uuid: !contains(.data)
    case .float: isSubset(of: [.int, .largeInt, .double])
    case .decimal: isSubset(of: [.int, .largeInt, .double, .hugeInt])
    case .data: isSubset(of: .data)
    case .unknown: isEmpty
    case .double: isSubset(of: [.int, .double])
    case .int: isSubset(of: [.int, .largeInt])
    case .bool, .boolWord: isSubset(of: .bool)
    case .date: isSubset(of: [.date, .localDate])
    case .epochSeconds, .epochMilliseconds: isSubset(of: [.int, .double])
    }
  }
}
