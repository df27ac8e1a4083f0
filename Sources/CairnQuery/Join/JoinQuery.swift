import CairnGeometry

/// A join of two classes: every pair of a left and a right object that meets a condition on their
/// locations or geometries, or has equal values.
///
/// Building a join costs nothing. ``JoinExecution`` binds it to two tables, and nothing runs until a
/// result is requested.
package struct JoinQuery: Sendable {
  /// The condition that pairs meet.
  package enum Condition: Hashable, Sendable {
    /// The left geometry has the relation to the right one. `disjoint` is not supported: it pairs
    /// nearly everything with everything. Relations that are defined in the plane only are not
    /// supported with geodesic edges.
    case relation(SpatialRelation, edges: GeoPolygon.Edges)
    /// The two are at most this far apart: on the sphere, or with planar edges in the plane of
    /// longitude and latitude.
    case distance(Distance, edges: GeoPolygon.Edges = .geodesic)
    /// The right one is among the nearest of the left one. Ties go to the smaller primary key
    /// of the right one.
    case nearest(Int, edges: GeoPolygon.Edges = .geodesic)
    /// The properties of each equality, at least one, have equal values. Null equals nothing, NaN
    /// itself; numbers are compared by value whatever their type, texts by their bytes.
    case equal([Equality])
  }

  /// A property of the left object, and the one of the right object that equals it.
  package struct Equality: Hashable, Sendable {
    /// The property of the left object.
    package let left: PropertyPath
    /// The property of the right object.
    package let right: PropertyPath

    /// Pairs two properties.
    package init(_ left: PropertyPath, _ right: PropertyPath) {
      self.left = left
      self.right = right
    }

    /// The property of one side.
    package subscript(side: Side) -> PropertyPath { side == .left ? left : right }
  }

  /// A comparison of a property of the left object with one of the right object.
  package struct Comparison: Hashable, Sendable {
    /// The property of the left object.
    package let left: PropertyPath
    /// The comparison.
    package let comparison: ComparisonOperator
    /// The property of the right object.
    package let right: PropertyPath

    /// Creates a comparison.
    package init(_ left: PropertyPath, _ comparison: ComparisonOperator, _ right: PropertyPath) {
      self.left = left
      self.comparison = comparison
      self.right = right
    }
  }

  /// One of the two classes.
  package enum Side: Hashable, Sendable {
    case left
    case right

    /// The other class.
    package var other: Side { self == .left ? .right : .left }
  }

  /// One of the two classes, and the rows of it that take part.
  package struct Input: Sendable {
    /// The name of the class.
    package var table: String
    /// The rows that the condition is put to. Each takes part once, however often it is among them.
    package var source: TableQuery.Source
    /// The condition that its rows meet.
    package var predicate: Predicate
    /// The steps applied to the matching rows, which may reduce them. Their order has no effect.
    package var steps: [TableQuery.Step]
    /// The location or geometry that is compared; nil in a join by equal values.
    package var path: PropertyPath?

    /// Creates an input.
    package init(table: String, predicate: Predicate = .true, path: PropertyPath? = nil) {
      self.init(TableQuery(table: table, predicate: predicate), path: path)
    }

    /// Creates an input of the rows of a query's result.
    package init(_ query: TableQuery, path: PropertyPath? = nil) {
      table = query.table
      source = query.source
      predicate = query.predicate
      steps = query.steps
      self.path = path
    }
  }

  /// The left class.
  package var left: Input
  /// The right class.
  package var right: Input
  /// The condition that makes the pairs.
  package var condition: Condition
  /// Further conditions on pairs, which all hold. They do not change which objects are nearest.
  package var comparisons: [Comparison]
  /// Whether left objects without a partner are in the result, with a null right object.
  package var isOuter: Bool
  /// Whether two objects of one class are in one pair only, with the one that was added first on
  /// the left, and no object in a pair with itself.
  package var isOnce: Bool

  /// Creates a join.
  package init(
    left: Input, right: Input, on condition: Condition, where comparisons: [Comparison] = [],
    isOuter: Bool = false, isOnce: Bool = false
  ) {
    self.left = left
    self.right = right
    self.condition = condition
    self.comparisons = comparisons
    self.isOuter = isOuter
    self.isOnce = isOnce
  }
}

/// A pair of objects in the result of a join.
package struct JoinPair: Hashable, Sendable {
  /// The key of the left object.
  package let left: Int
  /// The key of the right object; nil for a left object without a partner.
  package let right: Int?
  /// The distance in radians, on the sphere or in the plane; NaN if the condition does not measure it.
  package let radians: Double
}
