import Measuring

/// Runs the queries of a job in turn and measures their times.
struct Stopwatch {
  private static let fewestRounds = 5
  private static let mostRounds = 1000
  /// The minimum seconds to measure a job, unless it reaches the maximum number of rounds.
  private static let leastTime = 0.5
  /// The seconds after which a job stops once it has the minimum number of rounds.
  private static let mostTime = 10.0

  /// A line with the answers, the median over all parameters of each parameter's median, and the
  /// extremes.
  static func line(_ job: String, parameters: Int, _ ask: (Int) throws -> Answer) rethrows -> String
  {
    let answers = try (0..<parameters).map { try ask($0).json }
    var times = Array(repeating: [Double](), count: parameters)
    let start = now()
    var rounds = 0
    while rounds < fewestRounds || (rounds < mostRounds && now() - start < leastTime) {
      for parameter in 0..<parameters {
        let before = now()
        _ = try ask(parameter)
        times[parameter].append(now() - before)
      }
      rounds += 1
      if now() - start > mostTime, rounds >= fewestRounds { break }
    }
    let all = times.joined()
    let figures = [
      ("median_ms", median(times.map(median))), ("min_ms", all.min() ?? 0),
      ("max_ms", all.max() ?? 0),
    ]
    return "{\"job\": \"\(job)\", \"answers\": \(Answer.list(answers)), "
      + figures.map { "\"\($0.0)\": \($0.1 * 1000)" }.joined(separator: ", ")
      + ", \"reps\": \(rounds), \"params\": \(parameters)}"
  }
}
