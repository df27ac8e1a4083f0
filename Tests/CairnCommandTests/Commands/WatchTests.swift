import CairnTestSupport
import Foundation
import Testing

/// `cairn watch`, while other processes write.
@Suite struct WatchTests {
  /// A running watch of the class `places` in a copy of the sample store.
  private final class Watch {
    let scratch: TemporaryFolder
    let process = Process()
    var store: String { scratch["places.cairn"] }

    init(_ options: String..., in folder: TemporaryFolder? = nil) throws {
      scratch = try folder ?? TemporaryFolder(inMemory: true)
      if folder == nil {
        try FileManager.default.copyItem(atPath: SampleStores.placesStore(), toPath: store)
      }
      process.executableURL = Command.executable
      process.arguments = ["watch", store, "places"] + options
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = try FileHandle(forWritingTo: scratch.file("out", ""))
      process.standardError = try FileHandle(forWritingTo: scratch.file("err", ""))
      try process.run()
      try wait { try scratch.text("err").contains("watching at the cursor ") }
    }

    deinit {
      process.terminate()
      process.waitUntilExit()
    }

    /// Waits until a condition is met, or the process ends.
    func wait(_ condition: () throws -> Bool) throws {
      try eventually("the watch has come so far", seen: try scratch.text("err")) {
        try condition() || !process.isRunning
      }
      let (isMet, errors) = (try condition(), try scratch.text("err"))
      #expect(isMet, "\(errors)")
    }

    /// Changes the store with another process.
    func change(_ command: String, _ words: String...) throws {
      let outcome = try Command.run([command, store, "places"] + words + ["--quiet"])
      #expect(outcome.code == 0, "\(outcome.errors)")
    }

    /// The events, once there are so many.
    func events(_ count: Int) throws -> [Event] {
      try wait { try scratch.text("out").split(separator: "\n").count >= count }
      return try scratch.text("out").split(separator: "\n").map { try Event(String($0)) }
    }

