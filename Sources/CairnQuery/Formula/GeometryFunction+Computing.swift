import CairnGeometry
import CairnValues

extension FormulaVector {
  /// The number of rows that a thread computes at a time.
  private static let partSize = 16

  /// Sets the rows to the results of a function of geometries, which all cores compute.
  ///
  /// - Parameter cutter: The prepared second argument of `clip` and `erase`, if it is the same in all
  ///   rows.
  /// - Returns: The first row that has no result, and the error; nil if all have one.
  func compute(
    _ function: GeometryFunction, of arguments: [FormulaVector], cutter: GeometryCutter? = nil
  ) -> (row: Int, error: GeometryError)? {
    var results = Array(repeating: Value.null, count: count)
    // Sendable: each task writes the results and the failure of its own part.
    nonisolated(unsafe) var failures: [(row: Int, error: GeometryError)?] = Array(
      repeating: nil, count: (count + Self.partSize - 1) / Self.partSize)
    results.withUnsafeMutableBufferPointer { results in
      failures.withUnsafeMutableBufferPointer { failures in
        WorkerPool.shared.run(failures.count) { part in
          for row in part * Self.partSize..<min(count, (part + 1) * Self.partSize)
          where !arguments.contains(where: { $0.isNull(row) }) {
            do throws(GeometryError) {
              results[row] = try function.value(
                GeometryArguments(arguments, row: row, cutter: cutter))
            } catch {
              failures[part] = (row, error)
              return
            }
          }
        }
      }
    }
    if let failure = failures.lazy.compactMap({ $0 }).first { return failure }
    take(results, of: function.type)
    return nil
  }

  /// Sets the rows to values of a type.
  private func take(_ values: [Value], of type: ValueType) {
    switch type {
    case .geometry, .string:
      makeBytes(of: type) { row, bytes in
        switch values[row] {
        case .geometry(let packed): bytes += packed
        case .string(let text): bytes += text.utf8
        default: return false
        }
        return true
      }
    default:
      self.type = type
      for row in 0..<count { set(values[row], at: row) }
    }
  }
}

/// The arguments of a function of geometries in one row. None is null.
struct GeometryArguments {
  private let vectors: [FormulaVector]
  private let row: Int
  private let cutter: GeometryCutter?

  init(_ vectors: [FormulaVector], row: Int, cutter: GeometryCutter?) {
    self.vectors = vectors
    self.row = row
    self.cutter = cutter
  }

  /// The second argument as an area that cuts the first.
  func cutter(keeping side: GeometryCutter.Side) throws(GeometryError) -> GeometryCutter {
    if let cutter { return cutter }
    return try GeometryCutter(geometry(1), keeping: side)
  }

  /// The number of arguments.
  var count: Int { vectors.count }
  /// The first argument, in place.
  var view: GeometryView { view(0) }

  /// A geometry, in place.
  func view(_ index: Int) -> GeometryView { GeometryView(vectors[index].texts[row]) }

  /// A geometry.
  func geometry(_ index: Int = 0) -> Geometry {
    Geometry(packed: Array(vectors[index].texts[row]))
  }

  /// A number, or a length in metres.
  func number(_ index: Int) -> Double { vectors[index].doubles[row] }

  /// A text.
  func text(_ index: Int) -> String { String(decoding: vectors[index].texts[row], as: UTF8.self) }

  /// A whole number.
  func int(_ index: Int) -> Int { Int(clamping: vectors[index].integers[row]) }

  /// A length.
  ///
  /// - Parameter sign: The number that the argument is multiplied by.
  /// - Throws: An error for a negative one.
  func distance(_ index: Int, sign: Double = 1) throws(GeometryError) -> Distance {
    guard let distance = Distance.meters(sign * number(index)), distance.radians.isFinite else {
      throw GeometryError(
        .outOfRange, message: "the length is \(number(index)) m; expected 0 m or more")
    }
    return distance
  }
}

extension GeometryFunction {
  /// Returns the result for one row.
  fileprivate func value(_ arguments: GeometryArguments) throws(GeometryError) -> Value {
    switch type {
    case .geometry: try shape(arguments).map { .geometry($0.bytes) } ?? .null
    case .point: try point(arguments).map { .point(Position($0)) } ?? .null
    case .double: try number(arguments).map { .double($0) } ?? .null
    case .string: text(arguments).map { .string($0) } ?? .null
    case .bool where relation != nil || self == .relate: .bool(try relates(arguments))
    default: property(arguments.view)
    }
  }

  /// The relation that the function decides; nil for the others.
  private var relation: SpatialRelation? {
    switch self {
    case .intersects: .intersects
    case .disjoint: .disjoint
    case .within: .within
    case .contains: .contains
    case .touches: .touches
    case .crosses: .crosses
    case .overlaps: .overlaps
    case .equals: .equals
    default: nil
    }
  }

  private func relates(_ arguments: GeometryArguments) throws(GeometryError) -> Bool {
    guard let relation else {
      return try arguments.geometry().relate(arguments.geometry(1), pattern: arguments.text(2))
    }
    return PlanarRelation.holds(relation, arguments.view, to: arguments.view(1))
  }

