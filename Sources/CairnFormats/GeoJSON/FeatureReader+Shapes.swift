internal import CSimdJSON
internal import CairnGeometry

// Geometries that are no points.
extension FeatureReader {
  /// Makes points of another geometry, where that is wanted; false when the Feature was refused.
  mutating func readShape() throws(ParseStop) -> Bool {
    let type = Self.text(feature.geometry_type)
    let takesEach = type == "MultiPoint" && shapes.options.takesEachPoint
    guard takesEach || shapes.options.pointOf != nil else {
      try refuse(ShapeReader.reason(type), ShapeReader.advice(type))
      return false
    }
    guard let text = geometryText else {
      try refuse("malformed geometry", "the geometry is malformed")
      return false
    }
    if let wrong = JSONCheck.firstError(text.start, text.count) {
      let place = UnsafeRawPointer(text.start + wrong).assumingMemoryBound(to: CChar.self)
      try refuse(
        at: place, "malformed JSON",
        "malformed JSON, or more than \(JSONCheck.deepest) objects and arrays nested")
      return false
    }
    guard !takesEach else { return try readPoints(text) }
    let bytes = UnsafeBufferPointer(start: text.start, count: text.count)
    return try readPoint(of: bytes, .geoJSON, type)
  }

  /// Makes points of a geometry in text, where that is wanted; false when the record was refused.
  mutating func readShape(
    _ text: UnsafeBufferPointer<UInt8>, _ notation: ShapeReader.Notation, _ type: String
  ) throws(ParseStop) -> Bool {
    guard type == "MultiPoint", shapes.options.takesEachPoint else {
      guard shapes.options.pointOf == nil else { return try readPoint(of: text, notation, type) }
      try refuse(ShapeReader.reason(type), ShapeReader.advice(type))
      return false
    }
    guard let made = MultiPointText.points(of: text, notation), !made.isEmpty else {
      try refuse("malformed geometry", "its MultiPoint has no points, or is malformed")
      return false
    }
    var found: [Location] = []
    for point in made {
      guard try accept((point.x, point.y), type) else { return false }
      location.altitude = point.z
      found.append(location)
    }
    points = found
    return true
  }

  /// The JSON of the geometry.
  private var geometryText: (start: UnsafePointer<UInt8>, count: Int)? {
    guard let text = feature.geometry_text else { return nil }
    let start = UnsafeRawPointer(text) - UnsafeRawPointer(bytes)
    let scan = JSONScan(bytes: bytes, count: section.range.upperBound)
    guard section.range.contains(start), let end = scan.skipValue(start) else { return nil }
    return (bytes + start, end - start)
  }

  private mutating func readPoint(
    of text: UnsafeBufferPointer<UInt8>, _ notation: ShapeReader.Notation, _ type: String
  ) throws(ParseStop) -> Bool {
    let made: (x: Double, y: Double)?
    do throws(GeometryError) {
      made = try shapes.point(of: text, notation, inDegrees: isInDegrees)
    } catch {
      if error.kind == .missingLibrary { throw .failed(ImportError(.library, error.message)) }
      try refuse("no point of a geometry", "no point can be made of the \(type): \(error.message)")
      return false
    }
    guard let made else { return false }
    return try accept(made, type)
  }

  private var isInDegrees: Bool {
    if case .degrees = placement { true } else { false }
  }

  /// Each point of a MultiPoint, which is well-formed JSON.
  private mutating func readPoints(
    _ text: (start: UnsafePointer<UInt8>, count: Int)
  ) throws(ParseStop) -> Bool {
    points.removeAll()
    let scan = JSONScan(bytes: text.start, count: text.count)
    guard let list = scan.member("coordinates", ofObjectAt: 0), let positions = scan.elements(list)
    else {
      try refuse("malformed geometry", "the geometry is malformed")
      return false
    }
    for position in positions {
      guard let numbers = scan.elements(position) else {
        points.removeAll()
        try refuse("malformed geometry", "the geometry is malformed")
        return false
      }
      guard try readLocation(numbers.map { Self.value(scan, $0) }) else {
        points.removeAll()
        return false
      }
      points.append(location)
    }
    if points.isEmpty { try refuse("geometry is missing", "its MultiPoint has no points") }
    return !points.isEmpty
  }

  private static func value(_ scan: JSONScan, _ range: Range<Int>) -> csimdjson_value {
    csimdjson_value(
      text: UnsafeRawPointer(scan.bytes + range.lowerBound).assumingMemoryBound(to: CChar.self),
      length: UInt32(range.count), kind: CSIMDJSON_NUMBER.rawValue)
  }
}

extension JSONScan {
  /// Where the elements of an array stand; nil when the value is none.
  func elements(_ value: Range<Int>) -> [Range<Int>]? {
    guard bytes[value.lowerBound] == UInt8(ascii: "[") else { return nil }
    var found: [Range<Int>] = []
    var index = skipSpace(value.lowerBound + 1)
    while index < value.upperBound - 1 {
      guard let end = skipValue(index) else { return nil }
      found.append(index..<end)
      index = skipSpace(end)
      if index < value.upperBound - 1 { index = skipSpace(index + 1) }
    }
    return found
  }
}
