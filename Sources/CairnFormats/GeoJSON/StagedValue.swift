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

  /// Takes in a value that is certainly well formed and of the type; false for any other.
  @inline(__always)
  mutating func take(_ value: csimdjson_value, as type: FieldType) -> Bool {
    let (text, count) = FeatureReader.bytes(value)
    let bits: UInt64?
    switch csimdjson_kind(value.kind) {
    case CSIMDJSON_NULL:
      state = .null
      return true
    case CSIMDJSON_STRING where type == .text:
      state = .text(text, count)
      return true
    case CSIMDJSON_NUMBER where type == .int:
      bits = IntegerText.parse(text, count).map { UInt64(bitPattern: $0) }
    case CSIMDJSON_NUMBER where type == .double:
      bits = FeatureReader.isJSON(text) ? CSVColumns.exactNumber(text, count)?.bitPattern : nil
    case CSIMDJSON_STRING where type == .date: bits = DateText.parse(text, count)?.bitPattern
    case CSIMDJSON_TRUE where type == .bool: bits = 1
    case CSIMDJSON_FALSE where type == .bool: bits = 0
    default: bits = nil
    }
    guard let bits else { return false }
    state = .bits(bits)
    return true
  }

  /// Takes in the text of a value of any kind.
  mutating func takeText(_ value: csimdjson_value) {
    let (text, count) = FeatureReader.bytes(value)
    state = .text(text, count)
  }
}
