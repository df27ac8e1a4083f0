import Cairn
import CairnModelTestSupport
import CairnTestSupport
import Foundation
import Testing

/// Random sequences of conditions, sort orders and distinct, compared with the same operations on
/// an array.
@Suite struct RandomChainTests {
  @Test(arguments: 0..<Soak.count(8, long: 24)) func chains(_ number: Int) throws {
    let seed = UInt64(number) &* 0x9E37_79B9 &+ 4
    var random = SplitMix64(seed: seed)
    let temporary = try TemporaryRealm()
    let world = try MatrixWorld(temporary.realm)
    for _ in 0..<20 {
      var chain = Chain(world)
      for _ in 0..<Int.random(in: 1...5, using: &random) { chain.extend(&random) }
      let found = Array(chain.found.map(\.number))
      #expect(found == Array(chain.expected.map(\.number)), "seed \(seed): \(chain.steps)")
      #expect(chain.found.first?.number == found.first, "seed \(seed): first of \(chain.steps)")
      #expect(chain.found.count == found.count, "seed \(seed): count of \(chain.steps)")
      if let last = found.last {
        #expect(chain.found[found.count - 1].number == last, "seed \(seed): last of \(chain.steps)")
      }
    }
  }
}

/// Results that are filtered and sorted step by step, and the expected elements.
private struct Chain {
  private(set) var found: Results<Cell>
  private(set) var steps: [String] = []
  private var conditions: [(Cell) -> Bool] = []
  /// The steps, each of which sorts or filters the output of the previous one.
  private var orders: [([Cell]) -> [Cell]] = []
  private let cells: [Cell]

  init(_ world: MatrixWorld) {
    found = world.stored
    cells = world.cells
  }

  /// The expected cells. Conditions apply first, whenever they were added.
  var expected: [Cell] {
    let kept = cells.filter { cell in conditions.allSatisfy { $0(cell) } }
    return orders.reduce(kept) { $1($0) }
  }

  mutating func extend(_ random: inout SplitMix64) {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: refine(int: [0, 1, -1, 1_000_000].randomElement(using: &random) ?? 0)
    case 1: refine(text: ["a", "b", "Ж"].randomElement(using: &random) ?? "")
    case 2: narrowThroughLink(below: Double.random(in: -2...2, using: &random))
    case 3: negate(level: Level.allCases.randomElement(using: &random) ?? .low)
    case 4: sort("maybeInt", \.maybeInt, Bool.random(using: &random))
    case 5: sort("maybeString", \.maybeString, Bool.random(using: &random))
    case 6: sort("double", \.double, Bool.random(using: &random))
    default: thinOut()
    }
  }

  private mutating func refine(int: Int) {
    steps.append("maybeInt < \(int) or int == \(int)")
    found = found.where { $0.maybeInt < int || $0.int == int }
    conditions.append { $0.maybeInt.map { $0 < int } ?? false || $0.int == int }
  }

  private mutating func refine(text: String) {
    steps.append("string contains \(text) or bool")
    found = found.filter("string CONTAINS %@ OR bool == true", text)
    conditions.append { $0.string.contains(text) || $0.bool }
  }

  private mutating func narrowThroughLink(below limit: Double) {
    steps.append("next.double < \(limit) or next nil")
    found = found.where { $0.next.double < limit || $0.next == nil }
    conditions.append { $0.next.map { $0.double < limit } ?? true }
  }

  private mutating func negate(level: Level) {
    steps.append("not level == \(level)")
    found = found.where { !($0.level == level) }
    conditions.append { $0.level != level }
  }

  private mutating func sort(_ name: String, _ path: KeyPath<Cell, some Any>, _ ascending: Bool) {
    steps.append("sorted by \(name) \(ascending ? "up" : "down")")
    found = found.sorted(byKeyPath: name, ascending: ascending)
    orders.append { cells in
      // Swift's sort is stable in practice but not by contract, so the index breaks ties.
      cells.enumerated().sorted { a, b in
        let order = Oracle.sortOrder(a.element[keyPath: path], b.element[keyPath: path])
        return order == 0 ? a.offset < b.offset : (order < 0) == ascending
      }.map(\.element)
    }
  }

  private mutating func thinOut() {
    steps.append("distinct by level, bool")
    found = found.distinct(by: ["level", "bool"])
    orders.append { cells in
      var seen: Set<[Int]> = []
      return cells.filter { seen.insert([$0.level.rawValue, $0.bool ? 1 : 0]).inserted }
    }
  }
}

extension Oracle {
  /// The sort order of two values: null before NaN before everything else.
  static func sortOrder(_ a: Any?, _ b: Any?) -> Int {
    func kind(_ value: Any?) -> Int {
      guard let value = plain(value) else { return 0 }
      return (value as? Double)?.isNaN ?? false ? 1 : 2
    }
    let (x, y) = (kind(a), kind(b))
    if x != y { return x < y ? -1 : 1 }
    return x == 2 ? order(a, b) ?? 0 : 0
  }
}
