internal import CSimdJSON
internal import CairnValues

/// Values of GeoJSON properties, as fields of the types that the inference knows.
enum JSONFieldText {
  /// What a value is. Numbers must be well formed.
  static func evidence(_ value: csimdjson_value, _ reading: FieldReading) -> FieldEvidence {
    let (text, count) = FeatureReader.bytes(value)
    switch csimdjson_kind(value.kind) {
    case CSIMDJSON_NUMBER:
      if let int = IntegerText.parse(text, count) {
        return IntegerText.isExact(int) ? .int : .largeInt
      }
      return DoubleText.parse(text, count) != nil ? .double : .text
    case CSIMDJSON_TRUE, CSIMDJSON_FALSE: return .bool
    case CSIMDJSON_STRING:
      if reading.nulls.contains(text, count) { return [] }
      if let date = DateText.read(text, count, reading) {
        return date.isLocal ? [.date, .localDate] : .date
      }
      return NullWords.suspect(text, count) == nil ? .text : .suspect
    case CSIMDJSON_NESTED: return .text
    default: return []
    }
  }
}
