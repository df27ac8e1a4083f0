import CairnGeometry
import CairnTestSupport
import Testing

@testable import CairnIndex

@Suite(.tags(.untrusted)) struct BoxTreeTests {
  private static let sizes = [0, 1, 2, 63, 64, 65, 511, 512, 513, 4095, 4096, 4097, 33_000]

  @Test(arguments: Workload.allCases)
  func agreesWithAScan(workload: Workload) throws {
    let seed: UInt64 = 21
    var random = SplitMix64(seed: seed)
    for size in Self.sizes {
      let made = TestBoxTree(workload, count: size, &random)
      try made.tree.checkInvariants()
      #expect(
        made.tree.nodes.bounds == (size == 0 ? nil : made.boxes.reduce(.empty) { $0.union($1) }))
      for _ in 0..<Soak.count(4, long: 25) {
        let window = Window(box(near: made.boxes, &random), inner: box(near: made.boxes, &random))
        check(made, window, &random, "\(window) \(workload) of \(size), seed \(seed)")
      }
    }
  }

  private func check(
    _ made: TestBoxTree, _ window: Window, _ random: inout SplitMix64, _ note: String
  ) {
    var (sure, open): ([Int], [Int]) = ([], [])
    for (position, box) in made.boxes.enumerated() {
      switch window.scan(box) {
      case .contained: sure.append(position)
      case .intersecting: open.append(position)
      case .disjoint: continue
      }
    }
    let found = positions(made.tree, window, nil)
    #expect(found.sure == sure && found.candidates == open, "\(note)")
    let counted = made.tree.count(window.condition)
    #expect(counted.sure == sure.count && counted.candidates == open.count, "\(note)")
    let estimate = made.tree.estimate(window.condition)
    #expect(estimate >= 0 && estimate <= made.boxes.count, "\(note)")
    if !sure.isEmpty || !open.isEmpty { #expect(estimate > 0, "\(note)") }
    let blocks = (made.boxes.count + 4095) / 4096
    guard blocks > 0 else { return }
    let first = Int.random(in: 0..<blocks, using: &random)
    let last = Int.random(in: first..<blocks, using: &random)
    let part = first * 4096..<min(made.boxes.count, (last + 1) * 4096)
    let some = positions(made.tree, window, part)
    #expect(
      some.sure == sure.filter(part.contains) && some.candidates == open.filter(part.contains),
      "\(part) \(note)")
  }

  private func positions(
    _ tree: RTree<BoxBlock>, _ window: Window, _ part: Range<Int>?
  ) -> (sure: [Int], candidates: [Int]) {
    var found = (sure: [Int](), candidates: [Int]())
    func add(_ bits: UInt64, _ leaf: Int, to list: inout [Int]) {
      list += (0..<64).filter { bits >> UInt64($0) & 1 == 1 }.map { leaf * 64 + $0 }
    }
    tree.forEachMatch(of: window.condition, in: part) { match in
      switch match {
      case .range(let range): found.sure += range
      case .leaf(let leaf, let matches):
        #expect(matches.sure & matches.candidates == 0 && !matches.isEmpty)
        add(matches.sure, leaf, to: &found.sure)
        add(matches.candidates, leaf, to: &found.candidates)
      }
    }
    return found
  }

  @Test func aSearchStopsOnRequest() {
    var random = SplitMix64(seed: 22)
    let made = TestBoxTree(.clustered, count: 20_000, &random)
    var visits = 0
    made.tree.search(
      Window(Envelope(west: -90, south: -90, east: 90, north: 90), inner: .empty).condition,
      until: { _ in
        visits += 1
        return visits < 3
      })
    #expect(visits == 3)
  }

  /// Distances are counts of whole steps, so that many are equal, and up to eight above the lower bound, so
  /// that equal ones are not measured in order of the position.
  @Test(arguments: Workload.allCases)
  func theNearestComeInOrder(workload: Workload) {
    let seed: UInt64 = 23
    var random = SplitMix64(seed: seed)
    for size in Self.sizes {
      let made = TestBoxTree(workload, count: size, &random)
      for _ in 0..<Soak.count(2, long: 4) {
        let origin = box(near: made.boxes, &random)
        let wanted = Int.random(in: 1...40, using: &random)
        let skipsOdd = Bool.random(using: &random)
        func exact(_ position: Int) -> Double {
          (distance(origin, made.boxes[position]) / 8).rounded(.up) * 8
        }
        var distances = made.boxes.indices.map(exact)
        if skipsOdd {
          for position in stride(from: 1, to: size, by: 2) { distances[position] = .infinity }
        }
        let expected = Ordering.least(distances, wanted)
        var found: [(Double, Int)] = []
        var measured = 0
        var search = NearestSearch(enough: wanted)
        var measure = BoxDistances(bound: { distance(origin, $0) }) { position in
          measured += 1
          return skipsOdd && position % 2 == 1 ? nil : exact(position)
        }
        search.run(made.tree, &measure) { position, distance in
          found.append((distance, position))
          return found.count < wanted
        }
        let note: Comment = "\(workload) of \(size), seed \(seed)"
        #expect(found.map(\.1) == expected, note)
        #expect(found.map(\.0) == expected.map { distances[$0] }, note)
      }
    }
  }

  @Test func aThresholdIsSharedByTrees() {
    var random = SplitMix64(seed: 24)
    let trees = (0..<3).map { _ in TestBoxTree(.uniform, count: 2000, &random) }
    let origin = Envelope(west: 1, south: 1, east: 2, north: 2)
    var search = NearestSearch(enough: 10)
    var found: [Double] = []
    for made in trees {
      var measure = BoxDistances(bound: { distance(origin, $0) }) {
        distance(origin, made.boxes[$0])
      }
      search.run(made.tree, &measure) { _, distance in
        found.append(distance)
        return true
      }
    }
    let all = trees.flatMap { $0.boxes.map { distance(origin, $0) } }.sorted()
    #expect(found.sorted().prefix(10) == all.prefix(10))
    #expect(found.count < 200)
    #expect(search.limit == all[9])
  }

  @Test func aWrongNodeIsNoticed() throws {
    var random = SplitMix64(seed: 25)
    let made = TestBoxTree(.uniform, count: 700, &random)
    try made.tree.checkInvariants { $0 != 3 }
    made.damageLeaf()
    #expect(throws: IndexError.self) { try made.tree.checkInvariants() }
    #expect(throws: IndexError.self) { try made.tree.checkInvariants { $0 == 3 } }
  }

  private func box(near boxes: [Envelope], _ random: inout SplitMix64) -> Envelope {
    let centre =
      boxes.randomElement(using: &random) ?? Envelope(west: 0, south: 0, east: 0, north: 0)
    let reach = pow3(Double.random(in: 0...1, using: &random)) * 90
    return Envelope(
      west: max(-180, centre.west - reach), south: max(-90, centre.south - reach / 2),
      east: min(180, centre.west + reach), north: min(90, centre.south + reach / 2))
  }

  private func pow3(_ value: Double) -> Double { value * value * value }

  /// The distance of two boxes in whole degrees along the axes.
  private func distance(_ a: Envelope, _ b: Envelope) -> Double {
    func larger(_ one: Double, _ other: Double) -> Double { one > other ? one : other }
    let x = larger(0, larger(a.west - b.east, b.west - a.east))
    let y = larger(0, larger(a.south - b.north, b.south - a.north))
    return (x + y).rounded(.down)
  }
}

