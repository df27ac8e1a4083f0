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
  let index: SpatialIndex<BoxEntry>

  /// - Parameter position: The position of the geometries.
  init(_ table: Table, _ position: Int) throws {
    self.table = table
    geometry = table.schema.columns[position]
    boxes = try #require(table.schema.bounds(for: geometry))
    index = try #require(BoxEntry.index(of: table, boxes.position))
  }

  /// Geometries whose box touches the window.
  private static func touching(_ window: Envelope) -> BoxCondition {
    BoxCondition { other in
      window.contains(other) ? .contained : window.intersects(other) ? .intersecting : .disjoint
    }
  }

  /// The box of a row, computed from its geometry.
  func box(of key: Int) -> Envelope? {
    guard table.isLive(key) else { return nil }
    let chunk = table.column(geometry.position).chunk(RowAddress(key).chunk)
    let row = RowAddress(key).row
    return chunk.isNull(row) ? nil : chunk.geometry(at: row).bounds
  }

  /// The marks of rows that a base run, a delta run or no run contains.
  private enum Mark {
    static let base: UInt8 = 1
    static let delta: UInt8 = 2
    static let pending: UInt8 = 4
  }

  /// For each key the mark of a row whose box touches the window, or 0. Most tests of an index
  /// spend their time here, so there is neither a set of keys nor an expectation for each of them.
  private func marks(in window: Envelope, _ all: [Envelope?]) -> [UInt8] {
    var marks = [UInt8](repeating: 0, count: table.endKey)
    for run in index.baseRuns { add(run, window, all, to: &marks) }
    for run in index.deltaRuns { add(run, window, to: &marks) }
    for key in index.pending {
      if marks[key] != 0 { Issue.record("the unindexed row \(key) is found in a run") }
      if let box = all[key], window.intersects(box) { marks[key] |= Mark.pending }
    }
    return marks
  }

  private func visit(_ tree: RTree<BoxBlock>, _ window: Envelope, _ take: (Int) -> Void) {
    tree.forEachMatch(of: Self.touching(window)) { match in
      switch match {
      case .range(let range): for position in range { take(position) }
      case .leaf(let leaf, let matches):
        var rest = matches.sure | matches.candidates
        while rest != 0 {
          let position = leaf * 64 + rest.trailingZeroBitCount
          if position >= tree.count {
            Issue.record("a leaf extends beyond its run")
          } else if window.intersects(Self.box(at: position, of: tree)) {
            take(position)
          } else {
            Issue.record("the box at \(position) does not touch the window")
          }
          rest &= rest - 1
        }
      }
    }
  }

  private static func box(at position: Int, of tree: RTree<BoxBlock>) -> Envelope {
    let (block, index) = tree.entry(at: position)
    return block[index]
  }

  private func add(
    _ run: SpatialIndex<BoxEntry>.BaseRun, _ window: Envelope, _ all: [Envelope?],
    to marks: inout [UInt8]
  ) {
    visit(run.tree, window) { position in
      let key = run.rows.lowerBound + position
      if run.tombstones.words(chunk: RowAddress(key).chunk)?.isSet(RowAddress(key).row) == true {
        return
      }
      if marks[key] != 0 { Issue.record("row \(key) is found twice") }
      marks[key] |= Mark.base
      if all[key] != Self.box(at: position, of: run.tree) {
        Issue.record("row \(key) has another box")
      }
    }
  }

  private func add(
    _ run: SpatialIndex<BoxEntry>.DeltaRun, _ window: Envelope, to marks: inout [UInt8]
  ) {
    visit(run.tree, window) { position in
      let key = run.keys[position]
      guard index.isCurrent(position, of: run, in: table, boxes.position) else { return }
      if marks[key] & Mark.base != 0 {
        Issue.record("row \(key) is in a base run and in a delta run")
      }
      if marks[key] & Mark.delta != 0, !index.deltaMayBeStale {
        Issue.record("row \(key) is found twice")
      }
      marks[key] |= Mark.delta
    }
  }

  /// Compares the index and the stored boxes with a scan, and returns the number of rows found in
  /// all.
  @discardableResult
  func check(_ source: inout ValueSource, windows: Int, _ comment: String) -> Int {
    let all = (0..<table.endKey).map { box(of: $0) }
    for (key, box) in all.enumerated() {
      guard let box else { continue }
      if table.value(boxes.position, at: key) != .box(Box(box)) {
        Issue.record("\(comment): row \(key) has another box")
      }
    }
    var sum = 0
    for turn in 0..<windows {
      let window = turn == 0 ? Self.world : source.window()
      let found = marks(in: window, all)
      var wrong: Int?
      for (key, box) in all.enumerated() {
        if found[key] != 0 { sum += 1 }
        let isExpected = box.map { window.intersects($0) } ?? false
        if (found[key] != 0) != isExpected, wrong == nil { wrong = key }
      }
      #expect(wrong == nil, "\(comment): \(window.lanes)")
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
