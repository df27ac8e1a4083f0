package import CairnValues

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
  package let isEmpty: Bool

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
  package func contains(_ text: UnsafePointer<UInt8>, count: Int) -> Bool {
    lengths >> UInt64(min(63, count)) & 1 != 0 && finds(text, count: count)
  }

  private func finds(_ text: UnsafePointer<UInt8>, count: Int) -> Bool {
    let text = UnsafeBufferPointer(start: text, count: count)
    return words.contains { $0.elementsEqual(text) }
  }
}

/// A word that may mean null among values of another type, with its first position.
package struct SuspectWord: Sendable, Equatable {
  let word: String
  let position: InputPosition

  /// The number of words that are kept for each column.
  static let kept = 4
}