/// What lies in the inner box matches, and what is outside of the window does not.
private struct Window: CustomStringConvertible {
  let outer: Envelope
  let inner: Envelope

  init(_ outer: Envelope, inner: Envelope) {
    self.outer = outer
    self.inner = inner
  }

  var condition: BoxCondition { BoxCondition(classify) }

  private func classify(_ envelope: Envelope) -> Containment {
    if inner.contains(envelope) { return .contained }
    return outer.intersects(envelope) || inner.intersects(envelope) ? .intersecting : .disjoint
  }

  /// The same number by number.
  func scan(_ box: Envelope) -> Containment {
    let (box, inner, outer) = (box.lanes, inner.lanes, outer.lanes)
    if box.x >= inner.x, box.y >= inner.y, box.z >= inner.z, box.w >= inner.w { return .contained }
    return Self.meet(box, outer) || Self.meet(box, inner) ? .intersecting : .disjoint
  }

  private static func meet(_ one: SIMD4<Int32>, _ other: SIMD4<Int32>) -> Bool {
    one.x <= -other.z && one.y <= -other.w && other.x <= -one.z && other.y <= -one.w
  }

  var description: String { "\(outer.lanes) \(inner.lanes)" }
}

/// Distances that are measured one by one, after a lower bound by the box.
private struct BoxDistances: DistanceMeasure {
  let bound: (Envelope) -> Double
  let exact: (Int) -> Double?

