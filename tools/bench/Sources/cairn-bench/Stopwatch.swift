import Measuring

/// Runs the queries of a job in turn and measures their times.
struct Stopwatch {
  /// The minimum number of rounds over all parameters.
  var fewestRounds = 5
  /// The maximum number of rounds.
  var mostRounds = 1000
  /// The minimum seconds to measure a job, unless it reaches the maximum number of rounds.
  var leastTime = 0.5
  /// The seconds after which a job stops once it has the minimum number of rounds.
  var mostTime = 10.0

  /// A query took longer than a limit.
  struct Timeout: Error {}

  /// A line with the answers, the median over all parameters of each parameter's median, and the
  /// extremes.
  ///
  /// - Parameter limit: The seconds that no query may take.
  func line(
    _ job: String, parameters: Int, limit: Double = .infinity, ask: (Int) throws -> Answer
  ) throws -> String {
    var times = Array(repeating: [Double](), count: parameters)
    func timed(_ parameter: Int) throws -> (answer: Answer, seconds: Double) {
      let before = now()
      let answer = try ask(parameter)
      let seconds = now() - before
      if seconds > limit { throw Timeout() }
      return (answer, seconds)
    }
    let answers = try (0..<parameters).map { try timed($0).answer.json }
    let start = now()
    var rounds = 0
    while rounds < fewestRounds || (rounds < mostRounds && now() - start < leastTime) {
      for parameter in 0..<parameters { times[parameter].append(try timed(parameter).seconds) }
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
