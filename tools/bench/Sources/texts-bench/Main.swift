import Cairn
import Foundation
import Measuring

/// Times full-text search beside SQLite's FTS5 through GRDB, both warm in this process.
@main
enum Main {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard (2...3).contains(arguments.count), let count = Int(arguments[1]), count >= 1000 else {
      FileHandle.standardError.write(Data("usage: texts-bench FOLDER NUMBER [JOB]\n".utf8))
      exit(64)
    }
    let folder = URL(fileURLWithPath: arguments[0])
    let texts = Texts(count: count)
    let all = Array(texts)
    let name = "texts\(count)"
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where file.hasPrefix(name + ".") {
      try FileManager.default.removeItem(at: folder.appendingPathComponent(file))
    }
    let cairn = try CairnSide(folder.appendingPathComponent("\(name).cairn"))
    let grdb = try GRDBSide(folder.appendingPathComponent("\(name).sqlite"))
    say(row("job", "answer", "Cairn ms", "FTS5 ms", "times"))
    let cairnTime = try seconds { try cairn.fill(all) }
    let grdbTime = try seconds { try grdb.fill(all) }
    say(row("add all in one transaction", "\(count)", cairnTime, grdbTime))
    try say(row("FTS5 merges its segments", "", 0, seconds { try grdb.optimize() }))
    let only = arguments.count == 3 ? arguments[2] : ""
    let jobs = Jobs(cairn: cairn, grdb: grdb, words: texts.words, only: only)
    try jobs.searches(quoting: all[7].text).forEach(say)
    try jobs.circles().forEach(say)
    try jobs.rankings().forEach(say)
  }

  /// Prints a line without buffering, whatever standard output is.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  private static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let before = now()
    try body()
    return now() - before
  }

  /// A line of the report with times in seconds.
  static func row(_ job: String, _ answer: String, _ cairn: Double, _ grdb: Double) -> String {
    row(
      job, answer, String(format: "%.4f", cairn * 1000), String(format: "%.4f", grdb * 1000),
      cairn > 0 ? String(format: "%.1f", grdb / cairn) : "")
  }

  private static func row(_ job: String, _ figures: String...) -> String {
    job.padding(toLength: 34, withPad: " ", startingAt: 0)
      + figures.map { String(repeating: " ", count: max(1, 13 - $0.count)) + $0 }.joined()
  }
}
