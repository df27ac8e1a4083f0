import CairnGeometry
import CairnStorage
import CairnSystem

/// Clusters of geometries by density, as of ``DensityClusters``, by joins of the class with itself
/// within a distance. No pair is kept: a join counts partners, joins sets, or keeps the first partner of
/// each row.
struct DensityJoin {
  private let table: Table
  private let path: PropertyPath
  private let distance: Distance

  init(_ table: Table, _ column: ColumnSchema, within distance: Distance) {
    self.table = table
    path = PropertyPath(column.name)
    self.distance = distance
  }

  /// A number for each row, the same for all of a cluster; -1 for a row in none.
  ///
  /// - Parameter check: Called between the joins; its error ends the work.
  func numbers(
    of keys: [Int], atLeast: Int, check: () throws -> Void
  ) throws -> [Int32] {
    try check()
    let cores = try join(keys, keys).counts(ofEach: .left).filter { $0.count >= atLeast }.map(\.key)
    try check()
    var sets = try join(cores, cores, isOnce: true).components()
    try check()
    let isCore = Set(cores)
    let others = keys.filter { !isCore.contains($0) }
    let borders = try others.isEmpty || cores.isEmpty ? [:] : join(others, cores).firstPartners()
    return keys.map { key in
      guard let core = isCore.contains(key) ? key : borders[key] else { return -1 }
      return Int32(truncatingIfNeeded: sets.first(core))
    }
  }

  private func join(_ left: [Int], _ right: [Int], isOnce: Bool = false) throws -> JoinExecution {
    func input(_ keys: [Int]) -> JoinQuery.Input {
      JoinQuery.Input(TableQuery(table: table.schema.name, source: .keys(keys)), path: path)
    }
    return try JoinExecution(
      JoinQuery(
        left: input(left), right: input(right), on: .distance(distance), isOnce: isOnce),
      left: table, right: table)
  }
}
