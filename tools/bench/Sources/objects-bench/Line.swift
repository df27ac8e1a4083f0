import Measuring

/// One line of the report: the answer, and the times of both sides.
struct Line {
  let job: String
  let answer: String
  let cairn: Double
  let grdb: Double?
  /// The time of Realm's core in milliseconds, measured once on another machine.
  let realm: Double?

  /// Runs a job on both sides, each at least five times.
  init(
    _ job: String, realm: Double? = nil, cairn: () throws -> String, grdb: (() throws -> String)?
  ) throws {
    self.job = job
    self.realm = realm
    let (answer, seconds) = try Line.measure(cairn)
    self.answer = answer
    self.cairn = seconds * 1000
    guard let grdb else {
      self.grdb = nil
      return
    }
    let (other, otherSeconds) = try Line.measure(grdb)
    self.grdb = otherSeconds * 1000
    if other != answer { print("\(job): Cairn answers \(answer), GRDB \(other)") }
  }

  /// Creates a line for a job that has been measured already.
  init(_ job: String, answer: String, cairn: Double, grdb: Double? = nil, realm: Double? = nil) {
    self.job = job
    self.answer = answer
    self.cairn = cairn
    self.grdb = grdb
    self.realm = realm
  }

  private static func measure(_ body: () throws -> String) throws -> (String, Double) {
    let answer = try body()
    var times: [Double] = []
    let start = now()
    while times.count < 5 || (now() - start < 0.3 && times.count < 1000) {
      let before = now()
      _ = try body()
      times.append(now() - before)
    }
    return (answer, median(times))
  }

  static let header = Line.row(
    "job", "answer", "Cairn ms", "GRDB ms", "Realm ms", "x GRDB", "x Realm")

  var text: String {
    Line.row(
      job, answer, Line.figure(cairn), grdb.map(Line.figure) ?? "", realm.map(Line.figure) ?? "",
      grdb.map { Line.figure($0 / cairn) } ?? "", realm.map { Line.figure($0 / cairn) } ?? "")
  }

  static func row(_ job: String, _ answer: String, _ figures: String...) -> String {
    let cells = [job.padded(to: 42), answer.aligned(to: 20)] + figures.map { $0.aligned(to: 10) }
    return cells.joined(separator: " ")
  }

  /// The value with three significant digits.
  static func figure(_ value: Double) -> String {
    if value >= 100 { return "\(Int(value.rounded()))" }
    let places = value >= 10 ? 10.0 : value >= 1 ? 100.0 : value >= 0.01 ? 10_000.0 : 1_000_000.0
    return "\((value * places).rounded() / places)"
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  fileprivate func aligned(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
