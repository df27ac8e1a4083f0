import CairnGeometry
import CairnStorage
import CairnValues

/// The rule by which rows belong together.
package enum ClusterRule: Sendable {
  /// Chains of rows in dense places (DBSCAN): of rows with at least `atLeast` rows within the distance,
  /// themselves included, and of rows within the distance of such a row.
  case density(within: Distance, atLeast: Int)
  /// At most that many clusters of rows around as many centres (k-means).
  case count(Int)
}

/// The clusters of rows by their locations or geometries, numbered from 0 in the order of their first
/// rows.
///
/// Distances are those on the sphere, between geometries the least ones with geodesic edges. Around
/// centres, a geometry is where its centroid is. The clusters do not depend on the number of cores.
package struct Clusters {
  /// The keys of the rows, in ascending order.
  package let keys: [Int]
  /// The number of clusters.
  package private(set) var count = 0
  /// The cluster of each row; -1 for a row in none.
  private var numbers: [Int32]

  /// Finds the clusters.
  ///
  /// - Parameters:
  ///   - keys: The keys of the rows, in any order; each counts once.
  ///   - column: The location or geometry.
  ///   - check: Called between the steps of the work, which its error ends.
  /// - Throws: ``QueryError`` if the rule has a number that is out of range; `GeometryError` if a
  ///   library is missing.
  /// - Complexity: About O(*n* log *n*) for locations. For geometries, the time grows with the number
  ///   of pairs within the distance, the memory with that of rows.
  package init(
    _ rule: ClusterRule, of keys: [Int], in table: Table, by column: ColumnSchema,
    check: () throws -> Void = {}
  ) throws {
    try rule.validate()
    self.keys = keys.sortedUnique()
    numbers = Array(repeating: -1, count: self.keys.count)
    let cells = table.column(column.position)
    switch rule {
    case .count(let count):
      let (rows, locations) = self.locations(cells, of: column) { $0.centroid }
      var means = MeanClusters(locations.directions)
      set(try means.numbers(count: count, check: check), of: rows)
    case .density(let distance, let atLeast):
      let (rows, locations) = self.locations(cells, of: column, where: \.onlyPoint)
      if rows.count == self.keys.count || column.isPoint {
        let cubes = LocationCubes(locations, within: distance)
        set(try DensityClusters(cubes, atLeast: atLeast).numbers(check: check), of: rows)
      } else {
        let join = DensityJoin(table, column, within: distance)
        set(
          try join.numbers(of: self.keys, atLeast: atLeast, check: check),
          of: Array(self.keys.indices))
      }
    }
  }

  /// The cluster of a row; nil if it is in none, or has no location.
  package subscript(key: Int) -> Int? {
    let index = keys.firstIndex(notBelow: key)
    guard index < keys.count, keys[index] == key, numbers[index] >= 0 else { return nil }
    return Int(numbers[index])
  }

  /// Numbers the clusters in the order of their first rows.
  ///
  /// - Parameter found: A number for each of the rows, the same for all of a cluster.
  private mutating func set(_ found: [Int32], of rows: [Int]) {
    var names = [Int32](repeating: -1, count: Int(found.max() ?? -1) + 1)
    for (row, number) in zip(rows, found) where number >= 0 {
      if names[Int(number)] < 0 {
        names[Int(number)] = Int32(truncatingIfNeeded: count)
        count += 1
      }
      numbers[row] = names[Int(number)]
    }
  }

  /// The locations of the rows, and the indexes of the rows that have one.
  ///
  /// - Parameter location: Returns the location of a geometry; nil for none.
  private func locations(
    _ column: Column, of schema: ColumnSchema, where location: (GeometryView) -> GeoPoint?
  ) -> (rows: [Int], locations: Locations) {
    var (rows, locations) = ([Int](), Locations())
    for (index, key) in keys.enumerated() {
      let (chunk, row) = (column.chunk(RowAddress(key).chunk), RowAddress(key).row)
      if chunk.isNull(row) { continue }
      if schema.isPoint {
        let position = chunk.position(at: row)
        locations.append(longitude: position.longitude, latitude: position.latitude)
      } else {
        guard let point = location(chunk.geometry(at: row)) else { continue }
        locations.append(longitude: point.longitude, latitude: point.latitude)
      }
      rows.append(index)
    }
    return (rows, locations)
  }
}

extension ClusterRule {
  fileprivate func validate() throws(QueryError) {
    switch self {
    case .count(let count):
      guard count < 1 else { return }
      throw QueryError(.invalidArgument, message: "there is 1 cluster or more, not \(count)")
    case .density(let distance, let atLeast):
      guard distance.radians >= LocationCubes.leastRadians else {
        throw QueryError(
          .invalidArgument, message: "the distance of clusters is 1 cm or more, not \(distance)")
      }
      guard atLeast < 1 else { return }
      throw QueryError(
        .invalidArgument, message: "a cluster has at least 1 row, not \(atLeast)")
    }
  }
}

extension GeometryView {
  /// The location of a point; nil for any other geometry, and for an empty one.
  fileprivate var onlyPoint: GeoPoint? {
    guard kind == .point, vertexCount == 1 else { return nil }
    return GeoPoint(clampedLatitude: latitude(0), longitude: longitude(0))
  }
}
