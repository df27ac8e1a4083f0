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
  var isParsedText: Bool {
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
struct FieldEvidence: OptionSet, Sendable {
  let rawValue: UInt16

  /// An integer that a double holds exactly.
  static let int = FieldEvidence(rawValue: 1)
  /// An integer that no double holds exactly.
  static let largeInt = FieldEvidence(rawValue: 2)
  static let double = FieldEvidence(rawValue: 4)
  static let bool = FieldEvidence(rawValue: 8)
  static let date = FieldEvidence(rawValue: 16)
  static let text = FieldEvidence(rawValue: 32)
  /// Set in addition to `date` when some time does not name a zone.
  static let localDate = FieldEvidence(rawValue: 64)
  /// Bytes that are no text.
  static let data = FieldEvidence(rawValue: 256)
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

  /// Returns the kind of value in the bytes of a CSV field, quoted or not. Reads up to 24 bytes.
  static func of(
    _ text: UnsafePointer<UInt8>, count: Int, reading: FieldReading
  ) -> FieldEvidence {
    if let value = IntegerText.parse(text, count: count) {
      return IntegerText.isExact(value) ? .int : .largeInt
    }
    if DoubleText.parse(text, count: count) != nil { return .double }
    if BoolText.parse(text, count: count) != nil { return .bool }
    if let date = DateText.read(text, count: count, reading: reading) {
      return date.isLocal ? [.date, .localDate] : .date
    }
    if NumberSpelling.int(text, count: count) != nil { return .int }
    if NumberSpelling.double(text, count: count) != nil { return .double }
    if NullWords.suspect(text, count: count) != nil { return .suspect }
    if let date = otherDate(text, count: count) { return date }
    return isHugeInt(UnsafeBufferPointer(start: text, count: count)) ? .hugeInt : .text
  }

  /// The evidence of a text of two numbers of up to two digits and a year of four, joined by points
  /// or slashes; nil for any other text.
  private static func otherDate(_ text: UnsafePointer<UInt8>, count: Int) -> FieldEvidence? {
    guard 8...10 ~= count, let separator = [1, 2].map({ text[$0] }).first(where: { $0 < 0x30 }),
      separator == UInt8(ascii: ".") || separator == UInt8(ascii: "/")
    else { return nil }
    let parts = UnsafeBufferPointer(start: text, count: count)
      .split(separator: separator, omittingEmptySubsequences: false)
    let isDate =
      parts.count == 3 && parts[2].count == 4
      && parts.allSatisfy { part in
        !part.isEmpty && part.allSatisfy { $0 &- 0x30 < 10 }
      }
    let numbers = parts.prefix(2).map { $0.reduce(0) { $0 * 10 + Int($1 &- 0x30) } }
    guard isDate, numbers.allSatisfy({ 1...31 ~= $0 }),
      separator == UInt8(ascii: ".") ? numbers[1] <= 12 : numbers.contains(where: { $0 <= 12 })
    else { return nil }
    return separator == UInt8(ascii: ".") ? .dottedDate : .slashedDate
  }

  /// Whether a text, which is not an integer of 64 bits, is one of up to 34 digits.
  static func isHugeInt(_ text: some Collection<UInt8>) -> Bool {
    let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text.dropFirst(0)
    return 19...34 ~= digits.count && digits.first != UInt8(ascii: "0")
      && digits.allSatisfy(Digits.isDigit)
  }
}

/// How the text of fields is read: the texts that mean null, and the format of dates.
package struct FieldReading: Sendable {
  /// The texts that mean null.
  package var nulls = NullWords([])
  /// The formats of dates; dates in ISO 8601 are always read as well.
  package var dateFormats: [DateFormat] = []
  /// The time zone of times that do not name one.
  package var timeZone = TimeZoneRules.utc

  package init() {}
}

/// A set of texts that mean null.
package struct NullWords: Sendable {
  private let words: [[UInt8]]
  /// Bit n is set when a word has n bytes; bit 63 covers all longer words as well.
  private let lengths: UInt64

  /// Whether the set is empty.
  let isEmpty: Bool

  /// Creates a set of words.
  package init(_ words: [String]) {
    self.words = words.map { Array($0.utf8) }
    lengths = self.words.reduce(0) { $0 | 1 << UInt64(min(63, $1.count)) }
    isEmpty = words.isEmpty
  }

  /// The words.
  var texts: [String] { words.map { String(decoding: $0, as: UTF8.self) } }

  /// Whether the text equals one of the words, byte for byte.
  @inline(__always)
  func contains(_ text: UnsafePointer<UInt8>, count: Int) -> Bool {
    lengths >> UInt64(min(63, count)) & 1 != 0 && finds(text, count: count)
  }

  private func finds(_ text: UnsafePointer<UInt8>, count: Int) -> Bool {
    let text = UnsafeBufferPointer(start: text, count: count)
    return words.contains { $0.elementsEqual(text) }
  }

  /// Texts that programs write for a missing value, or for one that a number cannot represent.
  static let suspects: Set = [
    "nan", "na", "n/a", "#n/a", "#na", "null", "nil", "none", "\\n", "-", "--", "inf", "+inf",
    "-inf", "infinity", "+infinity", "-infinity", "-nan", "?", ".", "#null!", "(null)", "<na>",
    "<null>", "missing",
  ]

  /// Returns the text if it is one of `suspects`.
  static func suspect(_ text: UnsafePointer<UInt8>, count: Int) -> String? {
    guard count <= 9, count > 0, !Digits.isDigit(text[0]) else { return nil }
    let word = String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    return suspects.contains(word.lowercased()) ? word : nil
  }

  /// Returns the advice for a rejected value that may mean null.
  static func advice(_ text: String) -> ImportMessage {
    suspects.contains(text.lowercased()) ? "; \(option: .nulls, text) makes it null" : ""
  }
}

/// A word that may mean null among values of another type, with its first position.
struct SuspectWord: Sendable, Equatable {
  let word: String
  let position: InputPosition

  /// The number of words that are kept for each column.
  static let kept = 4
}
