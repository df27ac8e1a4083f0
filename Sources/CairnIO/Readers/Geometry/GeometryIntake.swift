package import CairnGeometry
package import CairnValues

/// A geometry that cannot be stored, and the reason.
package struct GeometryRefusal: Error {
  /// The reason that other records share.
  package let reason: RejectReason
  /// The reason with the place and the remedy.
  package let detail: ImportMessage
  /// The offset of the error in the text that was read, if it is a single one.
  var offset: Int?

  /// The refusal of a text that is not a geometry.
  static func malformed(_ detail: ImportMessage, offset: Int? = nil) -> GeometryRefusal {
    GeometryRefusal(reason: "malformed geometry", detail: detail, offset: offset)
  }
}

/// Turns the geometries of records into the packed form that the store keeps: maps coordinates to
/// WGS 84, checks the geometry, and repairs it if the options say so. For use by one thread.
///
/// It keeps its memory from one geometry to the next.
package struct GeometryIntake {
  /// Takes the coordinates as the file gives them.
  var builder = GeometryBuilder()
  private var mapped = GeometryBuilder()
  var texts = GeometryTextReader()
  /// The packed form of the last geometry.
  private(set) var bytes: [UInt8] = []
  /// Whether some position of a file had more than three numbers.
  var hasFurtherNumbers = false
  private(set) var changes = GeometryChanges()
  private let repairs: Bool
  private let edges: GeoPolygon.Edges

  /// - Parameter edges: What joins the vertices, for the rules of validity.
  package init(_ options: GeometryOptions, edges: GeoPolygon.Edges = .planar) {
    repairs = options.repairs
    self.edges = edges
  }

  /// Packs the geometry of the builder. Returns false if it has no vertex.
  package mutating func finish(
    as type: ValueType, mapping: CoordinateMapping
  ) throws(GeometryRefusal) -> Bool {
    guard builder.vertexCount > 0 else { return false }
    pack(builder)
    try checkRange(mapping)
    try place(mapping)
    try check()
    try checkKind(type)
    return true
  }

  /// Returns the changes to geometries since the last call, and those of a converter.
  package mutating func takeChanges(and converter: PointConverter) -> GeometryChanges {
    defer { changes = GeometryChanges() }
    changes.countRepairs(converter.takeRepairs())
    return changes
  }

  /// Calls `body` with the packed form of the last geometry.
  @inline(__always)
  package func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) { bytes.withUnsafeBytes(body) }

  /// Packs a location in WGS 84.
  package mutating func pack(_ location: Location) {
    builder.reset()
    builder.begin(.point)
    builder.add(
      longitude: location.longitude, latitude: location.latitude, altitude: location.altitude)
    builder.end()
    pack(builder)
  }

  private mutating func pack(_ builder: GeometryBuilder) {
    bytes.removeAll(keepingCapacity: true)
    builder.encode(into: &bytes)
  }

  /// Brings the geometry to WGS 84 and onto the earth.
  private mutating func place(_ mapping: CoordinateMapping) throws(GeometryRefusal) {
    if case .degrees = mapping, bytes.withUnsafeBytes({ GeometryView($0).isOnEarth }) { return }
    mapped.reset()
    try map(mapping)
    pack(mapped)
    guard bytes.withUnsafeBytes({ GeometryView($0).isBeyondAntimeridian }) else { return }
    do throws(GeometryError) {
      bytes = try Geometry(packed: bytes).wrapped(repairing: repairs).bytes
    } catch { throw refusal(error) }
  }

  private mutating func map(_ mapping: CoordinateMapping) throws(GeometryRefusal) {
    let result = bytes.withUnsafeBytes { buffer -> Result<Void, GeometryRefusal> in
      do throws(GeometryRefusal) {
        let axes = mapping.axes
        try GeometryView(buffer).copy(into: &mapped) { (x, y) throws(GeometryRefusal) in
          guard case .projected(let transform) = mapping else {
            // The edges that reach beyond the antimeridian are cut there, unless each is the
            // shortest path between its ends.
            let isWrapped = edges == .geodesic
            let longitude = isWrapped ? axes.x.accept(x) ?? x : EarthLimits.longitude(x)
            return (longitude, EarthLimits.latitude(y))
          }
          do throws(GeometryError) {
            let point = try transform.toWGS84(x: x, y: y)
            return (point.longitude, point.latitude)
          } catch {
            throw GeometryRefusal(
              reason: CoordinateMapping.rejection,
              detail: CoordinateMapping.detail(error, hasColumns: false))
          }
        }
        return .success(())
      } catch { return .failure(error) }
    }
    try result.get()
  }

  // MARK: Rules

  /// Checks the coordinates as the file gives them.
  private func checkRange(_ mapping: CoordinateMapping) throws(GeometryRefusal) {
    let axes = mapping.axes
    let result = bytes.withUnsafeBytes { buffer -> Result<Void, GeometryRefusal> in
      let view = GeometryView(buffer)
      do throws(GeometryRefusal) {
        for index in 0..<view.vertexCount {
          let (x, y) = (view.longitude(index), view.latitude(index))
          try CoordinateRange.check(x, y: y, axes: axes, offset: nil)
          if view.altitude(index)?.isInfinite == true {
            throw GeometryRefusal(
              reason: "altitude is out of range", detail: "an altitude does not fit a double")
          }
        }
        return .success(())
      } catch { return .failure(error) }
    }
    try result.get()
  }

  private mutating func check() throws(GeometryRefusal) {
    let fault = bytes.withUnsafeBytes { buffer -> GeometryError? in
      let view = GeometryView(buffer)
      if view.kind == .point { return nil }
      do throws(GeometryError) {
        try view.validate(edges: edges)
        return nil
      } catch { return error }
    }
    guard let fault else { return }
    let geometry = Geometry(packed: bytes)
    if fault.isTouch, let split = geometry.splitWhereRingsTouch(edges: edges) {
      bytes = split.bytes
      changes.countSplit()
      return
    }
    guard repairs, fault.isRepairable || fault.kind == .tooFewPoints else { throw refusal(fault) }
    do throws(GeometryError) {
      let repaired = try geometry.repaired()
      bytes = repaired.bytes
      changes.countRepair(of: geometry, to: repaired)
    } catch { throw refusal(error) }
  }

  private func refusal(_ fault: GeometryError) -> GeometryRefusal {
    let advice: ImportMessage =
      fault.isRepairable && !repairs ? "; \(option: .repairs) repairs it" : ""
    return GeometryRefusal(
      reason: .invalidGeometry(fault.kind), detail: "\(part(fault))\(fault.message)\(advice)")
  }

  /// Names the polygon of a fault if there are several.
  private func part(_ fault: GeometryError) -> String {
    guard let polygon = fault.polygon else { return "" }
    let count = bytes.withUnsafeBytes { buffer in
      GeometryView(buffer).parts.reduce(into: 0) { if case .polygon = $1 { $0 += 1 } }
    }
    return count > 1 ? "polygon \(polygon + 1) of \(count): " : ""
  }

  private func checkKind(_ type: ValueType) throws(GeometryRefusal) {
    let kind = bytes.withUnsafeBytes { GeometryView($0).kind }
    let fits =
      switch type {
      case .lineString: kind == .lineString
      case .polygon: kind == .polygon || kind == .multiPolygon
      default: true
      }
    guard !fits else { return }
    throw GeometryRefusal(
      reason: .geometryKind(type), detail: "expected a \(type.name), found a \(kind.geoJSONName)")
  }
}

