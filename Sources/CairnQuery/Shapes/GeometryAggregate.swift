import CairnGeometry
import CairnStorage
import CairnValues

/// A shape that many geometries make together. The raw value is its name.
public enum GeometryAggregate: String, CaseIterable, Sendable {
  /// The points of any of them, in the plane: polygons that overlap or share edges become one.
  case union
  /// The union of polygons that share edges and do not overlap, which takes less time.
  case coverage
  /// All of them as the members of one geometry, unchanged.
  case collect
  /// The smallest box of meridians and parallels around them.
  case extent
  /// The smallest convex geometry around them, in the plane.
  case hull
  /// The line through points, in their order.
  case line
  /// The polygons that lines and outlines enclose, which may cross anywhere.
  case polygons

  /// Whether the order of the geometries matters.
  package var isOrdered: Bool { self == .line }

  /// Whether the shape of some parts' shapes is the shape of all.
  fileprivate var isDivisible: Bool { self == .union || self == .coverage }

  /// The shape of some geometries.
  ///
  /// - Returns: The shape; nil for a line through fewer than two points, lines that enclose nothing, or
  ///   no geometries.
  /// - Throws: ``GeometryError`` if a geometry is not valid, GEOS is not installed, or a line is to lead
  ///   through something else than points.
  package func shape(of geometries: [Geometry]) throws(GeometryError) -> Geometry? {
    if geometries.isEmpty { return nil }
    switch self {
    case .union: return try Self.union(geometries)
    case .coverage: return try Geometry.coverageUnion(of: geometries)
    case .collect: return try Geometry(collecting: geometries)
    case .extent: return try Geometry(collecting: geometries).envelope()
    case .hull: return try Geometry(collecting: geometries).convexHull()
    case .line: return try Self.line(geometries)
    case .polygons:
      // Rows may share borders, which polygons of a multipolygon may not.
      let polygons = try Geometry(members: geometries).polygonized()
      return polygons.isEmpty ? nil : polygons
    }
  }

  /// The union, by shared edges if that is enough: it takes a fraction of the time.
  private static func union(_ geometries: [Geometry]) throws(GeometryError) -> Geometry {
    if geometries.count > 2, let coverage = try? Geometry.coverageUnion(of: geometries) {
      return coverage
    }
    return try Geometry.union(of: geometries)
  }

  private static func line(_ points: [Geometry]) throws(GeometryError) -> Geometry? {
    var vertices: [GeoPoint] = []
    for geometry in points where !geometry.isEmpty {
      guard let point = geometry.point else {
        throw GeometryError(
          .wrongKind, message: "a line leads through points, and one row has \(geometry)")
      }
      vertices.append(point)
    }
    return GeoLineString(vertices).map { Geometry($0) }
  }
}

/// Computes the shapes of groups of rows, on all cores.
package struct GroupShapes {
  /// The number of rows whose union a thread computes at a time. Rows lie along the Hilbert curve, so
  /// that they are mostly neighbours.
  private static let partSize = 1024

  private let aggregate: GeometryAggregate
  private let column: Column

  /// - Parameter column: The column of locations or geometries.
  package init(_ aggregate: GeometryAggregate, of column: Column) {
    self.aggregate = aggregate
    self.column = column
  }

  /// A failure of a group.
  package struct GroupFailure: Error {
    /// The index of the group.
    package let group: Int
    /// The reason.
    package let cause: GeometryError
  }

  /// A part of a group: its rows, or their shape.
  private struct Part {
    let group: Int
    var keys: ArraySlice<Int>
    var geometries: [Geometry] = []
    var result: Result<Geometry?, GeometryError> = .success(nil)
  }

  /// Returns the shape of each group.
  ///
  /// - Parameters:
  ///   - groups: The keys of the rows of each group.
  ///   - progress: Receives the number of rows so far, between batches.
  /// - Throws: `progress`' error, or ``GroupFailure`` for the first group that fails.
  package func shapes(
    of groups: [[Int]], progress: (Int) throws -> Void
  ) throws -> [Geometry?] {
    var shapes: [[Geometry]] = Array(repeating: [], count: groups.count)
    var waiting: [Part] = []
    var rowCount = 0
    let waveSize = WorkerPool.shared.width * 8
    func work() throws {
      try run(&waiting, shapes: &shapes)
      rowCount += waiting.reduce(0) { $0 + $1.keys.count }
      waiting.removeAll(keepingCapacity: true)
      try progress(rowCount)
    }
    for (group, keys) in groups.enumerated() {
      let size = aggregate.isDivisible ? Self.partSize : max(1, keys.count)
      for start in stride(from: 0, to: keys.count, by: size) {
        waiting.append(Part(group: group, keys: keys[start..<min(keys.count, start + size)]))
        if waiting.count == waveSize { try work() }
      }
    }
    try work()
    return try joined(shapes)
  }

  /// Joins the shapes of the parts of each group, eight neighbours at a time, until one is left.
  private func joined(_ shapes: [[Geometry]]) throws(GroupFailure) -> [Geometry?] {
    var shapes = shapes
    while shapes.contains(where: { $0.count > 1 }) {
      var parts: [Part] = []
      for (group, members) in shapes.enumerated() where members.count > 1 {
        for start in stride(from: 0, to: members.count, by: 8) {
          parts.append(
            Part(
              group: group, keys: [],
              geometries: Array(members[start..<min(members.count, start + 8)])))
        }
        shapes[group] = []
      }
      try run(&parts, shapes: &shapes)
    }
    return shapes.map(\.first)
  }

  /// Computes parts, and appends their shapes to those of their groups.
  private func run(_ parts: inout [Part], shapes: inout [[Geometry]]) throws(GroupFailure) {
    for index in parts.indices {
      for key in parts[index].keys {
        do throws(GeometryError) { parts[index].geometries.append(try geometry(key)) } catch {
          throw GroupFailure(group: parts[index].group, cause: error)
        }
      }
    }
    parts.withUnsafeMutableBufferPointer { parts in
      WorkerPool.shared.run(parts.count) { index in
        let geometries = parts[index].geometries
        parts[index].geometries = []
        parts[index].result = Result { () throws(GeometryError) in
          try aggregate.shape(of: geometries)
        }
      }
    }
    for part in parts {
      switch part.result {
      case .success(let shape): if let shape { shapes[part.group].append(shape) }
      case .failure(let error): throw GroupFailure(group: part.group, cause: error)
      }
    }
  }

  /// The geometry of a row, which has one.
  private func geometry(_ key: Int) throws(GeometryError) -> Geometry {
    let (chunk, row) = (column.chunk(RowAddress(key).chunk), RowAddress(key).row)
    guard column.schema.type == .point else {
      return Geometry(packed: Array(chunk.rowBytes(row)))
    }
    let position = chunk.position(at: row)
    var builder = GeometryBuilder()
    builder.appendPoint(
      longitude: position.longitude, latitude: position.latitude, altitude: position.altitude)
    return try Geometry(builder)
  }
}
