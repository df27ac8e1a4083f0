import Foundation

@main
enum Main {
  static let usage = """
    usage: cairn-bench jobs STORE CLASS QUERIES [JOB ...]    time the jobs of a queries file, one JSON object a line;
                                                             JOB: only jobs with this prefix
           cairn-bench geometry STORE JOBS                   time the geometry jobs of a jobs file
           cairn-bench tiles STORE CLASS [COL,... [WHERE]]   time vector tiles with these attributes, level by level
           cairn-bench tile-rate STORE CLASS PLACES ZOOM SECONDS
                                                             make the tiles of random places on two threads
           cairn-bench points N                              write N generated places as CSV
           cairn-bench queries                               write a queries file for such places
    """

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.count) {
    case ("jobs", 4...):
      try Jobs(
        store: arguments[1], className: arguments[2],
        queries: Queries(contentsOf: arguments[3]), wanted: Array(arguments.dropFirst(4))
      ).run()
    case ("geometry", 3):
      try GeometryJobs(store: arguments[1], jobs: GeometryJobList(contentsOf: arguments[2])).run()
    case ("tiles", 3...5):
      let attributes = arguments.dropFirst(3).first?.split(separator: ",").map(String.init)
      try TileJobs(
        store: arguments[1], className: arguments[2], attributes: attributes ?? [],
        condition: arguments.dropFirst(4).first
      ).run()
    case ("tile-rate", 6):
      guard let zoom = Int(arguments[4]), let seconds = Double(arguments[5]), seconds > 0 else {
        fail(usage)
      }
      try TileRate(
        store: arguments[1], className: arguments[2], targets: arguments[3], zoom: zoom,
        seconds: seconds
      ).run()
    case ("points", 2):
      guard let count = Int(arguments[1]), count > 0 else {
        fail("'\(arguments[1])' is not a number of points")
      }
      Places(count: count).write()
    case ("queries", 1):
      print(String(decoding: try JSONEncoder().encode(Queries.madeUp()), as: UTF8.self))
    default: fail(usage)
    }
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(64)
  }
}
