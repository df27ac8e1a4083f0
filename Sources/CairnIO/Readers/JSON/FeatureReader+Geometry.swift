internal import CSimdJSON
internal import CairnGeometry
internal import CairnValues

// Geometries of any kind.
extension FeatureReader {
  /// Reads the geometry of a Feature. Returns false when the Feature was rejected.
  mutating func readGeometry() throws(ParseAbort) -> Bool {
    switch csimdjson_geometry(feature.geometry) {
    case CSIMDJSON_POINT where feature.coordinate_count == 0: return try takeMissing()
    case CSIMDJSON_POINT: return try readLocation()
    case CSIMDJSON_OTHER_GEOMETRY:
      let (name, count) = Self.bytes(feature.geometry_type)
      let kind = Geometry.Kind(UnsafeBufferPointer(start: name, count: count))
      // Most geometries are stored as they are, and need no text of their type.
      if converter.options.makesNoPoints, let kind { return try readShape(kind) }
      if let kind, converter.options.makesPoints(kind) { return try derivePoints(kind) }
      let type = Self.text(feature.geometry_type)
      return try readShape(kind, type: type)
    default: return try takeMissing()
    }
  }

  /// Reads a geometry in WKT or hexadecimal WKB that is not a point. Returns false when the record
  /// was rejected.
  mutating func readGeometry(
    _ text: UnsafeBufferPointer<UInt8>, notation: GeometryNotation, kind: Geometry.Kind,
    value: csimdjson_value
  ) throws(ParseAbort) -> Bool {
    if converter.options.makesPoints(kind) {
      return try derivePoints(text, notation: notation, kind: kind)
    }
    guard let valueType = try shapeType(kind, type: "") else {
      return content == .unread
    }
    return try takeShape(as: valueType, at: value.text) {
      (reader) throws(GeometryRefusal) in
      try reader.intake.read(text, notation)
    }
  }

  private mutating func readShape(
    _ kind: Geometry.Kind?, type: @autoclosure () -> String = ""
  ) throws(ParseAbort) -> Bool {
    guard let valueType = try shapeType(kind, type: type()) else { return content == .unread }
    let text = feature.geometry_text
    return try takeShape(as: valueType, at: text) { (reader) throws(GeometryRefusal) in
      guard let text else { throw .malformed("the geometry is malformed") }
      try reader.readGeoJSON(text)
    }
  }

  /// Reads GeoJSON within the record into the builder.
  private mutating func readGeoJSON(
    _ text: UnsafePointer<CChar>
  ) throws(GeometryRefusal) {
    let start = UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
    let end = UnsafeRawPointer(bytes + range.upperBound)
    assert(
      start >= bytes + range.lowerBound && UnsafeRawPointer(start) <= end,
      "the geometry is outside of the record")
    var geometry = GeoJSONGeometry(
      start, count: end - UnsafeRawPointer(start), axes: mapping.axes)
    try geometry.read(into: &intake.builder)
    if geometry.hasFurtherNumbers { hasFurtherNumbers = true }
  }

  /// Returns the type of property to read a geometry for, or nil when it is not read: because the
  /// record was rejected, or because only its kind matters.
  private mutating func shapeType(
    _ kind: Geometry.Kind?, type: @autoclosure () -> String
  ) throws(ParseAbort) -> ValueType? {
    content = .nothing
    guard let kind else {
      _ = try reject(GeometryRefusal.unknownType(type()), at: nil)
      return nil
    }
    if case .points(isAssumed: false, _) = form {
      try reject(.geometryType(kind.geoJSONName), detail: PointConverter.advice(kind))
      return nil
    }
    switch form {
    case .points: throw .contradiction(column: Self.contradicted)
    case .geometries(let type, _): return type
    case .inferred where policy == .skip: return .geometry
    case .inferred:
      // An invalid geometry is found when the record is stored.
      hasShape = true
      content = .unread
      return nil
    }
  }

  /// Takes a geometry that `read` puts into the builder. Returns false when the record was rejected.
  @inline(__always)
  private mutating func takeShape(
    as type: ValueType, at pointer: UnsafePointer<CChar>?,
    read: (inout FeatureReader) throws(GeometryRefusal) -> Void
  ) throws(ParseAbort) -> Bool {
    let isEmpty: Bool
    do throws(GeometryRefusal) {
      try read(&self)
      isEmpty = try !intake.finish(as: type, mapping: mapping)
    } catch {
      return try reject(error, at: pointer)
    }
    hasShape = true
    if isEmpty { return try takeMissing() }
    content = .geometry
    return true
  }

  /// Rejects the record because of its geometry, and returns false.
  private mutating func reject(
    _ refusal: GeometryRefusal, at pointer: UnsafePointer<CChar>?
  ) throws(ParseAbort) -> Bool {
    let start = pointer.map { $0 + (refusal.offset ?? 0) }
    try reject(at: start, refusal.reason, detail: refusal.detail)
    return false
  }

