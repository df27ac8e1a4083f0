internal import CSimdJSON

/// Values of GeoJSON properties, as fields of the types that the inference knows.
enum JSONFieldText {
  /// What a value is. Numbers must be well formed.
  static func evidence(_ value: csimdjson_value) -> FieldEvidence {
    let (text, count) = FeatureReader.bytes(value)
    switch csimdjson_kind(value.kind) {
    case CSIMDJSON_NUMBER:
      if let int = IntegerText.parse(text, count) {
        return IntegerText.isExact(int) ? .int : .largeInt
      }
      return DoubleText.parse(text, count) != nil ? .double : .text
    case CSIMDJSON_TRUE, CSIMDJSON_FALSE: return .bool
    case CSIMDJSON_STRING: return DateText.parse(text, count) != nil ? .date : .text
    case CSIMDJSON_NESTED: return .text
    default: return []
    }
  }
}

/// The value of one column of one Feature, before it is certain that the Feature is stored.
struct StagedValue {
  enum State {
    case absent
    case null
    case bits(UInt64)
    case text(UnsafePointer<UInt8>, Int)
  }

  var state = State.absent

  /// Takes a value in as the type; false when it is not of the type.
  mutating func take(_ value: csimdjson_value, as type: FieldType) -> Bool {
    let kind = csimdjson_kind(value.kind)
    if kind == CSIMDJSON_NULL {
      state = .null
      return true
    }
    let (text, count) = FeatureReader.bytes(value)
    if type == .text {
      state = .text(text, count)
      return true
    }
    guard let bits = Self.bits(kind, text, count, type) else { return false }
    state = .bits(bits)
    return true
  }

  @inline(__always)
  private static func bits(
    _ kind: csimdjson_kind, _ text: UnsafePointer<UInt8>, _ count: Int, _ type: FieldType
  ) -> UInt64? {
    switch (type, kind) {
    case (.int, CSIMDJSON_NUMBER): IntegerText.parse(text, count).map { UInt64(bitPattern: $0) }
    case (.double, CSIMDJSON_NUMBER): CSVColumns.exactNumber(text, count)?.bitPattern
    case (.bool, CSIMDJSON_TRUE): 1
    case (.bool, CSIMDJSON_FALSE): 0
    case (.date, CSIMDJSON_STRING): DateText.parse(text, count)?.bitPattern
    default: nil
    }
  }
}
