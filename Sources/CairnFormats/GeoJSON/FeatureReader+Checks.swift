internal import CSimdJSON

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// What makes a Feature a point.
extension FeatureReader {
  /// Reads a Feature and its location; false when it was refused.
  mutating func readFeature(_ range: Range<Int>) throws(ParseStop) -> Bool {
    let start = UnsafeRawPointer(bytes + range.lowerBound).assumingMemoryBound(to: CChar.self)
    var result = csimdjson_read_feature(parser.pointer, start, range.count, &feature)
    let isBare = section.mayHoldGeometries && result.status == CSIMDJSON_OK && isGeometry
    if isBare { result = csimdjson_read_geometry(parser.pointer, start, range.count, &feature) }
    guard result.status == CSIMDJSON_OK else {
      try refuse(result, range)
      return false
    }
    guard isBare || Self.matches(feature.type, "Feature") else {
      try refuseType()
      return false
    }
    guard try readGeometry() else { return false }
    for member in members where member.is_foreign != 0 {
      guard try checkJSON(member.value), try checkSystem(member) else { return false }
    }
    return true
  }

  /// Whether what was read is a geometry that stands alone.
  private var isGeometry: Bool {
    !Self.matches(feature.type, "Feature")
      && GeoJSONShape.geometryTypes.contains(Self.text(feature.type))
  }

  mutating func refuse(_ result: csimdjson_result, _ range: Range<Int>) throws(ParseStop) {
    let offset = range.lowerBound + min(result.offset, range.count)
    switch result.status {
    case CSIMDJSON_NO_OBJECT:
      let noun = noun
      try refuse(
        offset: offset, noun == .feature ? "no Feature" : "no object",
        "\(noun.capitalised) is an object")
    case CSIMDJSON_TOO_DEEP:
      try refuse(
        offset: offset, "nested too deeply", "more than 1000 objects and arrays are nested here")
    case CSIMDJSON_NO_MEMORY:
      throw .failed(
        ImportError(.io, "there is no memory for \(noun.capitalised) of \(range.count) bytes"))
    case CSIMDJSON_REPEATED:
      try refuse(offset: offset, "a member stands twice", "a member of the Feature stands twice")
    case CSIMDJSON_BAD_PROPERTIES:
      try refuse(offset: offset, "no Feature", "`properties` is neither an object nor null")
    case CSIMDJSON_BAD_GEOMETRY:
      try refuse(offset: offset, "malformed geometry", "the geometry is malformed")
    case CSIMDJSON_BAD_ID:
      try refuse(offset: offset, "no Feature", "`id` is neither a string nor a number")
    default:
      try refuse(offset: offset, "malformed JSON", Self.sentence(String(cString: result.message)))
    }
  }

  private static func sentence(_ message: String) -> String {
    var text = message[...]
    while text.last == "." { text.removeLast() }
    let advice = text.contains("UTF-8") ? ": \(CSVBlockReader.encodingAdvice)" : ""
    return "malformed JSON: " + text.prefix(1).lowercased() + text.dropFirst() + advice
  }

  private mutating func refuseType() throws(ParseStop) {
    let type = Self.text(feature.type)
    let hint =
      type == "FeatureCollection"
      ? ": say `--format geojson`" : type.isEmpty ? ": \(CollectionMembers.plainJSON)" : ""
    let shown = type.isEmpty ? "missing" : "`\(type)`"
    try refuse("no Feature", "its type is \(shown), and a Feature was expected\(hint)")
  }

  mutating func readGeometry() throws(ParseStop) -> Bool {
    switch csimdjson_geometry(feature.geometry) {
    case CSIMDJSON_POINT: return try readLocation()
    case CSIMDJSON_OTHER_GEOMETRY: return try readShape()
    default: try refuse("geometry is missing", "it has no geometry")
    }
    return false
  }

  /// Whether a text that we take for a number is one in JSON too: we allow `.5`.
  @inline(__always)
  static func isJSON(_ number: UnsafePointer<UInt8>) -> Bool {
    Digits.isDigit(number[number[0] == UInt8(ascii: "-") ? 1 : 0])
  }

  /// Refuses the Feature when a value that simdjson skipped is malformed.
  mutating func checkJSON(_ value: csimdjson_value) throws(ParseStop) -> Bool {
    let (text, count) = Self.bytes(value)
    switch csimdjson_kind(value.kind) {
    case CSIMDJSON_NUMBER:
      if JSONNumber.isValid(text, count) { return true }
      try refuse(
        at: value.text, "malformed JSON", "malformed JSON: `\(Self.text(value))` is no number")
    case CSIMDJSON_NESTED:
      guard let wrong = JSONCheck.firstError(text, count) else { return true }
      try refuse(
        at: value.text.map { $0 + wrong }, "malformed JSON",
        "malformed JSON, or more than \(JSONCheck.deepest) objects and arrays nested")
    default: return true
    }
    return false
  }

  static func bytes(_ value: csimdjson_value) -> (UnsafePointer<UInt8>, Int) {
    let raw = UnsafeRawPointer(value.text) ?? UnsafeRawPointer(emptyText.utf8Start)
    return (raw.assumingMemoryBound(to: UInt8.self), Int(value.length))
  }

  private static let emptyText: StaticString = ""

  /// The bytes of a member's name.
  static func name(_ member: csimdjson_member) -> (UnsafePointer<UInt8>, Int) {
    bytes(csimdjson_value(text: member.name, length: member.name_length, kind: 0))
  }

  static func matches(_ value: csimdjson_value, _ text: StaticString) -> Bool {
    let (bytes, count) = bytes(value)
    guard count == text.utf8CodeUnitCount else { return false }
    return (0..<count).allSatisfy { bytes[$0] == text.utf8Start[$0] }
  }

  static func text(_ value: csimdjson_value) -> String {
    let (text, count) = bytes(value)
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }
}

// Members that stand twice.
extension FeatureReader {
  /// Refuses the Feature for a property that stands twice.
  mutating func refuseRepeated(_ member: csimdjson_member) throws(ParseStop) {
    let (name, count) = Self.name(member)
    try refuse(
      at: member.name, "a property stands twice",
      "the property `\(NameTable.text(name, count))` stands twice")
  }

  /// Whether the property `id` says the same as the Feature's own `id`.
  func repeatsId(_ member: csimdjson_member) -> Bool {
    let (text, count) = Self.bytes(member.value)
    let (own, ownCount) = Self.bytes(feature.id)
    return member.value.kind == feature.id.kind && count == ownCount
      && memcmp(text, own, count) == 0
  }
}