  func bound(of envelope: Envelope, upTo limit: Double) -> Double { bound(envelope) }

  func open(_ leaf: Int, of block: BoxBlock, first: Int, into search: inout NearestSearch) {
    let range = block.range(ofLeaf: leaf)
    for index in range {
      search.add(first + index - range.lowerBound, bound: bound(block[index]))
    }
  }

  func key(at position: Int, upTo limit: Double) -> Double? { exact(position) }
}

/// A tree in memory over some boxes, in Hilbert order of their centres.
private final class TestBoxTree {
  let boxes: [Envelope]
  let tree: RTree<BoxBlock>
  private let memory: UnsafeMutablePointer<Envelope>
  private let levels: [UnsafeMutablePointer<Envelope>]

  init(_ workload: Workload, count: Int, _ random: inout SplitMix64) {
    func size() -> Double {
      let share = Double.random(in: 0...1, using: &random)
      return Int.random(in: 0..<3, using: &random) == 0 ? 0 : share * share * share * share * 60
    }
    let unsorted = workload.points(count, &random).map { point in
      Envelope(
        west: point.longitude, south: point.latitude, east: min(180, point.longitude + size()),
        north: min(90, point.latitude + size()))
    }
    let order = Ordering.positions(of: unsorted.map { Hilbert.key(of: $0) })
    let boxes = order.map { unsorted[$0] }
    self.boxes = boxes
    let memory = UnsafeMutablePointer<Envelope>.allocate(capacity: max(1, count))
    memory.initialize(from: boxes, count: count)
    var levels = count == 0 ? [] : [Self.leaves(memory, count: count)]
    while let last = levels.last, last.count > 1 {
      levels.append(last.withUnsafeBufferPointer { TreeNodes.parents(of: $0) })
    }
    let kept = levels.map { level in
      let copy = UnsafeMutablePointer<Envelope>.allocate(capacity: level.count)
      copy.initialize(from: level, count: level.count)
      return copy
    }
    self.memory = memory
    self.levels = kept
    tree = RTree(count: count, levels: kept.map { [UnsafePointer($0)] }) {
      Self.block($0, of: memory, count: count)
    }
  }

  /// The leaves of all blocks.
  private static func leaves(
    _ memory: UnsafeMutablePointer<Envelope>, count: Int
  ) -> [Envelope] {
    (0..<(count + 4095) / 4096).flatMap { block($0, of: memory, count: count).leafEnvelopes }
  }

  private static func block(
    _ index: Int, of memory: UnsafeMutablePointer<Envelope>, count: Int
  ) -> BoxBlock {
    BoxBlock(start: memory + index * 4096, count: min(4096, count - index * 4096))
  }

  /// Makes the first leaf smaller than its boxes.
  func damageLeaf() { levels[0][0].lanes.x += 1_800_000_000 }

  deinit {
    memory.deallocate()
    for level in levels { level.deallocate() }
  }
}
