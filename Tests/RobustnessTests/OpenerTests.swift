import CairnTestSupport
import Foundation
import Testing

/// Processes that stop, die or fail while they open a store, beside others that wait for them, read
/// and write. Nobody ever sees a state that is older than what was acknowledged.
@Suite struct OpenerTests {
  /// A store with one row, whose value counts the acknowledged changes.
  private final class Counter {
    let scratch: TemporaryFolder
    var path: String { scratch["counter.cairn"] }
    private(set) var acknowledged = 0

    init() throws {
      scratch = try TemporaryFolder(inMemory: true)
      try scratch.file("row.csv", "id,n,lat,lon\n1,0,1,2\n")
      _ = try Command.lines(
        "import", path, scratch["row.csv"], "--class", "c", "--key", "id", "--quiet")
      // The state that a meta page of the first commits would show must be another one.
      for _ in 0..<3 { try update() }
    }

    /// The arguments of the next change.
    func change() -> [String] {
      ["update", path, "c", "id == 1", "--set", "n=\(acknowledged + 1)", "--quiet"]
    }

    func acknowledge() { acknowledged += 1 }

    func update() throws {
      let outcome = try Command.run(change())
      #expect(outcome.code == 0, "\(outcome.errors)")
      acknowledge()
    }

    var reading: [String] { ["query", path, "c", "--select", "n", "--format", "csv"] }

    /// The value that a process read.
    static func value(_ output: String) -> Int? {
      output.split(separator: "\n").dropFirst().first.flatMap { Int($0) }
    }

