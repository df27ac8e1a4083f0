internal import CSimdJSON
internal import CairnGeometry

// Where a Feature is.
extension FeatureReader {
  /// Reads the coordinates of a Point; false when the Feature was refused.
  mutating func readLocation() throws(ParseStop) -> Bool {
    let count = Int(feature.coordinate_count)
    let values = (feature.coordinates.0, feature.coordinates.1, feature.coordinates.2)
    return try readLocation(values, count)
  }

  /// Reads the coordinates of one of several points.
  mutating func readLocation(_ values: [csimdjson_value]) throws(ParseStop) -> Bool {
    let none = csimdjson_value()
    func value(_ place: Int) -> csimdjson_value { place < values.count ? values[place] : none }
    return try readLocation((value(0), value(1), value(2)), values.count)
  }

  private mutating func readLocation(
    _ values: (csimdjson_value, csimdjson_value, csimdjson_value), _ count: Int
  ) throws(ParseStop) -> Bool {
    guard count >= 2 else {
      try refuse(
        "wrong number of coordinates",
        "a Point has two coordinates, or three with an altitude, not \(count)")
      return false
    }
    if count > 3 { hasFurtherNumbers = true }
    let axes = placement.axes
    guard let x = try coordinate(values.0, axes.x), let y = try coordinate(values.1, axes.y),
      try place(x, y)
    else { return false }
    guard count >= 3 else { return true }
    location.altitude = try coordinate(values.2, .altitude)
    return location.altitude != nil
  }

  /// Takes a point that was made of a geometry; false when the Feature was refused for it.
  mutating func accept(_ made: (x: Double, y: Double), _ type: String) throws(ParseStop) -> Bool {
    let axes = placement.axes
    for (value, axis) in [(made.x, axes.x), (made.y, axes.y)] where axis.accept(value) == nil {
      try refuse(
        "\(axis.name) is out of range",
        "the \(axis.name) \(value) of the point made of the \(type) \(axis.objection(to: value, options: "--crs EPSG:n"))"
      )
      return false
    }
    return try place(axes.x.accept(made.x) ?? made.x, axes.y.accept(made.y) ?? made.y)
  }

  mutating func coordinate(
    _ value: csimdjson_value, _ axis: CoordinateAxis
  ) throws(ParseStop) -> Double? {
    let (text, count) = Self.bytes(value)
    if let number = DoubleText.parseNearest(text, count), Self.isJSON(text) {
      if let accepted = axis.accept(number) { return accepted }
      try refuse(
        at: value.text, "\(axis.name) is out of range",
        "the \(axis.name) \(number) \(axis.objection(to: number, options: "--crs EPSG:n"))")
    } else if try checkJSON(value) {
      try refuse(
        at: value.text, "\(axis.name) is out of range",
        "the \(axis.name) \(Self.text(value)) fits no double")
    }
    return nil
  }

  /// Sets the location; false when the Feature was refused because its system has no such place.
  mutating func place(_ x: Double, _ y: Double) throws(ParseStop) -> Bool {
    guard case .projected(let transform) = placement else {
      location = Location(longitude: x, latitude: y, altitude: nil)
      return true
    }
    do throws(GeometryError) {
      let (longitude, latitude) = try transform.toWGS84(x: x, y: y)
      location = Location(longitude: longitude, latitude: latitude, altitude: nil)
      return true
    } catch {
      try refuse(Placement.refusal, Placement.detail(error, options: "`--crs`"))
      return false
    }
  }

  /// Refuses a Feature that names another coordinate system than its file is read in.
  mutating func checkSystem(_ member: csimdjson_member) throws(ParseStop) -> Bool {
    let (name, count) = Self.name(member)
    guard NameTable.text(name, count) == "crs" else { return true }
    let (text, length) = Self.bytes(member.value)
    // Numbers and words are no system in any case; a string names none, though some write one.
    let isNull = csimdjson_kind(member.value.kind) == CSIMDJSON_NULL
    let said = isNull ? .wgs84 : CRSMember(UnsafeBufferPointer(start: text, count: length))
    guard let objection = reading.objection(to: said) else { return true }
    try refuse("another coordinate system", objection)
    return false
  }
}
