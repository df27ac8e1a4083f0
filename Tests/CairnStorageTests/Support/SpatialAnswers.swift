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
  let index: SpatialIndex<PointEntry>

  init(_ table: Table, _ position: Int) throws {
    self.table = table
    self.position = position
    index = try #require(PointEntry.index(of: table, position))
  }

  /// The keys of the rows in a region.
  func keys(in region: Region) -> Set<Int> {
    let marks = marks(in: region)
    return Set(marks.indices.filter { marks[$0] != 0 })
  }

  /// The marks of rows that a base run, a delta run or no run contains.
  private enum Mark {
    static let base: UInt8 = 1
    static let delta: UInt8 = 2
    static let pending: UInt8 = 4
  }

  /// For each key the mark of a row in the region, or 0. Most tests of an index spend their time
  /// here, so there is neither a set of keys nor an expectation for each of them.
  private func marks(in region: Region) -> [UInt8] {
    var marks = [UInt8](repeating: 0, count: table.endKey)
    for run in index.baseRuns { add(run, region, to: &marks) }
    for run in index.deltaRuns { add(run, region, to: &marks) }
    for key in index.pending {
      if marks[key] != 0 { Issue.record("the unindexed row \(key) is found in a run") }
      if table.isLive(key), case .point(let here) = table.value(position, at: key),
        region.contains(longitude: here.longitude, latitude: here.latitude)
      {
        marks[key] |= Mark.pending
      }
    }
    return marks
  }

  private func add(
    _ run: SpatialIndex<PointEntry>.BaseRun, _ region: Region, to marks: inout [UInt8]
  ) {
    func take(_ position: Int) -> Bool {
      let key = run.rows.lowerBound + position
      let row = key & (ChunkShape.rows - 1)
      if let dead = run.tombstones.words(chunk: key >> ChunkShape.shift),
        dead[row >> 6] >> UInt64(row & 63) & 1 != 0
      {
        return false
      }
      if marks[key] != 0 { Issue.record("row \(key) is found twice") }
      marks[key] |= Mark.base
      return true
    }
    run.tree.forEachMatch(of: region) { match in
      switch match {
      case .range(let range):
        var alive = 0
        var position = range.lowerBound
        while position < range.upperBound {
          if take(position) { alive += 1 }
          position += 1
        }
        let rows = run.rows.lowerBound + range.lowerBound..<run.rows.lowerBound + range.upperBound
        if alive != range.count - run.tombstones.count(in: rows) {
          Issue.record("\(alive) rows of \(rows) are not deleted")
        }
      case .leaf(let leaf, let matches):
        var rest = matches.sure
        while rest != 0 {
          let position = leaf * 64 + rest.trailingZeroBitCount
          if position < run.rows.count {
            _ = take(position)
          } else {
            Issue.record("a leaf extends beyond its run")
          }
          rest &= rest - 1
        }
      }
    }
  }

  private func add(
    _ run: SpatialIndex<PointEntry>.DeltaRun, _ region: Region, to marks: inout [UInt8]
  ) {
    func take(_ position: Int) {
      let key = run.keys[position]
      guard index.isCurrent(position, of: run, in: table, self.position) else { return }
      if marks[key] & Mark.base != 0 {
        Issue.record("row \(key) is in a base run and in a delta run")
      }
      if marks[key] & Mark.delta != 0, !index.deltaMayBeStale {
        Issue.record("row \(key) is found twice")
      }
      marks[key] |= Mark.delta
    }
    run.tree.forEachMatch(of: region) { match in
      switch match {
      case .range(let range): for position in range { take(position) }
      case .leaf(let leaf, let matches):
        var rest = matches.sure
        while rest != 0 {
          take(leaf * 64 + rest.trailingZeroBitCount)
          rest &= rest - 1
        }
      }
    }
  }

  /// Compares the index with a scan for random regions, and returns the number of rows found in
  /// all.
  @discardableResult
  func check(_ source: inout ValueSource, regions: Int, _ comment: String) -> Int {
    var located: [(key: Int, longitude: Double, latitude: Double)] = []
    for key in 0..<table.endKey where table.isLive(key) {
      guard case .point(let here) = table.value(position, at: key) else { continue }
      located.append((key, here.longitude, here.latitude))
    }
    var sum = 0
    for turn in 0..<regions {
      let region = turn == 0 ? Self.world : source.region()
      var expected = [UInt8](repeating: 0, count: table.endKey)
      for (key, longitude, latitude) in located
      where region.contains(longitude: longitude, latitude: latitude) {
        expected[key] = 1
      }
      let found = marks(in: region)
      var wrong: Int?
      var key = 0
      while key < expected.count {
        if found[key] != 0 { sum += 1 }
        if (found[key] != 0) != (expected[key] != 0), wrong == nil { wrong = key }
        key += 1
      }
      #expect(wrong == nil, "\(comment): \(region.description)")
    }
    return sum
  }

  /// Compares the prefix sums of deleted rows with the bitmaps.
  func checkDeadCounts(_ source: inout ValueSource) {
    for run in index.baseRuns {
      // The number of deleted rows before each row.
      var sums = [0]
      var sum = 0
      for key in run.rows {
        let row = key & (ChunkShape.rows - 1)
        if let words = run.tombstones.words(chunk: key >> ChunkShape.shift),
          words[row >> 6] >> UInt64(row & 63) & 1 != 0
        {
          sum += 1
        }
        sums.append(sum)
      }
      #expect(!run.tombstones.isEmpty || sum == 0)
      for _ in 0..<40 {
        let cuts = [source.int(0...run.rows.count), source.int(0...run.rows.count)].sorted()
        let rows = run.rows.lowerBound + cuts[0]..<run.rows.lowerBound + cuts[1]
        #expect(run.tombstones.count(in: rows) == sums[cuts[1]] - sums[cuts[0]], "\(rows)")
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
