import CairnGeometry
import CairnIndex
import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// The result of an index over boxes, collected from its runs as a query does it, with every
/// guarantee checked on the way.
struct BoxAnswers {
  let table: Table
  let geometry: ColumnSchema
  let boxes: ColumnSchema
  let index: BoxIndex

  /// - Parameter position: The position of the geometries.
  init(_ table: Table, _ position: Int) throws {
    self.table = table
    geometry = table.schema.columns[position]
    boxes = try #require(table.schema.bounds(for: geometry))
    index = try #require(table.boxIndex(boxes.position))
  }

  /// Geometries whose box touches the window.
  struct Window: BoxCondition {
    let envelope: Envelope

    func classify(_ other: Envelope) -> Containment {
      envelope.contains(other) ? .contained : envelope.intersects(other) ? .intersecting : .disjoint
    }
  }

  /// The box of a row, computed from its geometry.
  func box(of key: Int) -> Envelope? {
    guard table.isLive(key) else { return nil }
    let chunk = table.column(geometry.position).chunk(RowAddress(key).chunk)
    let row = RowAddress(key).row
    return chunk.isNull(row) ? nil : chunk.geometry(at: row).bounds
  }

  /// The keys of the rows whose boxes touch a window.
  func keys(in window: Envelope) -> Set<Int> {
    var found: Set<Int> = []
    for run in index.baseRuns { add(run, window, to: &found) }
    var current: Set<Int> = []
    for run in index.deltaRuns { add(run, window, to: &current) }
    #expect(found.isDisjoint(with: current), "a row is in a base run and in a delta run")
    found.formUnion(current)
    for key in index.pending {
      #expect(!found.contains(key), "an unindexed row is found in a run")
      if let box = box(of: key), window.intersects(box) { found.insert(key) }
    }
    return found
  }

  private func visit(_ tree: BoxTree, _ window: Envelope, _ take: (Int) -> Bool) {
    tree.search(Window(envelope: window)) { (match: BoxTree.Match) -> Void in
      switch match {
      case .range(let range): for position in range { _ = take(position) }
      case .leaf(let leaf, let sure, let candidates):
        for bit in 0..<64 where (sure | candidates) >> UInt64(bit) & 1 != 0 {
          let position = leaf * 64 + bit
          #expect(position < tree.count, "a leaf extends beyond its run")
          #expect(window.intersects(tree.box(at: position)))
          _ = take(position)
        }
      }
    }
  }

  private func add(_ run: BoxIndex.BaseRun, _ window: Envelope, to found: inout Set<Int>) {
    visit(run.tree, window) { position in
      let key = run.rows.lowerBound + position
      if run.tombstones(chunk: RowAddress(key).chunk)?.isSet(RowAddress(key).row) == true {
        return false
      }
      #expect(found.insert(key).inserted, "row \(key) is found twice")
      #expect(box(of: key) == run.tree.box(at: position), "row \(key)")
      return true
    }
  }

  private func add(_ run: BoxIndex.DeltaRun, _ window: Envelope, to found: inout Set<Int>) {
    visit(run.tree, window) { position in
      let key = run.key(at: position)
      #expect(run.box(at: position) == run.tree.box(at: position))
      guard
        index.isCurrent(key: key, box: run.box(at: position), in: table, boxes.position)
      else { return false }
      let isNew = found.insert(key).inserted
      #expect(isNew || index.deltaMayBeStale, "row \(key) is found twice")
      return isNew
    }
  }

  /// Compares the index and the stored boxes with a scan.
  @discardableResult
  func check(_ source: inout ValueSource, windows: Int, _ comment: String) -> Int {
    let all = (0..<table.endKey).compactMap { key in box(of: key).map { (key, $0) } }
    for (key, box) in all {
      #expect(table.value(boxes.position, at: key) == .box(Box(box)), "\(comment): row \(key)")
    }
    var sum = 0
    for turn in 0..<windows {
      let window = turn == 0 ? Self.world : source.window()
      let expected = Set(all.filter { window.intersects($0.1) }.map(\.0))
      let found = keys(in: window)
      #expect(found == expected, "\(comment): \(window.lanes)")
      sum += found.count
    }
    return sum
  }

  static let world = Envelope(west: -180, south: -90, east: 180, north: 90)
}

extension ValueSource {
  /// A rectangle of any size.
  mutating func window() -> Envelope {
    let at = position(chance(50) ? .few : .plain)
    let size = [0, 0.5, 5, 40, 170][int(0...4)] as Double
    return Envelope(
      west: at.longitude, south: at.latitude, east: min(180, at.longitude + size),
      north: min(90, at.latitude + size))
  }
}
