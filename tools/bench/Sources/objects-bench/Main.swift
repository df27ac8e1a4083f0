import Cairn
import Foundation
import Measuring

/// Times the object library and GRDB on the same objects.
@main
enum Main {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard (2...3).contains(arguments.count), let count = Int(arguments[1]), count > 0,
      arguments.count == 2 || ["writes", "documents"].contains(arguments[2])
    else {
      FileHandle.standardError.write(
        Data("usage: objects-bench FOLDER NUMBER [writes|documents]\n".utf8))
      exit(64)
    }
    let folder = URL(fileURLWithPath: arguments[0])
    if arguments.count == 2 { try reads(folder, count) }
    if arguments.last != "documents" { try writes(folder, count) }
    if arguments.last != "writes" { try documents(folder) }
  }

  /// Measures existing objects: opening, queries, reading.
  private static func reads(_ folder: URL, _ count: Int) throws {
    try removeAll("cities.", in: folder)
    let store = folder.appendingPathComponent("cities.cairn")
    let database = folder.appendingPathComponent("cities.sqlite")
    let isMillion = count == 1_000_000
    say(Line.header)
    let cairnAdd = try seconds { try CairnSide.fill(store, count) }
    let grdbAdd = try seconds { try GRDBSide.fill(database, count) }
    say(
      Line(
        "add all in one transaction", answer: "\(count)", cairn: cairnAdd * 1000,
        grdb: grdbAdd * 1000, realm: isMillion ? 1380 : nil
      ).text)
    say(
      try Line("open, first count") {
        "\(try CairnSide(store).cities.count)"
      } grdb: {
        try GRDBSide(database).number("SELECT COUNT(*) FROM city")
      }.text)
    let jobs = Jobs(cairn: try CairnSide(store), grdb: try GRDBSide(database), isMillion: isMillion)
    for group in [jobs.places, jobs.polygon, jobs.objects, jobs.scans] {
      try group().forEach { say($0.text) }
    }
    Accessors.lines(jobs.cairn).forEach(say)
  }

  /// Measures objects that are added, changed and moved.
  private static func writes(_ folder: URL, _ count: Int) throws {
    try removeAll("fleet.", in: folder)
    say(Rate.header)
    for size in [0, count] { try WriteJobs(folder, size).lines(say) }
  }

  /// Measures commits of large values.
  private static func documents(_ folder: URL) throws {
    try removeAll("documents.", in: folder)
    say(DocumentJobs.header)
    try DocumentJobs(folder).lines(say)
  }

  private static func removeAll(_ prefix: String, in folder: URL) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.hasPrefix(prefix) {
      try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
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
}
