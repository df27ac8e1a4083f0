import Cairn
import Measuring

/// The jobs for both sides.
struct Jobs {
  let cairn: CairnSide
  let grdb: GRDBSide
  let words: [String]
  /// A part of the names of the jobs that run; all if it is empty.
  let only: String

  /// - Parameter text: A text, which holds a phrase for certain.
  func searches(quoting text: String) throws -> [String] {
    let quoted = text.split(separator: " ")[1..<4].joined(separator: " ")
    let pairs: [(String, String, String?)] = [
      ("common word", words[3], nil),
      ("word of 1 text in 100", words[350], nil),
      ("rare word", words[20_000], nil),
      ("rarest word", words[59_999], nil),
      ("two words", "\(words[10]) \(words[300])", nil),
      ("two common words", "\(words[1]) \(words[5])", nil),
      ("rare and common word", "\(words[5000]) \(words[0])", nil),
      ("common phrase", "\"\(words[1]) \(words[2])\"", nil),
      ("phrase of common words", "\"\(words[30]) \(words[40])\"", nil),
      ("phrase of a common and a rare word", "\"\(words[0]) \(words[5000])\"", nil),
      ("phrase of rare words", "\"\(words[3000]) \(words[3001])\"", nil),
      ("three words of a text", "\"\(quoted)\"", nil),
      ("prefix", "\(words[800].prefix(4))*", nil),
      ("short prefix", "st*", "st*"),
      ("prefix of two letters", "\(words[0].prefix(2))*", nil),
      ("without a word", "\(words[20]) -\(words[4])", "\(words[20]) NOT \(words[4])"),
    ]
    return try pairs.compactMap { name, search, other in
      try line(name) {
        cairn.count(search)
      } grdb: {
        try grdb.count(other ?? search)
      }
    }
  }

  func circles() throws -> [String] {
    let searches = [
      ("common word", words[3], 10_000.0), ("common word", words[3], 100_000),
      ("word of 1 text in 100", words[350], 10_000), ("word of 1 text in 100", words[350], 100_000),
      ("rare word", words[20_000], 100_000),
      ("common phrase", "\"\(words[1]) \(words[2])\"", 10_000),
    ]
    return try searches.compactMap { name, search, metres in
      guard let center = GeoPoint(latitude: 46.5, longitude: 8),
        let radius = Distance.meters(metres)
      else { return nil }
      let circle = GeoCircle(center: center, radius: radius)
      return try line("\(name), \(Int(metres / 1000)) km") {
        cairn.count(search, within: circle)
      } grdb: {
        try grdb.count(search, within: circle)
      }
    }
  }

  func rankings() throws -> [String] {
    let searches = [("common word", words[30]), ("word of 1 text in 100", words[350])]
    return try searches.compactMap { name, search in
      try line("\(name), the best 10") {
        cairn.best(search)
      } grdb: {
        try grdb.best(search)
      }
    }
  }

  private func line(
    _ name: String, cairn: () throws -> Int, grdb: () throws -> Int
  ) throws -> String? {
    guard only.isEmpty || name.contains(only) else { return nil }
    let (answer, seconds) = try Jobs.measure(cairn)
    let (other, otherSeconds) = try Jobs.measure(grdb)
    let note = answer == other ? "" : "   FTS5 answers \(other)"
    return Main.row(name, "\(answer)", seconds, otherSeconds) + note
  }

  /// The answer and the median time of at least five runs, behind one that is not measured.
  private static func measure(_ body: () throws -> Int) throws -> (Int, Double) {
    let answer = try body()
    var times: [Double] = []
    let start = now()
    while times.count < 5 || (now() - start < 0.3 && times.count < 2000) {
      let before = now()
      _ = try body()
      times.append(now() - before)
    }
    return (answer, median(times))
  }
}
