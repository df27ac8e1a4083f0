internal import CSimdJSON

// Plain objects: a place is made of some of their members.
extension FeatureReader {
  /// Reads an object and its location; false when it was refused.
  mutating func readObject(_ range: Range<Int>, _ layout: JSONLayout) throws(ParseStop) -> Bool {
    let start = UnsafeRawPointer(bytes + range.lowerBound).assumingMemoryBound(to: CChar.self)
    let result = csimdjson_read_object(parser.pointer, start, range.count, &feature)
    guard result.status == CSIMDJSON_OK else {
      try refuse(result, range)
      return false
    }
    switch layout.location {
    case .members(let latitude, let longitude):
      guard let y = try take(latitude), let x = try take(longitude) else { return false }
      return try readCoordinates(y.value, x.value, (latitude.text, longitude.text))
    case .pair(let name, let order):
      guard let value = try take(name) else { return false }
      return try readPair(value.value, name.text, order)
    case .geometry(let name):
      guard let value = try take(name) else { return false }
      return try readGeometry(value.value, name.text)
    case .object(let name, let latitude, let longitude):
      guard let value = try take(name) else { return false }
      return try readObject(value.value, name.text, (latitude, longitude))
    }
  }

  /// The value of a member; absent where the record has no such member.
  private struct Taken {
    var value = csimdjson_value()
  }

  /// Takes a member out of those that become properties; nil when the record has it twice and was refused.
  private mutating func take(_ name: JSONName) throws(ParseStop) -> Taken? {
    var taken: Taken?
    let members = UnsafeMutableBufferPointer(mutating: self.members)
    for index in members.indices {
      let (text, count) = Self.name(members[index])
      guard name.matches(text, count) else { continue }
      guard taken == nil else {
        try refuseRepeated(members[index])
        return nil
      }
      members[index].is_foreign = 1
      taken = Taken(value: members[index].value)
    }
    return taken ?? Taken()
  }

  private mutating func readCoordinates(
    _ latitude: csimdjson_value, _ longitude: csimdjson_value,
    _ names: (latitude: String, longitude: String)
  ) throws(ParseStop) -> Bool {
    let axes = placement.axes
    guard let y = try looseCoordinate(latitude, axes.y, names.latitude),
      let x = try looseCoordinate(longitude, axes.x, names.longitude)
    else { return false }
    return try place(x, y)
  }

  /// A coordinate as a number, or as text as CSV has it.
  private mutating func looseCoordinate(
    _ value: csimdjson_value, _ axis: CoordinateAxis, _ name: String
  ) throws(ParseStop) -> Double? {
    switch csimdjson_kind(value.kind) {
    case CSIMDJSON_NUMBER: return try coordinate(value, axis)
    case CSIMDJSON_STRING:
      let text = Self.trimmed(value)
      guard let base = text.baseAddress, !text.isEmpty, !fields.nulls.contains(base, text.count)
      else { break }
      guard let number = number(text, axis) else {
        let shown = String(decoding: text.prefix(40), as: UTF8.self)
        try refuse(
          at: value.text, "\(axis.name) is no number",
          "the \(axis.name) `\(shown)` (`\(name)`) is no number")
        return nil
      }
      if let accepted = axis.accept(number) { return accepted }
      try refuse(
        at: value.text, "\(axis.name) is out of range",
        "the \(axis.name) \(number) (`\(name)`) \(axis.objection(to: number, options: "--crs EPSG:n --x NAME --y NAME"))"
      )
      return nil
    case CSIMDJSON_NULL, CSIMDJSON_ABSENT: break
    default:
      try refuse(
        at: value.text, "\(axis.name) is no number", "the \(axis.name) (`\(name)`) is no number")
      return nil
    }
    try refuse("\(axis.name) is missing", "the \(axis.name) (`\(name)`) is missing")
    return nil
  }

  private func number(_ text: UnsafeBufferPointer<UInt8>, _ axis: CoordinateAxis) -> Double? {
    guard let base = text.baseAddress else { return nil }
    if let number = CoordinateText.number(base, text.count) { return number }
    guard case .degrees = placement else { return nil }
    return CoordinateText.angle(String(decoding: text, as: UTF8.self), axis)
  }

  private static func trimmed(_ value: csimdjson_value) -> UnsafeBufferPointer<UInt8> {
    let (text, count) = bytes(value)
    var range = 0..<count
    while !range.isEmpty, JSONScan.isSpace(text[range.lowerBound]) { range.removeFirst() }
    while !range.isEmpty, JSONScan.isSpace(text[range.upperBound - 1]) { range.removeLast() }
    return UnsafeBufferPointer(start: text + range.lowerBound, count: range.count)
  }

  // MARK: Pairs

