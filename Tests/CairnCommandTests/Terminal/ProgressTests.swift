import CairnTestSupport
import Foundation
import Testing

@testable import CairnCommand

/// The progress and the summary of long commands.
@Suite struct ProgressTests {
  private func file(_ rows: Int, in scratch: TemporaryFolder) throws -> String {
    let lines = (0..<rows).map { "\($0),\(Double($0 % 170) - 85),\(Double($0 % 350) - 175)\n" }
    return try scratch.file("many.csv", "id,lat,lon\n" + lines.joined()).path
  }

  @Test func theSummaryCountsRows() throws {
    let scratch = try TemporaryFolder()
    let store = scratch["s.cairn"]
    let file = try file(2000, in: scratch)
    let first = try Command.run("import", store, file, "--key", "id")
    #expect(
      first.errors.wholeMatch(of: /2 000 rows imported into many, \d+ kB in [\d.]+ s\n/) != nil,
      "\(first.errors)")
    let again = try Command.run("import", store, file, "--key", "id", "--on-conflict", "replace")
    #expect(
      again.errors.contains("2 000 unchanged") && !again.errors.contains("replaced"),
      "\(again.errors)")
    let moved = try String(contentsOfFile: file, encoding: .utf8)
      .replacing("\n7,-78.0,-168.0\n", with: "\n7,-78.0,-167.0\n")
    let other = try scratch.file("moved.csv", moved).path
    let changed = try Command.run(
      "import", store, other, "--class", "many", "--key", "id", "--on-conflict", "replace")
    #expect(changed.errors.contains("1 replaced, 1 999 unchanged"), "\(changed.errors)")
    let skipped = try Command.run("import", store, file, "--key", "id", "--on-conflict", "skip")
    #expect(skipped.errors.contains("2 000 skipped"), "\(skipped.errors)")
  }

  @Test func programsGetLinesOfJSON() throws {
    let scratch = try TemporaryFolder()
    let file = try file(2000, in: scratch)
    let outcome = try Command.run("import", scratch["s.cairn"], file, "--progress", "json")
    #expect(outcome.code == 0 && outcome.output.isEmpty)
    let events = try outcome.errors.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let last = try #require(events.last)
    #expect(last["event"] as? String == "done")
    #expect(last["class"] as? String == "many")
    #expect(last["rows"] as? Int == 2000)
    #expect(last["bytes"] as? Int == (try Data(contentsOf: URL(fileURLWithPath: file)).count))
    for name in ["replaced", "skipped", "leftOut"] { #expect(last[name] as? Int == 0, "\(name)") }
    #expect((last["seconds"] as? Double ?? 0) > 0)
    let progress = events.dropLast()
    #expect(!progress.isEmpty && progress.allSatisfy { $0["event"] as? String == "progress" })
    #expect(progress.allSatisfy { $0["phase"] is String && $0["bytesTotal"] is Int })
  }

  /// The JSON for programs has everything that people see: the rejected records with reasons, and
  /// the notes on the header.
  @Test func jsonListsRejectedRecords() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("f.csv", "a,a,lat,lon\n1,2,3,4\n1,2,95,4\n1,2,,4\n1,2,,5\n")
    let outcome = try Command.run(
      "import", scratch["s"], file.path, "--progress", "json", "--on-error", "skip")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let line = try #require(outcome.errors.split(separator: "\n").last)
    let done = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(done["leftOut"] as? Int == 3 && done["rowsInClass"] as? Int == 1)
    let reasons = try #require(done["reasons"] as? [[String: Any]])
    #expect(reasons.map { $0["rows"] as? Int } == [2, 1])
    #expect(reasons.map { $0["reason"] as? String }.first == "latitude is missing")
    let first = try #require(done["firstLeftOut"] as? [String])
    #expect(first.count == 3 && first[0].contains("f.csv:3: the latitude 95.0"))
    let notes = try #require(done["notes"] as? [String])
    #expect(notes.count == 1 && notes[0].contains("`a_2`"))
    let again = try Command.run("import", scratch["s"], file.path, "--on-error", "skip")
    #expect(
      again.errors.contains("\n1 row imported into f, 3 left out, 2 in all, "), "\(again.errors)")
  }

  @Test func exportsReportProgress() throws {
    let scratch = try TemporaryFolder()
    let store = try SampleStores.placesStore()
    let outcome = try Command.run(
      "export", store, "places", "--output", scratch["a.csv"], "--progress", "json")
    let line = try #require(outcome.errors.split(separator: "\n").last)
    let done = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(done["event"] as? String == "done" && done["rows"] as? Int == 8)
    #expect(done["bytes"] as? Int == (try scratch.text("a.csv")).utf8.count)
    let quiet = try Command.run("export", store, "places", "--output", scratch["b.csv"])
    #expect(quiet.errors.isEmpty && quiet.output.isEmpty)
    let seen = try Command.terminal("export", store, "places", "--output", scratch["c.csv"])
    #expect(seen.errors.contains("8 rows written to \(scratch["c.csv"]), "), "\(seen.errors)")
  }

  @Test func stylesAreChecked() throws {
    let scratch = try TemporaryFolder()
    let file = try file(1, in: scratch)
    let both = try Command.run(
      "import", scratch["s.cairn"], file, "--quiet", "--progress", "json")
    #expect(both.code == 64)
    #expect(try Command.run("import", scratch["s.cairn"], file, "--progress", "loud").code == 64)
    let none = try Command.run("import", scratch["s.cairn"], file, "--progress", "none")
    #expect(none.code == 0 && none.errors.hasPrefix("1 row imported"), "\(none.errors)")
  }

  @Test func aTerminalShowsALineThatIsErased() throws {
    let scratch = try TemporaryFolder()
    let outcome = try Command.terminal("import", scratch["s.cairn"], try file(2000, in: scratch))
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("\r\u{1B}[KImporting  "), "\(outcome.errors)")
    #expect(outcome.errors.contains("\r\u{1B}[K2 000 rows imported"), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test func aDumbTerminalShowsNoProgress() throws {
    let scratch = try TemporaryFolder()
    let file = try file(2000, in: scratch)
    let outcome = try Command.terminal(
      "import", scratch["s.cairn"], file, environment: ["TERM": "dumb"])
    #expect(!outcome.errors.contains("\u{1B}") && outcome.errors.hasPrefix("2 000 rows"))
    let quiet = try Command.terminal("import", scratch["t.cairn"], file, "--quiet")
    #expect(quiet.errors.isEmpty && quiet.output.isEmpty)
  }

  @Test func theLineContainsThePartsThatFit() {
    let progress = WorkProgress(
      phase: "importing", bytes: 600_000_000, bytesTotal: 2_400_000_000, rows: 1_234_567)
    let report = ProgressPace.Report(progress, phaseSeconds: 10, seconds: 11)
    #expect(
      ProgressLine.text(report, width: 200)
        == "Importing  █████░░░░░░░░░░░░░░░  25 %  0:30 left  1 234 567 rows  123 000 rows/s"
        + "  600 MB of 2.4 GB  60 MB/s")
    for width in 20...120 {
      #expect(ProgressLine.text(report, width: width).count < width)
    }
    #expect(ProgressLine.text(report, width: 60).hasSuffix("left"))
  }

  @Test func ratesNeedAMinimumOfTime() {
    let progress = WorkProgress(phase: "importing", bytes: 10, bytesTotal: 20, rows: 5)
    let report = ProgressPace.Report(progress, phaseSeconds: 0.1, seconds: 0.1)
    #expect(report.secondsLeft == nil && report.rowsPerSecond == nil && report.share == 0.5)
  }

  @Test func reportsAreLimitedExceptForNewPhases() {
    var pace = ProgressPace(pause: 1000)
    #expect(pace.report(WorkProgress(phase: "a")) != nil)
    #expect(pace.report(WorkProgress(phase: "a")) == nil)
    #expect(pace.report(WorkProgress(phase: "b")) != nil)
  }
}
