import Measuring

/// One line of the report on writing: how many a second on both sides.
struct Rate {
  let job: String
  let cairn: Double
  let grdb: Double

  /// Runs a job on both sides in turn, so that both meet the disk in the same moods.
  ///
  /// - Parameter size: how many each call does.
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
