internal import CSimdJSON
internal import CairnGeometry

// The location of a Feature.
extension FeatureReader {
  /// Reads the coordinates of a Point. Returns false when the Feature was rejected.
  mutating func readLocation() throws(ParseAbort) -> Bool {
    let count = Int(feature.coordinate_count)
    let values = (feature.coordinates.0, feature.coordinates.1, feature.coordinates.2)
    return try readLocation(values, count: count)
  }

  /// Reads the coordinates of one of several points. Returns false when the Feature was rejected.
  mutating func readLocation(_ values: [csimdjson_value]) throws(ParseAbort) -> Bool {
    let none = csimdjson_value()
    func value(_ index: Int) -> csimdjson_value { index < values.count ? values[index] : none }
    return try readLocation((value(0), value(1), value(2)), count: values.count)
  }

  private mutating func readLocation(
    _ values: (csimdjson_value, csimdjson_value, csimdjson_value), count: Int
  ) throws(ParseAbort) -> Bool {
    guard count >= 2 else {
      try reject(
        "wrong number of coordinates",
        detail: "expected two coordinates, or three with an altitude, found \(count)")
      return false
    }
    if count > 3 { hasFurtherNumbers = true }
    let axes = mapping.axes
    guard let x = try coordinate(values.0, axis: axes.x),
      let y = try coordinate(values.1, axis: axes.y),
      try setLocation(x, y: y)
    else { return false }
    guard count >= 3 else { return true }
    location.altitude = try coordinate(values.2, axis: .altitude)
    return location.altitude != nil
  }

  /// Takes a point that was derived from a geometry. Returns false when the Feature was rejected
  /// because of it.
  mutating func accept(
    _ made: (x: Double, y: Double), kind: Geometry.Kind
  ) throws(ParseAbort) -> Bool {
    let axes = mapping.axes
    for (value, axis) in [(made.x, axes.x), (made.y, axes.y)] where axis.accept(value) == nil {
      try reject(
        "\(axis.name) is out of range",
        detail: "the \(axis.name) \(value) of the point derived from the \(kind.geoJSONName) "
          + axis.objection(to: value)
      )
      return false
    }
    return try setLocation(axes.x.accept(made.x) ?? made.x, y: axes.y.accept(made.y) ?? made.y)
  }

  mutating func coordinate(
    _ value: csimdjson_value, axis: CoordinateAxis
  ) throws(ParseAbort) -> Double? {
    let (text, count) = Self.bytes(value)
    if let number = DoubleText.parseNearest(text, count: count), JSONNumber.begins(text) {
      if let accepted = axis.accept(number) { return accepted }
      try reject(
        at: value.text, "\(axis.name) is out of range",
        detail: "the \(axis.name) \(number) \(axis.objection(to: number))")
    } else if try checkJSON(value) {
      try reject(
        at: value.text, "\(axis.name) is out of range",
        detail: "the \(axis.name) \(Self.text(value)) does not fit a double")
    }
    return nil
  }

  /// Sets the location. Returns false when the Feature was rejected because its system does not
  /// cover the point.
  mutating func setLocation(_ x: Double, y: Double) throws(ParseAbort) -> Bool {
    content = .location
    guard case .projected(let transform) = mapping else {
      location = Location(longitude: x, latitude: y, altitude: nil)
      return true
    }
    do throws(GeometryError) {
      let (longitude, latitude) = try transform.toWGS84(x: x, y: y)
      location = Location(longitude: longitude, latitude: latitude, altitude: nil)
      return true
    } catch {
      try reject(
        CoordinateMapping.rejection, detail: CoordinateMapping.detail(error, hasColumns: false))
      return false
    }
  }

  /// Rejects a Feature that names a different coordinate system than its file.
  mutating func checkSystem(_ member: csimdjson_member) throws(ParseAbort) -> Bool {
    let (name, count) = Self.name(member)
    guard NameTable.text(name, count: count) == "crs" else { return true }
    let (text, length) = Self.bytes(member.value)
    // Numbers and words never name a system; neither does a string, though some programs write one.
    let isNull = csimdjson_kind(member.value.kind) == CSIMDJSON_NULL
    let said = isNull ? .wgs84 : CRSMember(UnsafeBufferPointer(start: text, count: length))
    guard let objection = reading.objection(to: said) else { return true }
    try reject("another coordinate system", detail: objection)
    return false
  }
}