    /// Ends the watch with a signal, and returns its last cursor.
    func end(_ signal: Int32 = SIGINT) throws -> String {
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 0)
      let note = try scratch.text("err").split(separator: "\n").last ?? ""
      #expect(note.hasPrefix("Note: ended at the cursor "))
      return String(note.split(separator: " ").last ?? "")
    }
  }

  /// A line of the output.
  private struct Event {
    let event: String
    let row: Int?
    let fence: [String: Any]?
    let cursor: String
    let changed: [String]?
    let deleted: Bool?
    let values: [String: Any]?

    init(_ line: String) throws {
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      event = try #require(object["event"] as? String)
      row = object["row"] as? Int
      fence = object["fence"] as? [String: Any]
      cursor = try #require(object["cursor"] as? String)
      changed = object["changed"] as? [String]
      deleted = object["deleted"] as? Bool
      values = object["values"] as? [String: Any]
    }

    var id: Int? { values?["id"] as? Int }
    var fenceID: String? { fence?["id"] as? String }
  }

  @Test func rowsEnterChangeAndLeave() throws {
    let watch = try Watch("population > 1000000", "--select", "id,name,population")
    try watch.change("update", "id == 2", "--set", "population = 2000000")
    var events = try watch.events(1)
    #expect(events[0].event == "enter" && events[0].id == 2)
    #expect(events[0].values?["population"] as? Int == 2_000_000)
    #expect(Set(events[0].values.map { Array($0.keys) } ?? []) == ["id", "name", "population"])
    try watch.change("update", "id == 2", "--set", "name = 'x'", "--set", "open = false")
    events = try watch.events(2)
    #expect(events[1].event == "change" && events[1].changed == ["name", "open"])
    // A row that was changed back, and rows that never match, are not reported.
    try watch.change("update", "id == 3", "--set", "name = 'y'")
    try watch.change("update", "id == 2", "--set", "population = 5")
    try watch.change("delete", "id == 4")
    events = try watch.events(4)
    #expect(events[2].event == "leave" && events[2].id == 2 && events[2].deleted == false)
    #expect(events[2].values?["population"] as? Int == 5)
    #expect(events[3].event == "leave" && events[3].id == 4 && events[3].deleted == true)
    #expect(events[3].values?["name"] as? String == "Paris")
    #expect(try watch.end() == events[3].cursor)
  }

  /// Also those of deleted rows, which are computed from the state before.
  @Test func computedColumns() throws {
    let watch = try Watch(
      "--near", "-27.5,153", "--radius", "500km", "--select",
      "id, id * 10 AS ten, name || '!' AS loud, round(distance / 1000000) AS far")
    try watch.change("update", "id == 2", "--set", "name = 'x'")
    try watch.change("delete", "id == 2")
    let events = try watch.events(2)
    for event in events {
      #expect(event.values?["ten"] as? Int == 20 && event.values?["loud"] as? String == "x!")
      #expect(event.values?["far"] as? Double == 0)
    }
    #expect(events.map(\.event) == ["change", "leave"])
    _ = try watch.end()
    let overflow = try Command.run(
      "watch", watch.store, "places", "--initial", "--limit", "1", "--select",
      "9223372036854775807 + id AS big")
    #expect(overflow.code == 65 && overflow.errors.contains("--select big"), "\(overflow.errors)")
  }

  @Test func areasAndImports() throws {
    let watch = try Watch("--near", "10,10", "--radius", "50km", "--select", "name,distance")
    try watch.change("update", "id == 1", "--set", "location = '10.1,10'")
    let outcome = try Command.run(
      ["import", watch.store, "-", "--class", "places", "--format", "csv", "--quiet"],
      input: "id,name,kind,lat,lon\n20,Near,town,10,10\n21,Far,town,20,20\n")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let events = try watch.events(2)
    #expect(events.map { $0.values?["name"] as? String } == ["Brisbane", "Near"])
    let metres = try #require(events[0].values?["distance"] as? Double)
    #expect(abs(metres - 11_132) < 20)
  }

  /// Applying the events to the rows at the beginning gives the rows at the end. A failure prints
  /// its seed.
  @Test(arguments: [3, 4] as [UInt64]) func eventsKeepACopyUpToDate(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let watch = try Watch("population > 50000", "--initial", "--select", "id,name,population")
    for _ in 0..<6 {
      let id = 1 + random.below(8)
      switch random.below(4) {
      case 0: try watch.change("delete", "id == \(id)")
      case 1:
        try watch.change("update", "id >= \(id)", "--set", "population = \(random.below(100_000))")
      case 2: try watch.change("update", "id < \(id)", "--set", "name = name || '.'")
      default: try watch.change("update", "id == \(id)", "--set", "population = id * 20000")
      }
    }
    // The last change is always reported, so that the test knows when to end.
    try watch.change("update", "--all", "--set", "population = 60000", "--set", "name = 'end'")
    let left = try Command.lines(
      "query", watch.store, "places", "--select", "id,name,population", "--sort", "id", "--format",
      "jsonl")
    var copy: [Int: String] = [:]
    try watch.wait {
      copy = [:]
      for event in try watch.events(0) {
        let values = event.values ?? [:]
        let id = try #require(event.id)
        copy[id] =
          event.event == "leave"
          ? nil
          : "{\"id\":\(id),\"name\":\"\(values["name"] ?? "")\",\"population\":\(values["population"] ?? "")}"
      }
      return copy.keys.sorted().compactMap { copy[$0] } == left
    }
  }

  @Test func aLaterRunContinues() throws {
    let first = try Watch("population > 50000")
    let cursor = try first.end(SIGTERM)
    try first.change("update", "id == 3", "--set", "population = 70000", "--set", "name = 'new'")
    try first.change("delete", "id == 1")
    try first.change("update", "id == 4", "--set", "population = 7")
    let later = try Watch("population > 50000", "--since", cursor, in: first.scratch)
    let events = try later.events(3)
    #expect(events.map(\.event) == ["leave", "leave", "change"])
    #expect(events.map(\.deleted) == [true, false, nil])
    #expect(events[0].values == nil && events[1].id == 4 && events[2].id == 3)
    #expect(events[2].changed == ["name", "population"])
    // Only the last line of a commit continues behind it.
    #expect(events.map(\.cursor).dropLast().allSatisfy { $0 == cursor })
    #expect(try later.end() == events[2].cursor && events[2].cursor != cursor)
    let none = try Command.run(
      "watch", first.store, "places", "--since", events[2].cursor, "--limit", "0")
    #expect(none.code == 0 && none.output.isEmpty)
  }

  @Test func cursorsOfOtherFilesAreRefused() throws {
    let watch = try Watch()
    let cursor = try watch.end()
    func run(_ words: String...) throws -> Command.Outcome {
      try Command.run(["watch", watch.store, "places", "--limit", "0"] + words)
    }
    #expect(try run("--since", cursor).code == 0)
    let number = String(cursor.prefix { $0 != "-" })
    let future = "9\(number)" + cursor.dropFirst(number.count)
    for wrong in [future, "\(number)-1"] {
      let outcome = try run("--since", wrong)
      #expect(outcome.code == 65 && outcome.errors.contains("--initial"), "\(outcome.errors)")
    }
    #expect(try run("--since", "yesterday").code == 64)
    #expect(try run("--since", cursor, "--initial").code == 64)
    #expect(try Command.run("compact", watch.store, "--quiet").code == 0)
    #expect(try run("--since", cursor).code == 65)
  }

  @Test func commandsRunForEvents() throws {
    let watch = try Watch(
      "--exec", "cat; echo \"$CAIRN_EVENT $CAIRN_CLASS $CAIRN_STORE\"", "--select", "name")
    try watch.change("update", "id == 1", "--set", "name = 'x'")
    try watch.wait { try watch.scratch.text("out").split(separator: "\n").count == 2 }
    let lines = try watch.scratch.text("out").split(separator: "\n").map(String.init)
    #expect(try Event(lines[0]).values?["name"] as? String == "x")
    #expect(lines[1] == "change places \(watch.store)")
    let store = try SampleStores.placesStore()
    let failing = try Command.run(
      "watch", store, "places", "--initial", "--exec", "exit 7", "--quiet")
    #expect(failing.code == 1)
    #expect(failing.errors.contains("the command of --exec ended with 7 for the row "))
    // The command has the usual signals: a writer ends when its reader does.
    let piped = try Command.run(
      "watch", store, "places", "--initial", "--limit", "1", "--exec", "yes | head -n 1")
    #expect(piped.code == 0 && piped.output == "y\n", "\(piped.errors)")
  }

  @Test func closedOutputEndsTheWatch() throws {
    let store = try SampleStores.placesStore()
    for reader in ["head -n 1", "true"] {
      let outcome = try Command.shell(
        "timeout 300 cairn watch '\(store)' places --initial --quiet | \(reader) > /dev/null; "
          + "echo ${PIPESTATUS[0]}")
      #expect(outcome.output == "0\n" && outcome.errors.isEmpty, "\(outcome.errors)")
    }
    let idle = try Command.shell(
      "timeout 300 cairn watch '\(store)' places --quiet | true; echo ${PIPESTATUS[0]}")
    #expect(idle.output == "0\n" && idle.errors.isEmpty, "\(idle.errors)")
  }

  @Test func aDroppedClassEndsTheWatch() throws {
    let watch = try Watch("id < 3")
    #expect(try Command.run("drop", watch.store, "places", "--quiet").code == 0)
    watch.process.waitUntilExit()
    #expect(watch.process.terminationStatus == 1)
    #expect(try watch.events(2).map(\.event) == ["leave", "leave"])
    #expect(try watch.scratch.text("err").contains("the class 'places' was removed"))
  }

  // MARK: Fences

  /// Adds the class `zones` with two squares, one of which has the town 1 of the sample.
  private static func addZones(to store: String) throws {
    let zones = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"code":"west"},"geometry":{"type":"Polygon","coordinates":
      [[[-60,-60],[-40,-60],[-40,60],[-60,60],[-60,-60]]]}},
      {"type":"Feature","properties":{"code":"north"},"geometry":{"type":"Polygon","coordinates":
      [[[-60,70],[60,70],[60,80],[-60,80],[-60,70]]]}}]}
      """
    let outcome = try Command.run(
      [
        "import", store, "-", "--class", "zones", "--format", "geojson", "--key", "code",
        "--quiet",
      ], input: zones)
    #expect(outcome.code == 0, "\(outcome.errors)")
  }

  private func copy() throws -> TemporaryFolder {
    let folder = try TemporaryFolder(inMemory: true)
    let store = folder["places.cairn"]
    try FileManager.default.copyItem(atPath: SampleStores.placesStore(), toPath: store)
    try Self.addZones(to: store)
    return folder
  }

  @Test func rowsEnterAndLeaveFences() throws {
    let watch = try Watch(
      "population > 0", "--fences", "zones", "--select", "id,name", in: copy())
    try watch.change("update", "id == 2", "--set", "location = '10,-50'")
    try watch.change("update", "id == 2", "--set", "location = '75,-50'")
    try watch.change("update", "id == 2", "--set", "name = 'x'")
    var events = try watch.events(3)
    #expect(events.map(\.event) == ["enter", "leave", "enter"])
    #expect(events.map(\.fenceID) == ["west", "west", "north"])
    #expect(events.allSatisfy { $0.id == 2 } && events[1].deleted == false)
    let zones = try Command.run(
      "update", watch.store, "zones", "code == 'north'", "--set",
      "geometry = 'POLYGON ((0 0, 1 0, 1 1, 0 0))'", "--quiet")
    #expect(zones.code == 0, "\(zones.errors)")
    try watch.change("update", "id == 2", "--set", "location = '20,-50'")
    try watch.change("delete", "id == 2")
    events = try watch.events(6)
    #expect(events.map(\.event).suffix(3) == ["leave", "enter", "leave"])
    #expect(events.map(\.fenceID).suffix(3) == ["north", "west", "west"])
    #expect(events[5].deleted == true && events[5].values?["name"] as? String == "x")
    #expect(try watch.end() == events[5].cursor)
  }

  @Test func aLaterRunForgetsWhatIsReset() throws {
    let first = try Watch("--fences", "zones", in: copy())
    try first.change("update", "id == 2", "--set", "location = '10,-50'")
    let cursor = try #require(try first.events(1).last?.cursor)
    _ = try first.end()
    try first.change("update", "id == 2", "--set", "location = '75,-50'")
    try first.change("update", "id == 3", "--set", "location = '11,-50'")
    let later = try Watch(
      "--fences", "zones", "--since", cursor, "--exec",
      "cat; echo \"$CAIRN_EVENT $CAIRN_ROW $CAIRN_FENCE\"", in: first.scratch)
    try later.wait { try later.scratch.text("out").split(separator: "\n").count == 8 }
    let lines = try later.scratch.text("out").split(separator: "\n").map(String.init)
    let events = try lines.filter { $0.hasPrefix("{") }.map(Event.init)
    #expect(events.map(\.event) == ["reset", "reset", "enter", "enter"])
    // Rows come in the order of their numbers, which is that along the Hilbert curve.
    #expect(events.map(\.row).prefix(2) == events.map(\.row).suffix(2))
    #expect(events[0].values == nil && events[0].fence == nil)
    let found = Dictionary(uniqueKeysWithValues: events.suffix(2).map { ($0.id, $0.fenceID) })
    #expect(found == [2: "north", 3: "west"])
    #expect(lines[1] == "reset \(events[0].row ?? -1) ")
    #expect(lines[5].hasPrefix("enter \(events[2].row ?? -1) "))
    let initial = try Command.lines(
      "watch", first.store, "places", "--fences", "zones", "--initial", "--limit", "2", "--quiet")
    #expect(try Set(initial.map { try Event($0).fenceID }) == ["west", "north"])
  }

  @Test func wrongFencesAreErrors() throws {
    let folder = try copy()
    let store = folder["places.cairn"]
    for (line, code, said) in [
      (["places", "--fences", "zone"], 64, "did you mean 'zones'"),
      (["places", "--fences", "places"], 64, "--fences: 'places' has no geometry"),
    ] as [([String], Int32, String)] {
      let outcome = try Command.run(["watch", store] + line)
      #expect(outcome.code == code && outcome.errors.contains(said), "\(outcome.errors)")
    }
    let watch = try Watch("--fences", "zones", in: folder)
    #expect(try Command.run("drop", watch.store, "zones", "--quiet").code == 0)
    watch.process.waitUntilExit()
    #expect(watch.process.terminationStatus == 1)
    #expect(try watch.scratch.text("err").contains("the class 'zones' was removed"))
  }

  @Test func newColumnsAppear() throws {
    let watch = try Watch("id == 5")
    try watch.change("update", "id == 5", "--set", "size = 3", "--add")
    let event = try watch.events(1)[0]
    #expect(event.event == "change" && event.changed == ["size"])
    #expect(event.values?["size"] as? Int == 3)
  }
}