  private mutating func readPair(
    _ value: csimdjson_value, _ name: String, _ order: PairOrder
  ) throws(ParseStop) -> Bool {
    guard try checkJSON(value) else { return false }
    let text = Self.trimmed(value)
    guard csimdjson_kind(value.kind).rawValue > CSIMDJSON_NULL.rawValue, !text.isEmpty else {
      try refuse("coordinates are missing", "the coordinates (`\(name)`) are missing")
      return false
    }
    var shown = String(decoding: text, as: UTF8.self)
    if shown.hasPrefix("["), shown.hasSuffix("]") { shown = String(shown.dropFirst().dropLast()) }
    guard let pair = PairText(shown), let (y, x) = pair.ordered(order) else {
      try refuse(
        at: value.text, "coordinates are unclear",
        "`\(shown.prefix(60))` (`\(name)`) is not clearly a pair of coordinates")
      return false
    }
    let axes = placement.axes
    guard let x = try accepted(x, axes.x, name), let y = try accepted(y, axes.y, name) else {
      return false
    }
    return try place(x, y)
  }

  private mutating func accepted(
    _ value: Double, _ axis: CoordinateAxis, _ name: String
  ) throws(ParseStop) -> Double? {
    if let accepted = axis.accept(value) { return accepted }
    try refuse(
      "\(axis.name) is out of range",
      "the \(axis.name) \(value) (`\(name)`) \(axis.objection(to: value, options: "--crs EPSG:n"))")
    return nil
  }

  // MARK: Objects

  private mutating func readObject(
    _ value: csimdjson_value, _ name: String, _ names: (latitude: String, longitude: String)
  ) throws(ParseStop) -> Bool {
    guard csimdjson_kind(value.kind).rawValue > CSIMDJSON_NULL.rawValue else {
      try refuse("location is missing", "the location (`\(name)`) is missing")
      return false
    }
    guard try checkJSON(value) else { return false }
    let (text, count) = Self.bytes(value)
    let scan = JSONScan(bytes: text, count: count)
    let latitude = scan.member(names.latitude, ofObjectAt: 0).map { Self.value(scan, $0) }
    let longitude = scan.member(names.longitude, ofObjectAt: 0).map { Self.value(scan, $0) }
    let inner = ("\(name).\(names.latitude)", "\(name).\(names.longitude)")
    guard try readCoordinates(latitude ?? .init(), longitude ?? .init(), inner) else {
      return false
    }
    guard let altitude = scan.member("altitude", ofObjectAt: 0).map({ Self.value(scan, $0) }),
      csimdjson_kind(altitude.kind) == CSIMDJSON_NUMBER
    else { return true }
    location.altitude = try coordinate(altitude, .altitude)
    return location.altitude != nil
  }

  /// A value of well-formed JSON.
  private static func value(_ scan: JSONScan, _ range: Range<Int>) -> csimdjson_value {
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
    _ value: csimdjson_value, _ name: String
  ) throws(ParseStop) -> Bool {
    switch csimdjson_kind(value.kind) {
    case CSIMDJSON_STRING: return try readGeometryText(Self.trimmed(value), value, name)
    case CSIMDJSON_NESTED: return try readNestedGeometry(value)
    case CSIMDJSON_NULL, CSIMDJSON_ABSENT: try refuse("geometry is missing", "it has no geometry")
    default: try refuse("malformed geometry", "`\(name)` is no geometry")
    }
    return false
  }

  /// A geometry as GeoJSON has it. A parser of its own reads it, because texts of the record must stay valid.
  private mutating func readNestedGeometry(_ value: csimdjson_value) throws(ParseStop) -> Bool {
    guard try checkJSON(value) else { return false }
    let parser = try ParseStop.on { () throws(ImportError) in try geometryParser() }
    var read = csimdjson_feature()
    let result = csimdjson_read_geometry(parser.pointer, value.text, Int(value.length), &read)
    guard result.status == CSIMDJSON_OK else {
      try refuse(at: value.text, "malformed geometry", "the geometry is malformed")
      return false
    }
    (feature.geometry, feature.geometry_type) = (read.geometry, read.geometry_type)
    feature.geometry_text = value.text
    (feature.coordinates, feature.coordinate_count) = (read.coordinates, read.coordinate_count)
    return try readGeometry()
  }

  /// A geometry in WKT, or in WKB in hexadecimal digits.
  private mutating func readGeometryText(
    _ text: UnsafeBufferPointer<UInt8>, _ value: csimdjson_value, _ name: String
  ) throws(ParseStop) -> Bool {
    let geometry = GeometryText(text)
    if let system = geometry.system, let objection = placement.objection(toSystem: system) {
      try refuse("another coordinate system", objection)
      return false
    }
    switch geometry.content {
    case .point(let x, let y, let z):
      let axes = placement.axes
      guard let x = try accepted(x, axes.x, name), let y = try accepted(y, axes.y, name),
        try place(x, y)
      else { return false }
      location.altitude = z
      return true
    case .empty: try refuse("geometry is missing", "it has no geometry")
    case .malformed where text.isEmpty: try refuse("geometry is missing", "it has no geometry")
    case .malformed:
      let shown = String(decoding: text.prefix(60), as: UTF8.self)
      try refuse(at: value.text, "malformed geometry", "`\(shown)` (`\(name)`) is no geometry")
    case .other(let type):
      let rest = UnsafeBufferPointer(rebasing: text[geometry.start...])
      return try readShape(rest, geometry.notation, type)
    }
    return false
  }
}
