import Measuring

/// One line of the report on writing: operations per second on both sides.
struct Rate {
  let job: String
  let cairn: Double
  let grdb: Double

  /// Runs a job on both sides in turn, so that fluctuations of the disk affect both.
  ///
  /// - Parameter size: The number of operations of each call.
  init(
    _ job: String, size: Int, rounds: Int, cairn: () throws -> Void, grdb: () throws -> Void
  ) throws {
    var (ours, theirs): ([Double], [Double]) = ([], [])
    for _ in 0..<rounds {
      ours.append(try Rate.seconds(cairn))
      theirs.append(try Rate.seconds(grdb))
    }
    self.job = job
    self.cairn = Double(size) / median(ours)
    self.grdb = Double(size) / median(theirs)
  }

  private static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let before = now()
    try body()
    return now() - before
  }

  static let header = Line.row("a second", "", "Cairn", "GRDB", "x GRDB")

  var text: String {
    Line.row(job, "", Line.figure(cairn), Line.figure(grdb), Line.figure(cairn / grdb))
  }
}
