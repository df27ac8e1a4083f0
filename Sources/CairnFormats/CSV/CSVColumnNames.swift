/// What the columns of a CSV file are called.
struct CSVColumnNames {
  /// As they stand in the header.
  let written: [String]
  /// Each once: a name that is there already gets a number, a blank one becomes `column_3`.
  private(set) var names: [String]
  /// The columns that have no name in the header.
  private(set) var unnamed: Set<Int> = []
  /// What was made of the header, for the user to know.
  private(set) var notes: [String] = []

  init(_ written: [String]) {
    self.written = written
    names = written
    var taken = Set(written)
    var seen: Set<String> = []
    for (place, name) in written.enumerated() {
      if name.isEmpty {
        unnamed.insert(place)
        names[place] = Self.free("column_\(place + 1)", &taken)
      } else if !seen.insert(name).inserted {
        names[place] = Self.free(name, &taken)
        notes.append(
          "column \(place + 1) is the second named `\(name)`, and becomes `\(names[place])`")
      }
    }
  }

  /// Columns without a header: `column_1` and so on.
  init(numbered count: Int) {
    written = (1...max(1, count)).map { "column_\($0)" }
    names = written
  }

  private static func free(_ name: String, _ taken: inout Set<String>) -> String {
    var number = 1
    var free = name
    while !taken.insert(free).inserted {
      number += 1
      free = "\(name)_\(number)"
    }
    return free
  }

  /// For messages.
  var list: String {
    let shown = names.prefix(20).map { "`\($0)`" }.joined(separator: ", ")
    return names.count > 20 ? shown + ", …" : shown
  }
}
