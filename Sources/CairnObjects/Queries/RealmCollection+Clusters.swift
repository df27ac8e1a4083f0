import CairnGeometry
import CairnQuery
import CairnStorage

/// Clusters of objects by their locations or geometries, as of the present snapshot. They are numbered
/// from 0 in the order in which their first objects were added.
extension RealmCollection where Element: ObjectBase {
  /// Returns the cluster of each object, in the order of the collection, by density (DBSCAN); nil for an
  /// object in none.
  ///
  ///     for (quake, cluster) in zip(quakes, try quakes.clusters(within: .kilometers(20)!)) {
  ///       print(quake.magnitude, cluster.map { "\($0)" } ?? "alone")
  ///     }
  ///
  /// An object with at least `count` objects within the distance, itself included, is a core. Cores
  /// within the distance of each other are in one cluster, and so are other objects within the distance
  /// of a core: in that of the core that was added first. Distances are those on the sphere, between
  /// geometries the least ones.
  ///
  /// - Parameters:
  ///   - property: the location or geometry; nil for the first of the class.
  ///   - distance: the distance of neighbours, 1 cm or more.
  ///   - count: the least number of objects around a core, 1 or more.
  /// - Throws: ``Realm/Error`` if the class has no such location, or a number is out of range.
  /// - Complexity: about O(*n* log *n*) for locations; for geometries, the time grows with the number of
  ///   neighbours.
  public func clusters(
    of property: PartialKeyPath<Element>? = nil, within distance: Distance, atLeast count: Int = 5
  ) throws -> [Int?] {
    try clusters(of: property, by: .density(within: distance, atLeast: count))
  }

  /// Returns the cluster of each object, in the order of the collection, around a number of centres
  /// (k-means); nil for an object without a location.
  ///
  ///     let districts = try customers.clusters(count: 8)
  ///
  /// Each object is in the cluster whose centre is nearest, and each centre is in the middle of its
  /// objects. The same objects give the same clusters. A geometry counts as its centroid.
  ///
  /// - Parameters:
  ///   - property: the location or geometry; nil for the first of the class.
  ///   - count: the number of clusters, 1 or more. There are fewer if there are fewer different
  ///     locations.
  /// - Throws: ``Realm/Error`` if the class has no such location, or the number is less than 1.
  /// - Complexity: O(*nk*) for each of at most 300 moves of the centres.
  public func clusters(
    of property: PartialKeyPath<Element>? = nil, count: Int
  ) throws -> [Int?] {
    try clusters(of: property, by: .count(count))
  }

  private func clusters(
    of property: PartialKeyPath<Element>?, by rule: ClusterRule
  ) throws -> [Int?] {
    let rows = try storedRows()
    let (keys, column) = (rows.keys, try rows.spatialColumn(of: property))
    do {
      let clusters = try Clusters(rule, of: keys, in: rows.table, by: column)
      return keys.map { clusters[$0] }
    } catch let error as QueryError {
      throw Realm.Error(.fail, description: error.message)
    }
  }
}
