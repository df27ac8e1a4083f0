import CairnTestSupport
import Foundation
import Testing

/// `--timezone`, `--date-format` and the dates of other programs, compared with the system's
/// `date`.
@Suite struct TimeZoneTests {
  private static let zones = [
    "Europe/Zurich", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu",
    "Africa/Casablanca",
    "America/St_Johns", "Pacific/Apia", "Asia/Tokyo", "Europe/Dublin", "Antarctica/Troll",
    "America/Sao_Paulo", "UTC", "Etc/GMT+5",
  ]

  /// Local times of a zone, and the moments that the system computes for them.
  private static func moments(_ zone: String, _ seconds: [Int]) throws -> [String] {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("in", seconds.map { "@\($0)\n" }.joined())
    return try Command.shell("TZ=\(zone) date -f '\(file.path)' '+%Y-%m-%d %H:%M:%S'").lines
  }

  @Test(
    .enabled(
      if: Machine.isLinux && Machine.hasTimeZones, "needs GNU date and the database of time zones"),
    arguments: zones)
  func timesMatchTheSystem(zone: String) throws {
    let seed = Soak.seed(106)
    var random = SplitMix64(seed: seed)
    // From 1901 on, and past the last transition in the database, where its rules apply.
    let seconds = (0..<400).map { _ in
      Int.random(in: -2_177_000_000...4_000_000_000, using: &random)
    }
    let local = try Self.moments(zone, seconds)
    try #require(local.count == seconds.count)
    var text = "id,lat,lon,t\n"
    for (id, time) in local.enumerated() { text += "\(id),1,2,\(time)\n" }
    let intake = try Intake(
      text, options: ["--timezone", zone], query: ["--select", "t", "--sort", "id"])
    let found = Array(intake.lines.dropFirst(1))
    try #require(found.count == seconds.count)
    let scratch = try TemporaryFolder()
    let file = try scratch.file("in", found.map { $0 + "\n" }.joined())
    let back = try Command.shell("TZ=UTC date -f '\(file.path)' +%s").lines.compactMap { Int($0) }
    try #require(back.count == seconds.count)
    let again = try Self.moments(zone, back)
    for index in seconds.indices where back[index] != seconds[index] {
      // A local time that occurs twice means the first of both.
      #expect(
        again[index] == local[index] && back[index] < seconds[index],
        "seed \(seed): \(local[index]) in \(zone) is \(back[index]), not \(seconds[index])")
    }
    #expect(zip(back, seconds).count { $0 != $1 } < 40, "seed \(seed)")
  }

  @Test(
    .enabled(if: Machine.hasTimeZones, "the database of time zones is missing"),
    arguments: [
      ("2024-03-31 02:30:00", "2024-03-31T01:30:00Z"),
      ("2024-10-27 02:30:00", "2024-10-27T00:30:00Z"),
      ("2024-10-27 03:00:00", "2024-10-27T02:00:00Z"),
      ("2060-07-01 12:00:00", "2060-07-01T10:00:00Z"),
      ("2024-07-01", "2024-07-01"), ("2024-07-01 12:00:00Z", "2024-07-01T12:00:00Z"),
    ])
  func transitionsOfTheClock(local: String, moment: String) throws {
    let intake = try Intake(
      "id,lat,lon,t\n1,1,2,\(local)\n", as: "f.csv", ["--timezone", "Europe/Zurich"])
    intake.expect(["id,latitude,longitude,t", "1,1.0,2.0,\(moment)"])
  }

  @Test func offsetsNeedNoDatabase() throws {
    let environment = ["TZDIR": "/nowhere"]
    for (zone, moment) in [
      ("+02:00", "10:00:00"), ("-0330", "15:30:00"), ("+5", "07:00:00"), ("utc", "12:00:00"),
    ] {
      let scratch = try TemporaryFolder()
      try scratch.file("f.csv", "id,lat,lon,t\n1,1,2,2024-05-01 12:00:00\n")
      let outcome = try Command.run(
        "import", scratch["s"], scratch["f.csv"], "--timezone", zone, environment: environment)
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(
        try Command.lines("query", scratch["s"], "f", "--select", "t", "--format", "csv").last
          == "2024-05-01T\(moment)Z")
    }
  }

  @Test(arguments: [
    ("Europe/Nowhere", "not a time zone of"), ("../../etc/passwd", "is not a time zone"),
    ("Europe", "not a time zone of"),
    ("+25:00", "is not a time zone"), ("/etc/localtime", "is not a time zone"),
    ("", "is not a time zone"),
  ])
  func invalidZonesAreRefused(zone: String, part: String) throws {
    let outcome = try Command.run("import", "s", "f", "--timezone", zone)
    #expect(outcome.code == 64 && outcome.errors.contains(part), "\(outcome.errors)")
  }

  @Test func formatsOfDates() throws {
    let text = "id,lat,lon,t,u\n1,1,2,01.05.2024 14:30,x\n2,1,2,,y\n"
    let intake = try Intake(text, as: "f.csv", ["--date-format", "%d.%m.%Y %H:%M"])
    intake.expect([
      "id,latitude,longitude,t,u", "1,1.0,2.0,2024-05-01T14:30:00Z,x", "2,1.0,2.0,,y",
    ])
    #expect(intake.outcome.errors.contains("`t` has no time zone and is read as UTC"))
    let wrong = try Command.run("import", "s", "f", "--date-format", "%d.%m")
    #expect(wrong.code == 64 && wrong.errors.contains("as in %Y-%m-%d"), "\(wrong.errors)")
  }

  @Test func nullsFromTheCommandLine() throws {
    let text = "id,lat,lon,n\n1,1,2,-\n2,1,2,\\N\n3,1,2,-999\n4,1,2,5\n"
    for options in [
      ["--null", "-,\\N,-999"], ["--null", "-", "--null", "\\N", "--null", "-999"],
      ["--null=-,-999", "--null=\\N"],
    ] {
      let intake = try Intake(text, as: "f.csv", options)
      intake.expect([
        "id,latitude,longitude,n", "1,1.0,2.0,", "2,1.0,2.0,", "3,1.0,2.0,", "4,1.0,2.0,5",
      ])
    }
    let said = try Intake(text)
    #expect(
      said.outcome.errors.contains(
        "f.csv:2: `n` is text because of `-` and `\\N`; `--null '-,\\N'` makes them null"),
      "\(said.outcome.errors)")
  }

  @Test func typesFromTheCommandLine() throws {
    let text = "id,lat,lon,a,b,c\n1,1,2,1714566600,1714566600123,t\n"
    try Intake(
      text, as: "f.csv", ["--type", "a=epoch-s", "--type", "b=epoch-ms", "--type", "c=bool"]
    ).expect([
      "id,latitude,longitude,a,b,c",
      "1,1.0,2.0,2024-05-01T12:30:00Z,2024-05-01T12:30:00.123Z,true",
    ])
    let wrong = try Command.run("import", "s", "f", "--type", "a=epochms")
    #expect(wrong.code == 64 && wrong.errors.contains("epoch-s or epoch-ms"), "\(wrong.errors)")
  }
}

extension Intake {
  /// The CSV output of a query with these options.
  fileprivate init(_ text: String, options: [String], query: [String]) throws {
    let scratch = try TemporaryFolder()
    try scratch.file("f.csv", text)
    let outcome = try Command.run(
      ["import", scratch["s"], scratch["f.csv"], "--class", "f"] + options)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let listed = try Command.run(["query", scratch["s"], "f", "--format", "csv"] + query)
    self.init(outcome: outcome, lines: listed.lines)
  }

  private init(outcome: Command.Outcome, lines: [String]) {
    self.outcome = outcome
    self.lines = lines
  }
}
