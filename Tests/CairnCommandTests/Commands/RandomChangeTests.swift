import CairnTestSupport
import Foundation
import Testing

/// Random deletions and updates, compared with the same changes to an array, and killed ones. A
/// failure prints its seed.
@Suite struct RandomChangeTests {
  private struct Row {
    var id: Int
    var n: Int?
    var x: Double
    var name: String
    var latitude: Double
    var longitude: Double

    init(_ id: Int, _ random: inout SplitMix64) {
      self.id = id
      n = random.chance(0.1) ? nil : random.below(100)
      x = Double(random.below(1000)) / 8
      name = "name \(random.below(20))"
      latitude = Double(random.below(160)) - 80
      longitude = Double(random.below(340)) - 170
    }

    var csv: String {
      "\(id),\(n.map { "\($0)" } ?? ""),\(x),\(name),\(latitude),\(longitude)"
    }
  }

  /// A condition as the command takes it, and as a test of a row.
  private typealias Condition = (words: [String], holds: (Row) -> Bool)

  private static func condition(_ random: inout SplitMix64) -> Condition {
    let bound = random.below(100)
    switch random.below(5) {
    case 0: return (["n < \(bound)"], { ($0.n ?? .max) < bound })
    case 1: return (["name == 'name \(bound % 20)'"], { $0.name == "name \(bound % 20)" })
    case 2: return (["n == nil"], { $0.n == nil })
    case 3:
      let west = Double(bound) - 50
      return (
        ["--bbox", "\(west),-30,\(west + 40),30"],
        { (west...west + 40).contains($0.longitude) && (-30.0...30).contains($0.latitude) }
      )
    default:
      return (
        ["x > \(bound)", "--bbox", "-100,-90,0,10"],
        { $0.x > Double(bound) && (-100.0...0).contains($0.longitude) && $0.latitude <= 10 }
      )
    }
  }

  /// An assignment as the command takes it, and as a change of a row.
  private static func assignment(
    _ random: inout SplitMix64
  ) -> (text: String, change: (inout Row) -> Void) {
    let number = 1 + random.below(9)
    switch random.below(6) {
    case 0: return ("n = n + \(number)", { $0.n = $0.n.map { $0 + number } })
    case 1: return ("n = \(number)", { $0.n = number })
    case 2: return ("x = (x - \(number)) / 2", { $0.x = ($0.x - Double(number)) / 2 })
    case 3: return ("name = 'name \(number)'", { $0.name = "name \(number)" })
    case 4:
      return (
        "location = '\(number),\(-number)'",
        {
          $0.latitude = Double(number)
          $0.longitude = Double(-number)
        }
      )
    default: return ("n = null", { $0.n = nil })
    }
  }

  private func makeStore(
    _ count: Int, _ random: inout SplitMix64
  ) throws -> (TemporaryFolder, String, [Row]) {
    let scratch = try TemporaryFolder(inMemory: true)
    let rows = (0..<count).map { Row($0, &random) }
    let text = "id,n,x,name,latitude,longitude\n" + rows.map { $0.csv + "\n" }.joined()
    let store = scratch["rows.cairn"]
    _ = try Command.lines(
      "import", store, scratch.file("rows.csv", text).path, "--key", "id", "--index", "n,name",
      "--quiet")
    return (scratch, store, rows)
  }

  private func expect(_ store: String, _ rows: [Row], _ comment: String) throws {
    let found = try Command.lines(
      "query", store, "rows", "--select", "id,n,x,name,location", "--sort", "id", "--format", "csv")
    let wanted = rows.map { row in
      "\(row.id),\(row.n.map { "\($0)" } ?? ""),\(row.x),\(row.name),"
        + "\(row.latitude),\(row.longitude)"
    }
    #expect(Array(found.dropFirst()) == wanted, "\(comment)")
    let outcome = try Command.run("verify", store)
    #expect(outcome.code == 0, "\(comment): \(outcome.output)")
  }

  @Test(arguments: [5, 6] as [UInt64]) func changesMatchAnArray(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (scratch, store, loaded) = try makeStore(6000, &random)
    defer { withExtendedLifetime(scratch) {} }
    var rows = loaded
    for step in 0..<6 {
      let condition = Self.condition(&random)
      if random.chance(0.4) {
        _ = try Command.lines("delete", store, "rows", words: condition.words)
        rows.removeAll(where: condition.holds)
      } else {
        let assignment = Self.assignment(&random)
        _ = try Command.lines(
          "update", store, "rows", words: condition.words + ["--set", assignment.text])
        for index in rows.indices where condition.holds(rows[index]) {
          assignment.change(&rows[index])
        }
      }
      try expect(store, rows, "seed \(seed), step \(step), \(condition.words)")
      let box = try Command.lines("count", store, "rows", "--bbox", "-60,-60,60,60")
      let inside = rows.count { abs($0.latitude) <= 60 && abs($0.longitude) <= 60 }
      #expect(box == ["\(inside)"])
    }
  }

  /// A command that is killed has changed everything or nothing.
  @Test(arguments: [
    ["update", "--set", "n = n + 1", "--set", "location = '5,5'"], ["delete"],
  ])
  func killedAtAnyMoment(words: [String]) throws {
    var random = SplitMix64(seed: 77)
    let (scratch, store, rows) = try makeStore(4000, &random)
    defer { withExtendedLifetime(scratch) {} }
    let whole = try Data(contentsOf: URL(fileURLWithPath: store))
    let before = try Command.lines("query", store, "rows", "--format", "csv")
    let line = [words[0], store, "rows", "id >= 1000"] + words.dropFirst()
    let moments = try Moments(on: URL(fileURLWithPath: store).lastPathComponent) { environment in
      let outcome = try Command.run(line, environment: environment)
      #expect(outcome.code == 0, "\(outcome.errors)")
    }
    let after = try Command.lines("query", store, "rows", "--format", "csv")
    #expect(before != after && rows.count == before.count - 1)
    for turn in 0..<Soak.count(4, long: 100) {
      try whole.write(to: URL(fileURLWithPath: store))
      let process = Process()
      process.executableURL = Command.executable
      process.arguments = line
      process.standardError = FileHandle.nullDevice
      try moments.end(
        process, at: .random(in: 0..<1.1, using: &random), byTime: Soak.isOn && turn % 2 == 1)
      #expect(try Command.run("verify", store).code == 0)
      let now = try Command.lines("query", store, "rows", "--format", "csv")
      #expect(now == before || now == after, "turn \(turn)")
    }
  }
}

extension Command {
  fileprivate static func lines(_ first: String..., words: [String]) throws -> [String] {
    let outcome = try run(first + words)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return outcome.lines
  }
}
