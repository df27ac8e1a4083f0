internal import CSimdJSON
import CairnSystem

// Reads a Feature and checks it.
extension FeatureReader {
  /// Reads a Feature and its geometry. Returns false when it was rejected.
  mutating func readFeature(_ range: Range<Int>) throws(ParseAbort) -> Bool {
    let start = UnsafeRawPointer(bytes + range.lowerBound).assumingMemoryBound(to: CChar.self)
    var result = csimdjson_read_feature(parser.pointer, start, range.count, &feature)
    let isBare = block.mayHoldGeometries && result.status == CSIMDJSON_OK && isGeometry
    if isBare { result = csimdjson_read_geometry(parser.pointer, start, range.count, &feature) }
    guard result.status == CSIMDJSON_OK else {
      try reject(result, range: range)
      return false
    }
    guard isBare || Self.matches(feature.type, text: "Feature") else {
      try rejectType()
      return false
    }
    guard try readGeometry() else { return false }
    for member in members where member.is_foreign != 0 {
      guard try checkJSON(member.value), try checkSystem(member) else { return false }
    }
    return true
  }

  /// Whether the record is a bare geometry.
  private var isGeometry: Bool {
    !Self.matches(feature.type, text: "Feature")
      && JSONRecordLayout.geometryTypes.contains(Self.text(feature.type))
  }

  mutating func reject(_ result: csimdjson_result, range: Range<Int>) throws(ParseAbort) {
    let offset = range.lowerBound + min(result.offset, range.count)
    switch result.status {
    case CSIMDJSON_NO_OBJECT:
      let noun = noun
      try reject(
        offset: offset, noun == .feature ? "not a Feature" : "not an object",
        detail: "\(noun.capitalised) must be an object")
    case CSIMDJSON_TOO_DEEP:
      try reject(
        offset: offset, "nested too deeply", detail: "more than 1000 objects and arrays are nested")
    case CSIMDJSON_NO_MEMORY:
      throw .failed(
        ImportError(
          .io, message: "not enough memory for \(noun.capitalised) of \(range.count) bytes"))
    case CSIMDJSON_REPEATED:
      try reject(
        offset: offset, "a member appears twice", detail: "a member of the Feature appears twice")
    case CSIMDJSON_BAD_PROPERTIES:
      try reject(
        offset: offset, "not a Feature", detail: "`properties` is neither an object nor null")
    case CSIMDJSON_BAD_GEOMETRY:
      try reject(offset: offset, "malformed geometry", detail: "the geometry is malformed")
    case CSIMDJSON_BAD_ID:
      try reject(offset: offset, "not a Feature", detail: "`id` is neither a string nor a number")
    default:
      try reject(
        offset: offset, "malformed JSON", detail: Self.sentence(String(cString: result.message)))
    }
  }

  private static func sentence(_ message: String) -> ImportMessage {
    var text = message[...]
    while text.last == "." { text.removeLast() }
    let advice: ImportMessage = text.contains("UTF-8") ? "; \(TextEncoding.advice)" : ""
    return "malformed JSON: \(text.prefix(1).lowercased())\(text.dropFirst())\(advice)"
  }

  private mutating func rejectType() throws(ParseAbort) {
    let type = Self.text(feature.type)
    let hint: ImportMessage =
      type == "FeatureCollection"
      ? "; use \(option: .format, "geojson")"
      : type.isEmpty ? "; \(CollectionMembers.plainJSON)" : ""
    let shown = type.isEmpty ? "missing" : "`\(type)`"
    try reject("not a Feature", detail: "its type is \(shown), expected a Feature\(hint)")
  }

  /// Rejects the Feature when a value that simdjson skipped is malformed.
  mutating func checkJSON(_ value: csimdjson_value) throws(ParseAbort) -> Bool {
    let (text, count) = Self.bytes(value)
    switch csimdjson_kind(value.kind) {
    case CSIMDJSON_NUMBER:
      if JSONNumber.isValid(text, count: count) { return true }
      try reject(
        at: value.text, "malformed JSON",
        detail: "malformed JSON: `\(Self.text(value))` is not a number")
    case CSIMDJSON_NESTED:
      guard let wrong = JSONCheck.firstError(text, count: count) else { return true }
      try reject(
        at: value.text.map { $0 + wrong }, "malformed JSON",
        detail: "malformed JSON, or more than \(JSONCheck.deepest) objects and arrays nested")
    default: return true
    }
    return false
  }

  /// Returns the bytes of a value. Valid until the next record is read.
  static func bytes(_ value: csimdjson_value) -> (UnsafePointer<UInt8>, Int) {
    let raw = UnsafeRawPointer(value.text) ?? UnsafeRawPointer(emptyText.utf8Start)
    return (raw.assumingMemoryBound(to: UInt8.self), Int(value.length))
  }

  private static let emptyText: StaticString = ""

  /// Returns the bytes of a member's name. Valid until the next record is read.
  static func name(_ member: csimdjson_member) -> (UnsafePointer<UInt8>, Int) {
    bytes(csimdjson_value(text: member.name, length: member.name_length, kind: 0))
  }

  static func matches(_ value: csimdjson_value, text: StaticString) -> Bool {
    let (bytes, count) = bytes(value)
    guard count == text.utf8CodeUnitCount else { return false }
    return (0..<count).allSatisfy { bytes[$0] == text.utf8Start[$0] }
  }

  static func text(_ value: csimdjson_value) -> String {
    let (text, count) = bytes(value)
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }
}

// Members that appear twice.
extension FeatureReader {
  /// Rejects the Feature because a property appears twice.
  mutating func rejectRepeated(_ member: csimdjson_member) throws(ParseAbort) {
    let (name, count) = Self.name(member)
    try reject(
      at: member.name, "a property appears twice",
      detail: "the property `\(NameTable.text(name, count: count))` appears twice")
  }

  /// Whether the property `id` equals the Feature's own `id`.
  func repeatsId(_ member: csimdjson_member) -> Bool {
    let (text, count) = Self.bytes(member.value)
    let (own, ownCount) = Self.bytes(feature.id)
    return member.value.kind == feature.id.kind && count == ownCount
      && memcmp(text, own, count) == 0
  }
}