  private func shape(_ arguments: GeometryArguments) throws(GeometryError) -> Geometry? {
    let geometry = arguments.geometry()
    switch self {
    case .buffer: return try buffer(geometry, arguments)
    case .simplify: return try geometry.simplified(within: arguments.distance(1))
    case .simplifyPreservingTopology:
      return try geometry.simplifiedPreservingTopology(within: arguments.distance(1))
    case .densify: return try geometry.densified(to: arguments.distance(1))
    case .convexHull: return try geometry.convexHull()
    case .concaveHull: return try geometry.concaveHull(ratio: arguments.number(1))
    case .envelope: return try geometry.envelope()
    case .minimumRotatedRectangle: return try geometry.minimumRotatedRectangle()
    case .boundary: return geometry.boundary()
    case .exteriorRing: return geometry.exteriorRing
    case .lineMerge: return try geometry.lineMerged()
    case .lineSubstring:
      return try geometry.line(from: arguments.number(1), to: arguments.number(2))
    case .pointsAlong: return try geometry.locations(every: arguments.distance(1))
    case .randomPoints:
      let seed = arguments.count > 2 ? arguments.int(2) : 0
      return try geometry.randomLocations(
        arguments.int(1), seed: UInt64(truncatingIfNeeded: seed))
    case .polygonize: return try geometry.polygonized()
    case .shortestLine: return try geometry.shortestLine(to: arguments.geometry(1))
    case .snap:
      return try geometry.snapped(to: arguments.geometry(1), within: arguments.distance(2))
    case .divide: return try geometry.split(by: arguments.geometry(1))
    case .makeValid: return try geometry.repaired()
    case .setPrecision: return try geometry.withPrecision(arguments.number(1))
    case .reverse: return geometry.reversed()
    case .force2D: return geometry.withoutAltitudes()
    case .clip: return try arguments.cutter(keeping: .inside).part(of: geometry)
    case .erase: return try arguments.cutter(keeping: .outside).part(of: geometry)
    case .intersection: return try geometry.intersection(arguments.geometry(1))
    case .union: return try geometry.union(arguments.geometry(1))
    case .difference: return try geometry.difference(arguments.geometry(1))
    default: return try geometry.symmetricDifference(arguments.geometry(1))
    }
  }

  /// The area around a geometry, or for a negative distance the part inside of it.
  private func buffer(
    _ geometry: Geometry, _ arguments: GeometryArguments
  ) throws(GeometryError) -> Geometry {
    if arguments.number(1) < 0 { return try geometry.inset(arguments.distance(1, sign: -1)) }
    var style = BufferStyle.round
    if arguments.count > 2 { style.quadSegments = arguments.int(2) }
    return try geometry.buffer(arguments.distance(1), style: style)
  }

  private func point(_ arguments: GeometryArguments) throws(GeometryError) -> GeoPoint? {
    switch self {
    case .centroid: return arguments.view.centroid
    case .pointOnSurface: return try arguments.geometry().pointOnSurface()
    case .closestPoint: return arguments.geometry().closestPoint(to: arguments.geometry(1))
    default: return try arguments.geometry().location(atFraction: arguments.number(1))
    }
  }

  private func number(_ arguments: GeometryArguments) throws(GeometryError) -> Double? {
    let view = arguments.view
    switch self {
    // A line has no area and a polygon no length: both are 0, as Simple Features has it.
    case .area: return try Ellipsoid.wgs84().area(of: view) ?? 0
    case .length: return try Ellipsoid.wgs84().length(of: view) ?? 0
    case .perimeter: return try arguments.geometry().perimeter
    case .distance: return try arguments.geometry().distance(to: arguments.geometry(1))?.asMeters()
    case .azimuth:
      guard let one = arguments.geometry().point, let other = arguments.geometry(1).point else {
        return nil
      }
      return try one.azimuth(to: other)
    case .lineLocate:
      guard let point = arguments.geometry(1).point else { return nil }
      return try arguments.geometry().fraction(nearestTo: point)
    default:
      guard view.kind == .point, view.vertexCount == 1 else { return nil }
      return self == .x ? view.longitude(0) : view.latitude(0)
    }
  }

  private func text(_ arguments: GeometryArguments) -> String? {
    switch self {
    case .asText: return arguments.geometry().wkt
    case .hex: return arguments.geometry().hexWKB
    case .geometryType: return arguments.view.kind.geoJSONName
    default:
      let length = arguments.count > 1 ? arguments.int(1) : 12
      return arguments.geometry().point?.geohash(length: min(12, max(1, length)))
    }
  }

  private func property(_ view: GeometryView) -> Value {
    switch self {
    case .parts: return .int(Int64(view.parts.reduce(into: 0) { count, _ in count += 1 }))
    case .vertices: return .int(Int64(view.vertexCount))
    case .isEmpty: return .bool(view.vertexCount == 0)
    default:
      do throws(GeometryError) {
        try view.validate(edges: .planar)
        return .bool(true)
      } catch { return .bool(false) }
    }
  }
}

extension Position {
  /// Creates the position of a point. At sea level it has no altitude.
  fileprivate init(_ point: GeoPoint) {
    self.init(
      latitude: point.latitude, longitude: point.longitude,
      altitude: point.altitude.isFinite ? point.altitude : 0)
  }
}
