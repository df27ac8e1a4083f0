import CairnGeometry
import CairnIndex
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// The result of a spatial index, collected from its runs as a query does it, with every guarantee
/// checked on the way.
struct SpatialAnswers {
  let table: Table
  let position: Int
  let index: SpatialIndex

  init(_ table: Table, _ position: Int) throws {
    self.table = table
    self.position = position
    index = try #require(table.spatialIndex(position))
  }

  /// The keys of the rows in a region.
  func keys(in region: Region) -> Set<Int> {
    var found: Set<Int> = []
    for run in index.baseRuns { add(run, region, to: &found) }
    var current: Set<Int> = []
    for run in index.deltaRuns { add(run, region, to: &current) }
    #expect(found.isDisjoint(with: current), "a row is in a base run and in a delta run")
    found.formUnion(current)
    for key in index.pending {
      #expect(!found.contains(key), "an unindexed row is found in a run")
      if table.isLive(key), case .point(let here) = table.value(position, at: key),
        region.contains(longitude: here.longitude, latitude: here.latitude)
      {
        found.insert(key)
      }
    }
    return found
  }

  private func add(_ run: SpatialIndex.BaseRun, _ region: Region, to found: inout Set<Int>) {
    func take(_ position: Int) -> Bool {
      let key = run.rows.lowerBound + position
      let row = key & (ChunkShape.rows - 1)
      if let dead = run.tombstones(chunk: key >> ChunkShape.shift),
        dead[row >> 6] >> UInt64(row & 63) & 1 != 0
      {
        return false
      }
      #expect(found.insert(key).inserted, "row \(key) is found twice")
      return true
    }
    run.tree.search(region) { (match: RTree.Match) -> Void in
      switch match {
      case .range(let range):
        let alive = range.count { take($0) }
        let rows = run.rows.lowerBound + range.lowerBound..<run.rows.lowerBound + range.upperBound
        #expect(alive == range.count - run.deletedCount(in: rows))
      case .leaf(let leaf, let bits):
        for bit in 0..<64 where bits >> UInt64(bit) & 1 != 0 {
          #expect(leaf * 64 + bit < run.rows.count, "a leaf extends beyond its run")
          _ = take(leaf * 64 + bit)
        }
      }
    }
  }

  private func add(_ run: SpatialIndex.DeltaRun, _ region: Region, to found: inout Set<Int>) {
    func take(_ position: Int) {
      let key = run.key(at: position)
      let here = run.point(at: position)
      guard
        index.isCurrent(
          key: key, longitude: here.longitude, latitude: here.latitude, in: table, self.position)
      else { return }
      let isNew = found.insert(key).inserted
      #expect(isNew || index.deltaMayBeStale, "row \(key) is found twice")
    }
    run.tree.search(region) { (match: RTree.Match) -> Void in
      switch match {
      case .range(let range): range.forEach(take)
      case .leaf(let leaf, let bits):
        for bit in 0..<64 where bits >> UInt64(bit) & 1 != 0 { take(leaf * 64 + bit) }
      }
    }
  }

  /// The same keys, found by reading every row.
  func scan(_ region: Region) -> Set<Int> {
    var found: Set<Int> = []
    for key in 0..<table.endKey where table.isLive(key) {
      if case .point(let here) = table.value(position, at: key),
        region.contains(longitude: here.longitude, latitude: here.latitude)
      {
        found.insert(key)
      }
    }
    return found
  }

  /// Compares the index with a scan for random regions, and returns the number of rows found in
  /// all.
  @discardableResult
  func check(_ source: inout ValueSource, regions: Int, _ comment: String) -> Int {
    var sum = 0
    for turn in 0..<regions {
      let region = turn == 0 ? Self.world : source.region()
      let expected = scan(region)
      let found = keys(in: region)
      #expect(found == expected, "\(comment): \(region.description)")
      sum += found.count
    }
    return sum
  }

  /// Compares the prefix sums of deleted rows with the bitmaps.
  func checkDeadCounts(_ source: inout ValueSource) {
    for run in index.baseRuns {
      let isDead = run.rows.map { key -> Bool in
        let row = key & (ChunkShape.rows - 1)
        guard let words = run.tombstones(chunk: key >> ChunkShape.shift) else { return false }
        return words[row >> 6] >> UInt64(row & 63) & 1 != 0
      }
      #expect(run.hasDeletedRows || !isDead.contains(true))
      for _ in 0..<40 {
        let cuts = [source.int(0...isDead.count), source.int(0...isDead.count)].sorted()
        let rows = run.rows.lowerBound + cuts[0]..<run.rows.lowerBound + cuts[1]
        #expect(run.deletedCount(in: rows) == isDead[cuts[0]..<cuts[1]].count { $0 }, "\(rows)")
      }
    }
  }

  static let world = Region(box: (-180, -90, 180, 90))
}

extension Region {
  /// A box in degrees: west, south, east, north.
  convenience init(box: (Double, Double, Double, Double)) {
    guard let low = GeoPoint(latitude: box.1, longitude: box.0),
      let high = GeoPoint(latitude: box.3, longitude: box.2)
    else { preconditionFailure("not a box") }
    self.init(GeoBox(bottomLeft: low, topRight: high))
  }
}

extension ValueSource {
  /// A box or a circle of any size.
  mutating func region() -> Region {
    let at = position(chance(50) ? .few : .plain)
    let size = [0, 0.5, 5, 40, 170][int(0...4)] as Double
    if chance(60) {
      return Region(
        box: (
          at.longitude, at.latitude, min(180, at.longitude + size), min(90, at.latitude + size)
        ))
    }
    guard let center = GeoPoint(latitude: at.latitude, longitude: at.longitude),
      let radius = Distance.degrees(size / 2)
    else { preconditionFailure("not a circle") }
    return Region(GeoCircle(center: center, radius: radius))
  }
}
