internal import CSimdJSON

/// The value of one column of one Feature, before it is certain that the Feature is stored.
struct StagedValue {
  enum State {
    case absent
    case null
    case bits(UInt64)
    case text(UnsafePointer<UInt8>, Int)
  }

  var state = State.absent

  /// Takes in a value that is certainly well formed and of the type; false for any other, and for those that
  /// `take(_:as:_:)` reads.
  ///
  /// - Parameter hasNulls: some strings mean null.
  @inline(__always)
  mutating func take(_ value: csimdjson_value, as type: FieldType, hasNulls: Bool) -> Bool {
    let (text, count) = FeatureReader.bytes(value)
    let bits: UInt64?
    switch csimdjson_kind(value.kind) {
    case CSIMDJSON_NULL:
      state = .null
      return true
    case CSIMDJSON_STRING where type == .text && !hasNulls:
      state = .text(text, count)
      return true
    case CSIMDJSON_NUMBER where type == .int:
      bits = IntegerText.parse(text, count).map { UInt64(bitPattern: $0) }
    case CSIMDJSON_NUMBER where type == .double:
      bits = FeatureReader.isJSON(text) ? CSVColumns.exactNumber(text, count)?.bitPattern : nil
    case CSIMDJSON_TRUE where type == .bool: bits = 1
    case CSIMDJSON_FALSE where type == .bool: bits = 0
    default: bits = nil
    }
    guard let bits else { return false }
    state = .bits(bits)
    return true
  }

  /// Takes in a value by what the user says of texts: a null, a date, or one of a type that only the user can name.
  mutating func take(
    _ value: csimdjson_value, as type: FieldType, _ reading: FieldReading
  ) -> Bool {
    let (text, count) = FeatureReader.bytes(value)
    let bits: UInt64?
    switch csimdjson_kind(value.kind) {
    case CSIMDJSON_STRING where reading.nulls.contains(text, count):
      state = .null
      return true
    case CSIMDJSON_STRING where type == .text:
      state = .text(text, count)
      return true
    case CSIMDJSON_STRING where type == .date:
      bits = DateText.parse(text, count, reading)?.bitPattern
    case CSIMDJSON_NUMBER where !JSONNumber.isValid(text, count): bits = nil
    case CSIMDJSON_NUMBER, CSIMDJSON_STRING, CSIMDJSON_TRUE, CSIMDJSON_FALSE:
      bits = Self.forced(text, count, type, reading)
    default: bits = nil
    }
    guard let bits else { return false }
    state = .bits(bits)
    return true
  }

  /// A value of a type that only the user can name.
  private static func forced(
    _ text: UnsafePointer<UInt8>, _ count: Int, _ type: FieldType, _ reading: FieldReading
  ) -> UInt64? {
    switch type {
    case .boolWord: BoolText.parseWord(text, count).map { $0 ? 1 : 0 }
    case .epochSeconds: EpochText.parse(text, count, places: 0)?.bitPattern
    case .epochMilliseconds: EpochText.parse(text, count, places: 3)?.bitPattern
    // A day may be written as a number, as 20240501 is.
    case .date where reading.dateFormat != nil:
      DateText.parse(text, count, reading)?.bitPattern
    default: nil
    }
  }

  /// Takes in the text of a value of any kind.
  mutating func takeText(_ value: csimdjson_value) {
    let (text, count) = FeatureReader.bytes(value)
    state = .text(text, count)
  }
}