    /// Checks that the last acknowledged change is there, and that the store is sound.
    func expectCurrent(_ comment: String) throws {
      let outcome = try Command.run(reading)
      #expect(
        Self.value(outcome.output) == acknowledged,
        "\(comment): \(outcome.output) \(outcome.errors)")
      let check = try Command.run("verify", path)
      #expect(check.code == 0, "\(comment): \(check.output) \(check.errors)")
    }
  }

  /// A process whose output goes to a file.
  private struct Running {
    let process = Process()
    let scratch: TemporaryFolder
    let name: String

    init(
      _ arguments: [String], _ scratch: TemporaryFolder, _ name: String,
      environment: [String: String] = [:], isStarted: Bool = true
    ) throws {
      (self.scratch, self.name) = (scratch, name)
      process.executableURL = Command.executable
      process.arguments = arguments
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      process.standardOutput = try FileHandle(forWritingTo: scratch.file(name, ""))
      process.standardError = try FileHandle(forWritingTo: scratch.file(name + ".errors", ""))
      if isStarted { try process.run() }
    }

    func output() throws -> String { try scratch.text(name) }
    /// What the process wrote to standard error.
    var errors: String { (try? scratch.text(name + ".errors")) ?? "" }

    var isStopped: Bool { Moments.isStopped(process) }

    /// Waits until the process stops at its step, or ends without it.
    func waitUntilStopped() throws {
      try eventually("\(name) stops or ends") { !process.isRunning || isStopped }
    }

    /// Waits until the process has ended or sleeps, in several looks.
    func waitUntilIdle() throws {
      var looks = 0
      try eventually("\(name) waits or ends") {
        looks = Moments.state(of: process) == "S" ? looks + 1 : 0
        return !process.isRunning || looks == 4
      }
    }
  }

  private func steps(_ counter: Counter, of arguments: [String]) throws -> Int {
    let outcome = try Command.run(
      arguments,
      environment: Faults.steps(on: "counter.cairn", count: counter.scratch["steps"]))
    #expect(outcome.code == 0, "\(outcome.errors)")
    return try #require(Int(try counter.scratch.text("steps")))
  }

  /// An opener stops at each step in turn, while a reader and a writer come. Then it is killed.
  @Test(
    .enabled(if: Faults.library != nil, "\(Faults.reason)"), arguments: ["count", "update"])
  func stoppedAndKilledAtEveryStep(opener: String) throws {
    let counter = try Counter()
    func arguments() -> [String] {
      opener == "count"
        ? ["count", counter.path, "c"]
        : ["update", counter.path, "c", "id == 2", "--set", "n=0", "--quiet"]
    }
    let count = try steps(counter, of: arguments())
    #expect(count > 30)
    var stops = 0
    for step in stride(from: 1, through: count, by: Soak.isOn ? 1 : 2) {
      let comment = "\(opener) stopped at step \(step) of \(count)"
      let stopped = try Running(
        arguments(), counter.scratch, "stopped",
        environment: Faults.steps(on: "counter.cairn", at: step, .stop))
      try stopped.waitUntilStopped()
      if stopped.isStopped { stops += 1 }
      let reader = try Running(counter.reading, counter.scratch, "reader")
      let writer = try Running(counter.change(), counter.scratch, "writer")
      try reader.waitUntilIdle()
      try writer.waitUntilIdle()
      kill(stopped.process.processIdentifier, SIGKILL)
      for process in [stopped, reader, writer] { process.process.waitUntilExit() }
      #expect(reader.process.terminationStatus == 0, "\(comment): \(reader.errors)")
      #expect(writer.process.terminationStatus == 0, "\(comment): \(writer.errors)")
      let read = try Counter.value(reader.output())
      #expect((read ?? -1) >= counter.acknowledged, "\(comment): a reader sees \(read ?? -1)")
      counter.acknowledge()
      try counter.expectCurrent(comment)
    }
    #expect(stops > 10)
  }

  /// Every call of an opening fails in turn, as with a limited address space, too many open files, no
  /// locks, or an interrupted call, while a writer comes.
  @Test(
    .enabled(if: Faults.library != nil, "\(Faults.reason)"),
    arguments: [ENOMEM, EMFILE, ENOLCK, EINTR])
  func everyCallFails(code: Int32) throws {
    let counter = try Counter()
    let count = try steps(counter, of: ["count", counter.path, "c"])
    let step = Soak.isOn ? 1 : 3
    for call in stride(from: 1 + Int(code) % step, through: count, by: step) {
      let comment = "error \(code) at step \(call) of \(count)"
      let failing = try Running(
        ["count", counter.path, "c"], counter.scratch, "failing",
        environment: Faults.steps(on: "counter.cairn", at: call, .fail(code)))
      let writer = try Running(counter.change(), counter.scratch, "writer")
      for process in [failing, writer] { process.process.waitUntilExit() }
      let ended = failing.process
      #expect(ended.terminationReason == .exit, "\(comment)")
      #expect(
        [0, 66, 74].contains(ended.terminationStatus), "\(comment): \(failing.errors)")
      if ended.terminationStatus == 0 { #expect(try failing.output() == "1\n", "\(comment)") }
      #expect(writer.process.terminationStatus == 0, "\(comment): \(writer.errors)")
      counter.acknowledge()
      try counter.expectCurrent(comment)
    }
  }

  /// Two writers, and openers that are killed at random moments.
  @Test func killedOpenersBesideTwoWriters() throws {
    let counter = try Counter()
    try counter.scratch.file(
      "more.csv", "id,n,lat,lon\n" + (10..<12).map { "\($0),0,1,2\n" }.joined())
    _ = try Command.lines(
      "import", counter.path, counter.scratch["more.csv"], "--class", "c", "--quiet")
    let moments = try Moments(on: "counter.cairn") { environment in
      let outcome = try Command.run("count", counter.path, "c", environment: environment)
      #expect(outcome.code == 0, "\(outcome.errors)")
    }
    var random = SplitMix64(seed: 0x0BE7)
    var acknowledged = [0, 0]
    var writers: [Running?] = [nil, nil]
    for turn in 0..<Soak.count(60, long: 10_000) {
      for number in 0..<2 {
        if let writer = writers[number] {
          guard !writer.process.isRunning else { continue }
          #expect(writer.process.terminationStatus == 0, "\(turn): \(writer.errors)")
          acknowledged[number] += 1
        }
        writers[number] = try Running(
          [
            "update", counter.path, "c", "id == \(10 + number)", "--set",
            "n=\(acknowledged[number] + 1)", "--quiet",
          ], counter.scratch, "writer\(number)")
      }
      let opener = try Running(
        ["count", counter.path, "c"], counter.scratch, "opener", isStarted: false)
      try moments.end(
        opener.process, at: .random(in: 0..<1.1, using: &random),
        byTime: Soak.isOn && turn % 2 == 1)
      let read = try Command.run(
        "query", counter.path, "c", "id >= 10", "--sort", "id", "--select", "n", "--format", "csv")
      let values = read.lines.dropFirst().compactMap { Int($0) }
      #expect(read.code == 0 && values.count == 2, "\(turn): \(read.errors)")
      for (value, least) in zip(values, acknowledged) { #expect(value >= least, "turn \(turn)") }
    }
    for writer in writers { writer?.process.waitUntilExit() }
    let check = try Command.run("verify", counter.path)
    #expect(check.code == 0, "\(check.output) \(check.errors)")
  }

  /// Many processes open one store at once: readers, writers, and a store that does not exist yet.
  @Test func manyOpenersAtOnce() throws {
    let counter = try Counter()
    for round in 0..<Soak.count(2, long: 50) {
      let processes = try (0..<Soak.count(40, long: 100)).map { number in
        try Running(
          number % 4 == 0
            ? [
              "import", counter.scratch["new\(round).cairn"], counter.scratch["row.csv"], "--class",
              "c\(number)", "--quiet",
            ] : ["count", counter.path, "c"], counter.scratch, "process\(number)")
      }
      for (number, running) in processes.enumerated() {
        running.process.waitUntilExit()
        #expect(running.process.terminationStatus == 0, "\(number): \(running.errors)")
        #expect(try running.output() == (number % 4 == 0 ? "" : "1\n"))
      }
      let check = try Command.run("verify", counter.scratch["new\(round).cairn"])
      #expect(check.code == 0, "\(check.output) \(check.errors)")
    }
    try counter.expectCurrent("after all")
  }

  /// A process with little address space opens the store again and again beside a writer.
  @Test func limitedAddressSpace() throws {
    let counter = try Counter()
    for limit in [400_000, 1_500_000, 6_000_000] {
      for _ in 0..<Soak.count(3, long: 200) {
        let outcome = try Command.shell("ulimit -v \(limit); cairn count '\(counter.path)' c")
        if outcome.code == 0 {
          #expect(outcome.output == "1\n")
        } else {
          #expect(outcome.code == 74 || outcome.code > 127, "\(outcome.errors)")
        }
        try counter.update()
      }
    }
    try counter.expectCurrent("after limited processes")
  }

  /// A limit that is too low is named, with the remedy.
  @Test func tooLittleAddressSpaceIsNamed() throws {
    let counter = try Counter()
    for limit in stride(from: 60_000, through: 400_000, by: 20_000) {
      let outcome = try Command.shell("ulimit -v \(limit); cairn count '\(counter.path)' c")
      guard outcome.code == 74 else { continue }
      #expect(outcome.errors.contains("ulimit -v"), "\(outcome.errors)")
      #expect(outcome.errors.contains("cannot open \(counter.path)"), "\(outcome.errors)")
    }
  }
}
