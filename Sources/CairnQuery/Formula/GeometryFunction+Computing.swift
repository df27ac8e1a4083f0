import CairnGeometry
import CairnValues

extension FormulaVector {
  /// The number of rows that a thread computes at a time.
  private static let partSize = 16

  /// Sets the rows to the results of a function of geometries, which all cores compute.
  ///
  /// - Returns: The first row that has no result, and the error; nil if all have one.
  func compute(
    _ function: GeometryFunction, of arguments: [FormulaVector]
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
              results[row] = try function.value(GeometryArguments(arguments, row: row))
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

  init(_ vectors: [FormulaVector], row: Int) {
    self.vectors = vectors
    self.row = row
  }

  /// The number of arguments.
  var count: Int { vectors.count }
  /// The first argument, in place.
  var view: GeometryView { GeometryView(vectors[0].texts[row]) }

  /// A geometry.
  func geometry(_ index: Int = 0) -> Geometry {
    Geometry(packed: Array(vectors[index].texts[row]))
  }

  /// A number, or a length in metres.
  func number(_ index: Int) -> Double { vectors[index].doubles[row] }

  /// A length.
  ///
  /// - Throws: An error for a negative one.
  func distance(_ index: Int) throws(GeometryError) -> Distance {
    guard let distance = Distance.meters(number(index)), distance.radians.isFinite else {
      throw GeometryError(
        .outOfRange, message: "the length is \(number(index)) m; expected 0 m or more")
    }
    return distance
  }
}

extension GeometryFunction {
  /// Returns the result for one row.
  fileprivate func value(_ arguments: GeometryArguments) throws(GeometryError) -> Value {
    switch self {
    case .area, .length: try measure(arguments.view)
    case .x, .y, .parts, .vertices, .isEmpty, .isValid, .geometryType: property(arguments.view)
    case .asText: .string(arguments.geometry().wkt)
    case .hex: .string(arguments.geometry().hexWKB)
    case .centroid: Self.value(arguments.view.centroid)
    case .buffer: .geometry(try arguments.geometry().buffer(try arguments.distance(1)).bytes)
    case .convexHull: .geometry(try arguments.geometry().convexHull().bytes)
    case .makeValid: .geometry(try arguments.geometry().repaired().bytes)
    case .intersection, .union, .difference:
      .geometry(try combined(arguments.geometry(), arguments.geometry(1)).bytes)
    }
  }

  private func measure(_ view: GeometryView) throws(GeometryError) -> Value {
    let ellipsoid = try Ellipsoid.wgs84()
    let measure = self == .area ? ellipsoid.area(of: view) : ellipsoid.length(of: view)
    // A line has no area, as Simple Features has it.
    return .double(measure ?? 0)
  }

  private func property(_ view: GeometryView) -> Value {
    switch self {
    case .x, .y:
      guard view.kind == .point, view.vertexCount == 1 else { return .null }
      return .double(self == .x ? view.longitude(0) : view.latitude(0))
    case .parts: return .int(Int64(view.parts.reduce(into: 0) { count, _ in count += 1 }))
    case .vertices: return .int(Int64(view.vertexCount))
    case .isEmpty: return .bool(view.vertexCount == 0)
    case .isValid:
      do throws(GeometryError) {
        try view.validate(edges: .planar)
        return .bool(true)
      } catch { return .bool(false) }
    default: return .string(view.kind.geoJSONName)
    }
  }

  private func combined(
    _ one: Geometry, _ other: Geometry
  ) throws(GeometryError) -> Geometry {
    switch self {
    case .intersection: try one.intersection(other)
    case .union: try one.union(other)
    default: try one.difference(other)
    }
  }

  private static func value(_ point: GeoPoint?) -> Value {
    guard let point else { return .null }
    return .point(
      Position(
        latitude: point.latitude, longitude: point.longitude,
        altitude: point.altitude.isFinite ? point.altitude : 0))
  }
}
