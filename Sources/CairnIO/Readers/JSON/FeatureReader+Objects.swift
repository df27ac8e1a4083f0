internal import CSimdJSON

// Plain objects, whose location is in some of their members.
extension FeatureReader {
  /// Reads an object and its location. Returns false when the object was rejected.
  mutating func readObject(_ range: Range<Int>, layout: JSONLayout) throws(ParseAbort) -> Bool {
    let start = UnsafeRawPointer(bytes + range.lowerBound).assumingMemoryBound(to: CChar.self)
    let result = csimdjson_read_object(parser.pointer, start, range.count, &feature)
    guard result.status == CSIMDJSON_OK else {
      try reject(result, range: range)
      return false
    }
    switch layout.location {
    case .none: return true
    case .members(let latitude, let longitude):
      guard let y = try take(latitude), let x = try take(longitude) else { return false }
      return try readCoordinates(
        y.value, longitude: x.value, names: (latitude.text, longitude.text))
    case .pair(let name, let order):
      guard let value = try take(name) else { return false }
      return try readPair(value.value, name: name.text, order: order)
    case .geometry(let name):
      guard let value = try take(name) else { return false }
      return try readGeometry(value.value, name: name.text)
    case .object(let name, let latitude, let longitude):
      guard let value = try take(name) else { return false }
      return try readObject(value.value, name: name.text, names: (latitude, longitude))
    }
  }

  /// The value of a member; absent when the record has no such member.
  private struct Taken {
    var value = csimdjson_value()
  }

  /// Excludes a member from the properties and returns it. Returns nil when the record was rejected
  /// because it has the member twice.
  private mutating func take(_ name: JSONName) throws(ParseAbort) -> Taken? {
    var taken: Taken?
    let members = UnsafeMutableBufferPointer(mutating: self.members)
    for index in members.indices {
      let (text, count) = Self.name(members[index])
      guard name.matches(text, count: count) else { continue }
      guard taken == nil else {
        try rejectRepeated(members[index])
        return nil
      }
      members[index].is_foreign = 1
      taken = Taken(value: members[index].value)
    }
    return taken ?? Taken()
  }

  private mutating func readCoordinates(
    _ latitude: csimdjson_value, longitude: csimdjson_value,
    names: (latitude: String, longitude: String)
  ) throws(ParseAbort) -> Bool {
    if allowsMissing, isBlank(latitude), isBlank(longitude) { return try takeMissing() }
    let axes = mapping.axes
    guard let y = try looseCoordinate(latitude, axis: axes.y, name: names.latitude),
      let x = try looseCoordinate(longitude, axis: axes.x, name: names.longitude)
    else { return false }
    return try setLocation(x, y: y)
  }

  /// Whether a record without a location is stored.
  private var allowsMissing: Bool { converter.options.allowsMissing }

  /// Whether a coordinate is absent, null, or a text that means null.
  private func isBlank(_ value: csimdjson_value) -> Bool {
    switch csimdjson_kind(value.kind) {
    case CSIMDJSON_NULL, CSIMDJSON_ABSENT: return true
    case CSIMDJSON_STRING:
      let text = Self.trimmed(value)
      guard let base = text.baseAddress, !text.isEmpty else { return true }
      return fields.nulls.contains(base, count: text.count)
    default: return false
    }
  }

  /// Reads a coordinate as a number, or as text in the way of CSV.
  private mutating func looseCoordinate(
    _ value: csimdjson_value, axis: CoordinateAxis, name: String
  ) throws(ParseAbort) -> Double? {
    switch csimdjson_kind(value.kind) {
    case CSIMDJSON_NUMBER: return try coordinate(value, axis: axis)
    case CSIMDJSON_STRING:
      let text = Self.trimmed(value)
      guard let base = text.baseAddress, !text.isEmpty,
        !fields.nulls.contains(base, count: text.count)
      else { break }
      guard let number = number(text, axis: axis) else {
        let shown = String(decoding: text.prefix(40), as: UTF8.self)
        try reject(
          at: value.text, "\(axis.name) is not a number",
          detail: "the \(axis.name) `\(shown)` (`\(name)`) is not a number")
        return nil
      }
      if let accepted = axis.accept(number) { return accepted }
      try reject(
        at: value.text, "\(axis.name) is out of range",
        detail:
          "the \(axis.name) \(number) (`\(name)`) \(axis.objection(to: number, columns: "NAME"))"
      )
      return nil
    case CSIMDJSON_NULL, CSIMDJSON_ABSENT: break
    default:
      try reject(
        at: value.text, "\(axis.name) is not a number",
        detail: "the \(axis.name) (`\(name)`) is not a number")
      return nil
    }
    try reject("\(axis.name) is missing", detail: "the \(axis.name) (`\(name)`) is missing")
    return nil
  }

