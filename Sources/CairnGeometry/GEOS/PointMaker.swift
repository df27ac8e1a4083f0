/// Makes points of other geometries with GEOS, in the plane of their coordinates. For one thread.
package final class PointMaker {
  /// Which point stands for a geometry.
  package enum Method: String, Sendable, CaseIterable {
    /// The centre of gravity, which may lie outside.
    case centroid
    /// A point that certainly lies on the geometry.
    case onSurface = "on-surface"
  }

  let method: Method
  let context: GEOSContext
  let points: GEOSPointLibrary
  let parts: GEOSOverlayLibrary

  /// Throws where GEOS is not installed.
  package init(_ method: Method) throws(GeometryError) {
    self.method = method
    context = try GEOSContext()
    points = try GEOSPointLibrary.shared()
    parts = try GEOSOverlayLibrary.shared()
  }

  /// The point of a GeoJSON geometry, which must be well-formed JSON.
  ///
  /// - Parameter inDegrees: the coordinates are longitude and latitude; jumps over the antimeridian are refused, and parts
  ///   that were cut there are put together.
  package func point(
    ofGeoJSON text: UnsafeBufferPointer<UInt8>, inDegrees: Bool
  ) throws(GeometryError) -> (x: Double, y: Double) {
    guard let reader = points.makeGeoJSONReader(context.handle) else {
      throw context.failure("read a geometry")
    }
    defer { points.destroyGeoJSONReader(context.handle, reader) }
    let geometry = Self.flattened(text).withUnsafeBufferPointer { text in
      text.baseAddress.flatMap { points.readGeoJSON(context.handle, reader, $0) }
    }
    return try point(of: geometry, inDegrees)
  }

  /// The point of a geometry in WKT.
  package func point(
    ofWKT text: UnsafeBufferPointer<UInt8>, inDegrees: Bool
  ) throws(GeometryError) -> (x: Double, y: Double) {
    guard let reader = points.makeWKTReader(context.handle) else {
      throw context.failure("read a geometry")
    }
    defer { points.destroyWKTReader(context.handle, reader) }
    let geometry = Self.terminated(text).withUnsafeBufferPointer { text in
      text.baseAddress.flatMap { points.readWKT(context.handle, reader, $0) }
    }
    return try point(of: geometry, inDegrees)
  }

  /// The point of a geometry in WKB, written in hexadecimal digits.
  package func point(
    ofHexWKB text: UnsafeBufferPointer<UInt8>, inDegrees: Bool
  ) throws(GeometryError) -> (x: Double, y: Double) {
    guard let reader = points.makeWKBReader(context.handle), let base = text.baseAddress else {
      throw context.failure("read a geometry")
    }
    defer { points.destroyWKBReader(context.handle, reader) }
    return try point(of: points.readHexWKB(context.handle, reader, base, text.count), inDegrees)
  }

  /// The text with two coordinates in each position: GEOS 3.11 refuses those that have a third.
  private static func flattened(_ text: UnsafeBufferPointer<UInt8>) -> [CChar] {
    var result: [CChar] = []
    result.reserveCapacity(text.count + 1)
    var (isText, isEscaped, commas) = (false, false, 0)
    for byte in text {
      if isText {
        isText = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      } else {
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"):
          commas = byte == UInt8(ascii: "[") ? 0 : .min
        case UInt8(ascii: ","): commas += 1
        default: break
        }
      }
      if commas < 2 { result.append(CChar(bitPattern: byte)) }
    }
    return result + [0]
  }

  private static func terminated(_ text: UnsafeBufferPointer<UInt8>) -> [CChar] {
    text.map { CChar(bitPattern: $0) } + [0]
  }

  private func point(
    of geometry: GEOSLibrary.Geometry?, _ inDegrees: Bool
  ) throws(GeometryError) -> (x: Double, y: Double) {
    guard let geometry else { throw context.failure("read a geometry") }
    defer { context.library.destroy(context.handle, geometry) }
    let outline = try GeometryOutline(geometry, self)
    if inDegrees { try outline.checkJumps() }
    if method == .centroid, inDegrees, outline.isCutAtAntimeridian {
      return try centroidOfParts(geometry)
    }
    return try place(made(of: geometry))
  }

  private func made(of geometry: GEOSLibrary.Geometry) -> GEOSLibrary.Geometry? {
    switch method {
    case .centroid: points.centroid(context.handle, geometry)
    case .onSurface: points.pointOnSurface(context.handle, geometry)
    }
  }

  /// The coordinates of a point that GEOS has made, which is given up.
  private func place(_ made: GEOSLibrary.Geometry?) throws(GeometryError) -> (x: Double, y: Double)
  {
    guard let made else { throw context.failure("make a point") }
    defer { context.library.destroy(context.handle, made) }
    var (x, y) = (0.0, 0.0)
    guard points.isEmpty(context.handle, made) == 0, points.x(context.handle, made, &x) == 1,
      points.y(context.handle, made, &y) == 1, x.isFinite, y.isFinite
    else { throw GeometryError(.library, "The geometry has no \(method.rawValue) point.") }
    return (x, y)
  }

  /// The centroid of parts on both sides of the antimeridian, the western ones moved behind it.
  private func centroidOfParts(
    _ geometry: GEOSLibrary.Geometry
  ) throws(GeometryError) -> (x: Double, y: Double) {
    let count = max(0, parts.partCount(context.handle, geometry))
    let members = (0..<count).compactMap { parts.part(context.handle, geometry, $0) }
    var weights = members.map { measure(points.area, $0) }
    if weights.allSatisfy({ $0 == 0 }) { weights = members.map { measure(points.length, $0) } }
    if weights.allSatisfy({ $0 == 0 }) { weights = members.map { _ in 1 } }
    var (x, y, total) = (0.0, 0.0, 0.0)
    for (member, weight) in zip(members, weights) where weight > 0 {
      let centre = try place(points.centroid(context.handle, member))
      x += weight * (centre.x < 0 ? centre.x + 360 : centre.x)
      y += weight * centre.y
      total += weight
    }
    x /= total
    return (x > 180 ? x - 360 : x, y / total)
  }

  private func measure(_ measure: GEOSPointLibrary.Measure, _ geometry: GEOSLibrary.Geometry)
    -> Double
  {
    var value = 0.0
    return measure(context.handle, geometry, &value) == 1 ? value : 0
  }
}
