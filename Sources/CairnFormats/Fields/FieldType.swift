package import CairnValues

/// The types that the fields of a file can turn out to have.
package enum FieldType: Sendable, Equatable {
  case int
  case double
  case bool
  case date
  case text
  /// A bool in any of the words that databases use; only where the user says so.
  case boolWord
  /// Seconds since 1970; only where the user says so.
  case epochSeconds
  /// Milliseconds since 1970; only where the user says so.
  case epochMilliseconds
  /// Nothing but nulls, as far as the file has been looked at: text if it stays so.
  case unknown

  package var valueType: ValueType {
    switch self {
    case .int: .int
    case .double: .double
    case .bool, .boolWord: .bool
    case .date, .epochSeconds, .epochMilliseconds: .date
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
  let rawValue: UInt16

  static let int = FieldEvidence(rawValue: 1)
  /// An integer that no double holds exactly.
  static let largeInt = FieldEvidence(rawValue: 2)
  static let double = FieldEvidence(rawValue: 4)
  static let bool = FieldEvidence(rawValue: 8)
  static let date = FieldEvidence(rawValue: 16)
  static let text = FieldEvidence(rawValue: 32)
  /// Besides `date`: some time says no zone.
  static let localDate = FieldEvidence(rawValue: 64)
  /// A word that may mean null, as `NaN`; text, as long as nobody says that it does.
  static let suspect = FieldEvidence(rawValue: 128)

  /// The one type that holds every value exactly; text where there is none, and for nothing but
  /// nulls.
  var type: FieldType {
    switch subtracting(.localDate) {
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
    case .bool, .boolWord: isSubset(of: .bool)
    case .date: isSubset(of: [.date, .localDate])
    case .epochSeconds, .epochMilliseconds: isSubset(of: [.int, .double])
    }
  }

  /// What the bytes of a CSV field spell, quoted or not. Reads up to 24 bytes.
  static func of(
    _ text: UnsafePointer<UInt8>, _ count: Int, _ reading: FieldReading
  ) -> FieldEvidence {
    if let value = IntegerText.parse(text, count) {
      return IntegerText.isExact(value) ? .int : .largeInt
    }
    if DoubleText.parse(text, count) != nil { return .double }
    if BoolText.parse(text, count) != nil { return .bool }
    if let date = DateText.read(text, count, reading) {
      return date.isLocal ? [.date, .localDate] : .date
    }
    if SpelledNumber.int(text, count) != nil { return .int }
    if SpelledNumber.double(text, count) != nil { return .double }
    return NullWords.suspect(text, count) == nil ? .text : .suspect
  }
}