extension GeometryError {
  /// Whether a ring may only touch itself.
  fileprivate var isTouch: Bool { kind == .selfIntersection || kind == .duplicateVertex }

  /// Whether a repair usually makes the geometry valid.
  fileprivate var isRepairable: Bool {
    switch kind {
    case .selfIntersection, .duplicateVertex, .holeOutsideOuterRing, .holesCross, .sharedEdge,
      .nesting, .emptyHole, .closed, .overlap, .disconnectedInterior:
      true
    default: false
    }
  }
}

extension Geometry.Kind {
  /// Creates the kind of a name in GeoJSON; nil if no kind has it.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard let kind = Self.allCases.first(where: { text.elementsEqual($0.geoJSONName.utf8) }) else {
      return nil
    }
    self = kind
  }
}

/// The range of coordinates.
enum CoordinateRange {
  /// Checks the coordinates of a position as a file gives them.
  ///
  /// - Parameter offset: The offset of the position in the text, for the message.
  @inline(__always)
  static func check(
    _ x: Double, y: Double, axes: (x: CoordinateAxis, y: CoordinateAxis), offset: Int?
  ) throws(GeometryRefusal) {
    if x.magnitude <= axes.x.limit, y.magnitude <= axes.y.limit, !x.isSubnormal, !y.isSubnormal {
      return
    }
    try checkSlowly(x, y: y, axes: axes, offset: offset)
  }

  @inline(never)
  private static func checkSlowly(
    _ x: Double, y: Double, axes: (x: CoordinateAxis, y: CoordinateAxis), offset: Int?
  ) throws(GeometryRefusal) {
    for (value, axis) in [(x, axes.x), (y, axes.y)] where value.isSubnormal {
      throw GeometryRefusal(
        reason: "\(axis.name) is out of range",
        detail: "the \(axis.name) \(value) is too close to zero to compute with; write 0",
        offset: offset)
    }
    for (value, axis) in [(x, axes.x), (y, axes.y)] where axis.accept(value) == nil {
      throw GeometryRefusal(
        reason: "\(axis.name) is out of range",
        detail: "the \(axis.name) \(value) \(axis.objection(to: value))", offset: offset)
    }
  }
}
