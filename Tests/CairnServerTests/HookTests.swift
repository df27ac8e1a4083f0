import CairnStorage
import CairnSystem
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnServer

/// The delivery of changes to the receivers of hooks.
@Suite(.tags(.threads)) struct HookTests {
  private static func options(_ world: World) -> HookOptions {
    var options = HookOptions(statePath: world.folder.file("hooks"))
    (options.firstPause, options.maxPause) = (0.002, 0.01)
    return options
  }

  /// Delivers while `body` runs, and calls `afterwards` when the delivery is cancelled but may not have
  /// ended.
  private static func deliver(
    _ subjects: [String] = ["notes"], of service: Service, options: HookOptions,
    to receiver: Receiver, while body: () async throws -> Void, afterwards: () -> Void = {}
  ) async throws {
    let hooks = try subjects.map { try Hook("\($0)=http://127.0.0.1:1/hook") }
    let deliveries = try await service.deliveries(to: hooks, options: options)
    let task = Task {
      await deliveries.run(
        report: { receiver.report($0) }, send: { try await receiver.send($0) })
    }
    do {
      try await body()
    } catch {
      task.cancel()
      throw error
    }
    task.cancel()
    afterwards()
    await task.value
  }

  /// Waits until the file with the cursors exists.
  private static func waitForFile(_ options: HookOptions) async throws {
    try await eventually("the file with the cursors exists") {
      FileManager.default.fileExists(atPath: options.statePath)
    }
  }

  // MARK: Texts

  @Test func aHookIsASubjectAndAURL() throws {
    let simple = try Hook("cities=https://example.org/a?b=http://c")
    #expect(simple.subject == "cities" && simple.url == "https://example.org/a?b=http://c")
    let fences = try Hook("ships?fences=harbours&filter=speed > 3=http://user:x@[::1]:80/p?token=1")
    #expect(fences.subject == "ships?fences=harbours&filter=speed > 3")
    #expect(fences.shownURL == "http://[::1]:80/p")
    #expect(try fences.request().path == "/collections/ships/live")
    #expect(try Hook("Zürich %3F=http://a").request().path == "/collections/Z%C3%BCrich%20%3F/live")
    for text in [
      "", "cities", "=http://a", "http://a", "cities=ftp://a", "?a=http://b", "a=http://",
    ] {
      #expect(throws: ServiceError.self, "\(text)") { try Hook(text) }
    }
  }

  @Test func wrongHooksAreErrorsAtTheBeginning() async throws {
    let world = try World(rows: 3)
    func message(_ subject: String) async throws -> String {
      do {
        let hook = try Hook("\(subject)=http://127.0.0.1:1")
        _ = try await world.service.deliveries(to: [hook], options: Self.options(world))
        return ""
      } catch { return "\(error)" }
    }
    #expect(try await message("note").contains("did you mean 'notes'"))
    #expect(try await message("notes?filter=tex=1").contains("filter"))
    #expect(try await message("places?fences=places").contains("'places' has no geometry"))
    #expect(try await message("notes?since=1-2").contains("continues where it was interrupted"))
    #expect(try await message("notes?a=%").contains("percent sign"))
    #expect(!FileManager.default.fileExists(atPath: world.folder.file("hooks")))
    #expect(try await message("notes") == "")
  }

  // MARK: Delivery

  @Test func changesArriveAsBatches() async throws {
    let world = try World(rows: 0)
    let receiver = Receiver()
    try await Self.deliver(of: world.service, options: Self.options(world), to: receiver) {
      try world.editNotes { notes in _ = try notes.insert([.string("four\nlines\r\n\u{2028}")]) }
      try await receiver.wait(forEvents: 1)
      try world.editNotes { notes in
        try notes.set(.string("vier"), position: 0, at: 3)
        try notes.delete(0)
      }
      try await receiver.wait(forEvents: 3)
    }
    let events = receiver.events
    #expect(events.map(\.kind) == ["enter", "leave", "change"])
    #expect(events.map(\.row) == [3, 0, 3])
    let feature = events[0].members["feature"] as? [String: Any]
    let properties = feature?["properties"] as? [String: Any]
    #expect(properties?["text"] as? String == "four\nlines\r\n\u{2028}")
    #expect(events[1].members["deleted"] as? Bool == true)
    #expect(receiver.batches.allSatisfy { $0["cursor"] is String })
    #expect(receiver.failures == 0)
  }

  @Test func fencesAndFiltersAreThoseOfTheSubject() async throws {
    let world = try World(rows: 0)
    let receiver = Receiver()
    let subjects = ["places?fences=parcels", "notes?filter=text='yes'"]
    try await Self.deliver(
      subjects, of: world.service, options: Self.options(world), to: Receiver { _ in .lose }
    ) {}
    try await Self.deliver(
      ["notes?filter=text='yes'"], of: world.service, options: Self.options(world), to: receiver
    ) {
      for text in ["no", "yes"] {
        try world.editNotes { notes in _ = try notes.insert([.string(text)]) }
      }
      try await eventually("the row that matches arrives") {
        receiver.events.map(\.row)
      } until: {
        $0.contains(4)
      }
    }
    // If both commits come before the delivery begins, it only knows that the first row is new and
    // does not match, so it reports that the row leaves.
    #expect(receiver.events.filter { $0.kind != "leave" }.map(\.row) == [4])
  }

  /// Inserts notes in commits of random sizes, and returns their keys.
  ///
  /// - Parameter pause: Called after some of the commits.
  private static func insert(
    _ commits: Int, in world: World, random: inout SplitMix64,
    pause: (_ last: Int?) async throws -> Void = { _ in }
  ) async throws -> [Int] {
    var keys: [Int] = []
    for commit in 0..<commits {
      // Some commits have more events than a batch.
      let count = random.chance(0.05) ? 1500 : 1 + random.below(8)
      try world.editNotes { notes in
        for _ in 0..<count { keys.append(try notes.insert([.string("note \(commit)")])) }
      }
      if random.chance(0.3) { try await pause(keys.last) }
    }
    return keys
  }

  /// Receivers that lose batches, and others whose answers are lost, get all events in order.
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func nothingIsLostIfReceiversFail(seed: UInt64) async throws {
    let world = try World(rows: 0)
    var random = SplitMix64(seed: seed)
    let receiver = Receiver { number in
      var random = SplitMix64(seed: seed &* 1000 &+ UInt64(number))
      return random.chance(0.3) ? .lose : random.chance(0.2) ? .takeAndFail : .take
    }
    var expected: [Int] = []
    try await Self.deliver(of: world.service, options: Self.options(world), to: receiver) {
      expected = try await Self.insert(60, in: world, random: &random) { last in
        let attempts = receiver.attempts
        try await eventually("a batch is sent") {
          receiver.attempts > attempts || receiver.events.last?.row == last
        }
      }
      try await receiver.wait(forLast: expected.last)
    }
    var seen: Set<Int> = []
    let first = receiver.events.compactMap(\.row).filter { seen.insert($0).inserted }
    let isEqual = first == expected
    #expect(isEqual, "seed \(seed): \(first.count) of \(expected.count)")
    // A batch comes again only after a failure, at once, and with the same content.
    let batches = receiver.batches.map { "\($0["events"] ?? "")" }
    let repeats = zip(batches, batches.dropFirst()).count { $0 == $1 }
    #expect(batches.count - Set(batches).count == repeats, "seed \(seed)")
    #expect(repeats <= receiver.failures, "seed \(seed)")
  }

  /// Deliveries that are cancelled at random moments continue where they were.
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func nothingIsLostByRestarts(seed: UInt64) async throws {
    let world = try World(rows: 0)
    var random = SplitMix64(seed: seed)
    let gate = Gate()
    let receiver = Receiver { number in
      await gate.pass()
      return number % 7 == 0 ? .lose : .take
    }
    var expected: [Int] = []
    for round in 0..<6 {
      // A later process.
      let service = try Service(path: world.folder.file())
      try await Self.deliver(of: service, options: Self.options(world), to: receiver) {
        expected += try await Self.insert(4 + random.below(10), in: world, random: &random)
        guard round % 2 == 0 else { return }
        // The delivery is cancelled before the receiver has answered.
        gate.close()
        expected += try await Self.insert(1 + random.below(3), in: world, random: &random)
        try await eventually("a batch waits for its answer") {
          gate.waiting
        } until: {
          $0 > 0
        }
      } afterwards: {
        gate.open()
      }
      // Nobody delivers meanwhile.
      expected += try await Self.insert(random.below(20), in: world, random: &random)
    }
    try await Self.deliver(of: world.service, options: Self.options(world), to: receiver) {
      try await receiver.wait(forLast: expected.last)
    }
    var seen: Set<Int> = []
    let first = receiver.events.compactMap(\.row).filter { seen.insert($0).inserted }
    let isEqual = first == expected
    #expect(isEqual, "seed \(seed): \(first.count) of \(expected.count)")
    #expect(receiver.events.allSatisfy { $0.kind == "enter" }, "seed \(seed)")
  }

  /// A receiver that is down for longer than its state is kept gets the changes from the log.
  @Test func theChangeLogRemembersForReceiversThatAreDown() async throws {
    let world = try World(rows: 0)
    let isUp = Mutex(false)
    let receiver = Receiver { _ in isUp.withLock { $0 } ? .take : .lose }
    var options = Self.options(world)
    options.maxHoldSeconds = 0
    try await Self.deliver(of: world.service, options: options, to: receiver) {
      for number in 0..<20 {
        try world.editNotes { notes in _ = try notes.insert([.string("\(number)")]) }
      }
      try await eventually("six attempts fail") {
        receiver.failures
      } until: {
        $0 > 5
      }
      isUp.withLock { $0 = true }
      try await receiver.wait(forLast: 22)
    }
    var seen: Set<Int> = []
    let first = receiver.events.compactMap(\.row).filter { seen.insert($0).inserted }
    #expect(first == Array(3...22))
    let pauses = receiver.reports.compactMap { report -> Double? in
      if case .failed(_, let reason, let pause) = report, reason == "lost" { pause } else { nil }
    }
    #expect(pauses.count > 5 && pauses[0] < 0.003 && pauses.allSatisfy { $0 <= 0.012 })
  }

  @Test(arguments: [false, true])
  func aReceiverThatWasAwayForTooLongIsTold(isInitial: Bool) async throws {
    let world = try World(rows: 0)
    let subject = isInitial ? "notes?initial=true" : "notes"
    let first = Receiver()
    try await Self.deliver([subject], of: world.service, options: Self.options(world), to: first) {
      if isInitial { try await first.wait(forEvents: 3) }
      try world.editNotes { notes in _ = try notes.insert([.string("four")]) }
      try await first.wait(forLast: 3)
    }
    for number in 0..<300 {
      try world.editNotes { notes in try notes.set(.string("\(number)"), position: 0, at: 0) }
    }
    // The first attempt to tell it fails.
    let second = Receiver { $0 == 1 ? .lose : .take }
    try await Self.deliver([subject], of: world.service, options: Self.options(world), to: second) {
      try await second.wait(forEvents: 1)
      if isInitial { try await second.wait(forEvents: 5) }
      try world.editNotes { notes in _ = try notes.insert([.string("five")]) }
      try await second.wait(forLast: 4)
    }
    let initial = [String](repeating: "initial", count: isInitial ? 4 : 0)
    #expect(second.events.map(\.kind) == ["gap"] + initial + ["enter"])
    #expect(second.events[0].members["since"] is String)
    let isReported = second.reports.contains {
      if case .gap = $0 { true } else { false }
    }
    #expect(isReported)
  }

  /// A receiver that has got only some of the rows at the beginning gets all of them again.
  @Test func aBeginningThatIsInterruptedBeginsAgain() async throws {
    let world = try World(rows: 0)
    try world.editNotes { notes in
      for number in 0..<2000 { _ = try notes.insert([.string("note \(number)")]) }
    }
    let first = Receiver { $0 == 1 ? .take : .lose }
    let options = Self.options(world)
    try await Self.deliver(
      ["notes?initial=true"], of: world.service, options: options, to: first
    ) {
      try await eventually("a second batch is sent") {
        first.attempts
      } until: {
        $0 > 1
      }
    }
    #expect(!first.events.isEmpty && first.events.count < 2003)
    #expect(first.batches.allSatisfy { $0["cursor"] is NSNull })
    let second = Receiver()
    try await Self.deliver(
      ["notes?initial=true"], of: world.service, options: options, to: second
    ) { try await second.wait(forEvents: 2003) }
    let areAll = second.events.compactMap(\.row) == Array(0..<2003)
    #expect(areAll)
    #expect(second.batches.last?["cursor"] is String)
    let third = Receiver()
    try await Self.deliver(
      ["notes?initial=true"], of: world.service, options: options, to: third
    ) {
      try world.editNotes { notes in try notes.delete(7) }
      try await third.wait(forEvents: 1)
    }
    #expect(third.events.map(\.kind) == ["leave"])
  }

  /// Commits without events move the cursor too, so that the log still has those that follow.
  @Test func theCursorFollowsCommitsWithoutEvents() async throws {
    let world = try World(rows: 0)
    let hook = try Hook("notes=http://127.0.0.1:1/hook")
    let options = Self.options(world)
    func cursor() -> String? { try? String(contentsOfFile: options.statePath, encoding: .utf8) }
    let receiver = Receiver()
    try await Self.deliver(of: world.service, options: options, to: receiver) {
      try await eventually("the file has a cursor") {
        cursor()
      } until: {
        $0 != nil
      }
      let before = cursor()
      for _ in 0..<5 { try world.insert(1) }
      let version = try world.store.snapshot().version
      try await eventually("the cursor is that of commit \(version)") {
        cursor()
      } until: {
        $0 != before && $0?.contains("\"\(version)-") == true
      }
    }
    #expect(receiver.events.isEmpty)
    #expect(cursor()?.contains(hook.key) == true)
  }

  /// The changes between the two files are not known, so the receiver learns that events are missing.
  @Test func aReplacedStoreIsAGap() async throws {
    // A store that is open for reading only cannot be opened for writing in the same process.
    var writable = ServiceOptions()
    writable.writeToken = "correct-horse-battery"
    let (world, other) = (try World(rows: 0, options: writable), try World(rows: 3))
    let options = Self.options(world)
    let new = world.folder.file("new.cairn")
    try FileManager.default.copyItem(atPath: other.folder.file(), toPath: new)
    let receiver = Receiver()
    try await Self.deliver(of: world.service, options: options, to: receiver) {
      try await Self.waitForFile(options)
      #expect(rename(new, world.folder.file()) == 0)
      try await receiver.wait(forEvents: 1)
      let store = try Store.open(world.folder.file(), mode: .readWrite)
      try store.write { transaction in
        _ = try transaction.table("notes")?.insert([.string("four")])
      }
      try await receiver.wait(forEvents: 2)
    }
    #expect(receiver.events.map(\.kind) == ["gap", "enter"])
    #expect(receiver.events.last?.row == 3)
  }

  // MARK: The file

  @Test func theFileWithTheCursorsIsKept() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let path = folder.file("hooks")
    let hook = try Hook("a \"b\"=http://c/?\\")
    do {
      let state = try HookState(path)
      #expect(state.cursor(of: hook) == nil)
      try state.set("1-a", of: hook)
      try state.set("2-b", of: Hook("d=http://e"))
      #expect(throws: ServiceError.self) { try HookState(path) }
    }
    let state = try HookState(path)
    #expect(state.cursor(of: hook) == "1-a")
    #expect(try state.cursor(of: Hook("d=http://e")) == "2-b")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    // URLs may hold secrets.
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test(arguments: ["", "{", "[]", "\u{0}"]) func aDamagedFileIsAnError(text: String) throws {
    let folder = try TemporaryFolder(inMemory: true)
    let path = try folder.write(Array(text.utf8), as: "hooks")
    do {
      _ = try HookState(path)
      Issue.record("no error")
    } catch { #expect(error.description.contains("is not a file with cursors")) }
    do {
      _ = try HookState(folder.file("none/hooks"))
      Issue.record("no error")
    } catch { #expect(error.description.contains("No such file")) }
  }

  /// A file that cannot be written leads to repeated batches, not to lost ones.
  @Test func aFileThatCannotBeWrittenIsReported() async throws {
    let world = try World(rows: 0)
    let options = Self.options(world)
    let receiver = Receiver()
    try await Self.deliver(of: world.service, options: options, to: receiver) {
      try await Self.waitForFile(options)
      try FileManager.default.createDirectory(
        atPath: options.statePath + ".new", withIntermediateDirectories: false)
      try world.editNotes { notes in _ = try notes.insert([.string("four")]) }
      try await eventually("batches are repeated", seen: receiver.failures) {
        receiver.failures > 2 && receiver.events.count > 2
      }
      try FileManager.default.removeItem(atPath: options.statePath + ".new")
      try world.editNotes { notes in _ = try notes.insert([.string("five")]) }
      try await receiver.wait(forLast: 4)
    }
    #expect(Set(receiver.events.compactMap(\.row)) == [3, 4])
  }
}