  private func number(_ text: UnsafeBufferPointer<UInt8>, axis: CoordinateAxis) -> Double? {
    guard let base = text.baseAddress else { return nil }
    if let number = CoordinateField.number(base, count: text.count) { return number }
    guard case .degrees = mapping else { return nil }
    return CoordinateField.angle(String(decoding: text, as: UTF8.self), axis: axis)
  }

  /// The text of a value without surrounding spaces. Valid until the next record is read.
  private static func trimmed(_ value: csimdjson_value) -> UnsafeBufferPointer<UInt8> {
    let (text, count) = bytes(value)
    var range = 0..<count
    while !range.isEmpty, JSONScan.isSpace(text[range.lowerBound]) { range.removeFirst() }
    while !range.isEmpty, JSONScan.isSpace(text[range.upperBound - 1]) { range.removeLast() }
    return UnsafeBufferPointer(start: text + range.lowerBound, count: range.count)
  }

  // MARK: Pairs

  private mutating func readPair(
    _ value: csimdjson_value, name: String, order: PairOrder
  ) throws(ParseAbort) -> Bool {
    guard try checkJSON(value) else { return false }
    let text = Self.trimmed(value)
    guard csimdjson_kind(value.kind).rawValue > CSIMDJSON_NULL.rawValue, !text.isEmpty else {
      if allowsMissing { return try takeMissing() }
      try reject("coordinates are missing", detail: "the coordinates (`\(name)`) are missing")
      return false
    }
    var shown = String(decoding: text, as: UTF8.self)
    if shown.hasPrefix("["), shown.hasSuffix("]") { shown = String(shown.dropFirst().dropLast()) }
    guard let pair = PairText(shown), let (y, x) = pair.ordered(order) else {
      try reject(
        at: value.text, "coordinates are unclear",
        detail: "`\(shown.prefix(60))` (`\(name)`) is not clearly a pair of coordinates")
      return false
    }
    let axes = mapping.axes
    guard let x = try accepted(x, axis: axes.x, name: name),
      let y = try accepted(y, axis: axes.y, name: name)
    else {
      return false
    }
    return try setLocation(x, y: y)
  }

  private mutating func accepted(
    _ value: Double, axis: CoordinateAxis, name: String
  ) throws(ParseAbort) -> Double? {
    if let accepted = axis.accept(value) { return accepted }
    try reject(
      "\(axis.name) is out of range",
      detail: "the \(axis.name) \(value) (`\(name)`) \(axis.objection(to: value))")
    return nil
  }

  // MARK: Objects

  private mutating func readObject(
    _ value: csimdjson_value, name: String, names: (latitude: String, longitude: String)
  ) throws(ParseAbort) -> Bool {
    guard csimdjson_kind(value.kind).rawValue > CSIMDJSON_NULL.rawValue else {
      if allowsMissing { return try takeMissing() }
      try reject("location is missing", detail: "the location (`\(name)`) is missing")
      return false
    }
    guard try checkJSON(value) else { return false }
    let (text, count) = Self.bytes(value)
    let scan = JSONScan(bytes: text, count: count)
    let latitude = scan.member(names.latitude, ofObjectAt: 0).map { Self.value(scan, range: $0) }
    let longitude = scan.member(names.longitude, ofObjectAt: 0).map { Self.value(scan, range: $0) }
    let inner = ("\(name).\(names.latitude)", "\(name).\(names.longitude)")
    guard try readCoordinates(latitude ?? .init(), longitude: longitude ?? .init(), names: inner)
    else {
      return false
    }
    guard
      let altitude = scan.member("altitude", ofObjectAt: 0).map({ Self.value(scan, range: $0) }),
      csimdjson_kind(altitude.kind) == CSIMDJSON_NUMBER
    else { return true }
    location.altitude = try coordinate(altitude, axis: .altitude)
    return location.altitude != nil
  }