  /// Packs the location of the record if the column holds geometries.
  mutating func packLocation() {
    guard case .geometries = form, content == .location else { return }
    intake.pack(location)
    location.altitude = nil
    content = .geometry
  }

  /// Handles a record without a geometry. Returns false when it was rejected.
  mutating func takeMissing() throws(ParseAbort) -> Bool {
    switch form.missing {
    case .null:
      content = .nothing
      return true
    case .contradicted: throw .contradiction(column: Self.contradicted)
    case .rejected:
      try reject("geometry is missing", detail: "it has no geometry")
      return false
    }
  }

  /// Adds what the geometry of the record shows about the column.
  func noteEvidence(in evidence: inout SpatialEvidence) {
    if hasShape { evidence.insert(.shape) }
    if location.altitude != nil { evidence.insert(.altitude) }
  }

  /// The name of the column whose assumed type is contradicted, in messages.
  private static let contradicted = "location"
}

// Points from other geometries.
extension FeatureReader {
  /// Derives points from another geometry. Returns false when the Feature was rejected.
  private mutating func derivePoints(_ kind: Geometry.Kind) throws(ParseAbort) -> Bool {
    let takesEach = kind == .multiPoint && converter.options.takesEachPoint
    guard let text = geometryText else {
      try reject("malformed geometry", detail: "the geometry is malformed")
      return false
    }
    if let wrong = JSONCheck.firstError(text.start, count: text.count) {
      let pointer = UnsafeRawPointer(text.start + wrong).assumingMemoryBound(to: CChar.self)
      try reject(
        at: pointer, "malformed JSON",
        detail: "malformed JSON, or more than \(JSONCheck.deepest) objects and arrays nested")
      return false
    }
    guard !takesEach else { return try readPoints(text) }
    let bytes = UnsafeBufferPointer(start: text.start, count: text.count)
    return try readPoint(of: bytes, .geoJSON, kind: kind)
  }

  /// Derives points from a geometry in text. Returns false when the record was rejected.
  private mutating func derivePoints(
    _ text: UnsafeBufferPointer<UInt8>, notation: GeometryNotation, kind: Geometry.Kind
  ) throws(ParseAbort) -> Bool {
    guard kind == .multiPoint, converter.options.takesEachPoint else {
      return try readPoint(of: text, notation, kind: kind)
    }
    guard let made = MultiPointText.points(of: text, notation), !made.isEmpty else {
      try reject("malformed geometry", detail: "its MultiPoint has no points or is malformed")
      return false
    }
    var found: [Location] = []
    for point in made {
      guard try accept((point.x, point.y), kind: kind) else { return false }
      location.altitude = point.z
      found.append(location)
    }
    points = found
    return true
  }

  /// The JSON text of the geometry; nil if it does not end within the record.
  private var geometryText: (start: UnsafePointer<UInt8>, count: Int)? {
    guard let text = feature.geometry_text else { return nil }
    let start = UnsafeRawPointer(text) - UnsafeRawPointer(bytes)
    let scan = JSONScan(bytes: bytes, count: range.upperBound)
    guard range.contains(start), let end = scan.skipValue(start) else { return nil }
    return (bytes + start, end - start)
  }

  private mutating func readPoint(
    of text: UnsafeBufferPointer<UInt8>, _ notation: GeometryNotation, kind: Geometry.Kind
  ) throws(ParseAbort) -> Bool {
    let made: (x: Double, y: Double)?
    do throws(PointFailure) {
      made = try converter.point(of: text, notation, mapping)
    } catch {
      if error.lacksLibrary {
        throw .failed(ImportError(.library, message: error.detail))
      }
      try reject(
        "no point from a geometry",
        detail: "cannot derive a point from the \(kind.geoJSONName): \(error.detail)")
      return false
    }
    guard let made else { return false }
    return try accept(made, kind: kind)
  }

  /// Reads each point of a MultiPoint whose JSON is well formed.
  private mutating func readPoints(
    _ text: (start: UnsafePointer<UInt8>, count: Int)
  ) throws(ParseAbort) -> Bool {
    points.removeAll()
    let scan = JSONScan(bytes: text.start, count: text.count)
    guard let list = scan.member("coordinates", ofObjectAt: 0), let positions = scan.elements(list)
    else {
      try reject("malformed geometry", detail: "the geometry is malformed")
      return false
    }
    for position in positions {
      guard let numbers = scan.elements(position) else {
        points.removeAll()
        try reject("malformed geometry", detail: "the geometry is malformed")
        return false
      }
      guard try readLocation(numbers.map { Self.value(scan, range: $0) }) else {
        points.removeAll()
        return false
      }
      points.append(location)
    }
    if points.isEmpty { try reject("geometry is missing", detail: "its MultiPoint has no points") }
    return !points.isEmpty
  }

  private static func value(_ scan: JSONScan, range: Range<Int>) -> csimdjson_value {
    csimdjson_value(
      text: UnsafeRawPointer(scan.bytes + range.lowerBound).assumingMemoryBound(to: CChar.self),
      length: UInt32(range.count), kind: CSIMDJSON_NUMBER.rawValue)
  }
}