  /// Returns a value of well-formed JSON.
  private static func value(_ scan: JSONScan, range: Range<Int>) -> csimdjson_value {
    let (kind, content): (csimdjson_kind, Range<Int>) =
      switch scan.bytes[range.lowerBound] {
      case UInt8(ascii: "\""):
        (CSIMDJSON_STRING, range.lowerBound + 1..<range.upperBound - 1)
      case UInt8(ascii: "n"): (CSIMDJSON_NULL, range)
      case UInt8(ascii: "{"), UInt8(ascii: "["): (CSIMDJSON_NESTED, range)
      case UInt8(ascii: "t"): (CSIMDJSON_TRUE, range)
      case UInt8(ascii: "f"): (CSIMDJSON_FALSE, range)
      default: (CSIMDJSON_NUMBER, range)
      }
    return csimdjson_value(
      text: UnsafeRawPointer(scan.bytes + content.lowerBound).assumingMemoryBound(to: CChar.self),
      length: UInt32(content.count), kind: kind.rawValue)
  }

  // MARK: Geometries

  private mutating func readGeometry(
    _ value: csimdjson_value, name: String
  ) throws(ParseAbort) -> Bool {
    switch csimdjson_kind(value.kind) {
    case CSIMDJSON_STRING:
      return try readGeometryText(Self.trimmed(value), value: value, name: name)
    case CSIMDJSON_NESTED: return try readNestedGeometry(value)
    case CSIMDJSON_NULL, CSIMDJSON_ABSENT: return try takeMissing()
    default: try reject("malformed geometry", detail: "`\(name)` is not a geometry")
    }
    return false
  }

  /// Reads a geometry in GeoJSON. It has its own parser, because the texts of the record must
  /// remain valid.
  private mutating func readNestedGeometry(_ value: csimdjson_value) throws(ParseAbort) -> Bool {
    guard try checkJSON(value) else { return false }
    let parser = try ParseAbort.on { () throws(ImportError) in try geometryParser() }
    var read = csimdjson_feature()
    let result = csimdjson_read_geometry(parser.pointer, value.text, Int(value.length), &read)
    guard result.status == CSIMDJSON_OK else {
      try reject(at: value.text, "malformed geometry", detail: "the geometry is malformed")
      return false
    }
    (feature.geometry, feature.geometry_type) = (read.geometry, read.geometry_type)
    feature.geometry_text = value.text
    (feature.coordinates, feature.coordinate_count) = (read.coordinates, read.coordinate_count)
    return try readGeometry()
  }

  /// Reads a geometry in WKT or hexadecimal WKB.
  private mutating func readGeometryText(
    _ text: UnsafeBufferPointer<UInt8>, value: csimdjson_value, name: String
  ) throws(ParseAbort) -> Bool {
    let geometry = GeometryText(text)
    if let system = geometry.system, let objection = mapping.objection(toSystem: system) {
      try reject("another coordinate system", detail: objection)
      return false
    }
    switch geometry.content {
    case .point(let x, let y, let z):
      let axes = mapping.axes
      guard let x = try accepted(x, axis: axes.x, name: name),
        let y = try accepted(y, axis: axes.y, name: name),
        try setLocation(x, y: y)
      else { return false }
      location.altitude = z
      return true
    case .empty: return try takeMissing()
    case .malformed where text.isEmpty: return try takeMissing()
    case .malformed(let reason):
      let shown = String(decoding: text.prefix(60), as: UTF8.self)
      try reject(
        at: value.text, "malformed geometry",
        detail: "`\(shown)` (`\(name)`) is not a geometry: \(reason)")
    case .other(let kind):
      return try readGeometry(text, notation: geometry.notation, kind: kind, value: value)
    }
    return false
  }
}
