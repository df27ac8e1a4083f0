/// The names of the columns of a CSV file, or of the members of JSON records.
package struct ColumnNames {
  /// The names as written in the file.
  let written: [String]
  /// Unique names: a repeated name gets a number, a blank one becomes `column_3`.
  package private(set) var names: [String]
  /// The columns whose name is blank.
  private(set) var unnamed: Set<Int> = []
  /// Changes to the written names, reported to the user.
  package private(set) var notes: [String] = []

  /// Creates the names of columns from those in a file, which may repeat.
  package init(_ written: [String]) {
    self.written = written
    names = written
    var taken = Set(written)
    var seen: Set<String> = []
    for (index, name) in written.enumerated() {
      if name.isEmpty {
        unnamed.insert(index)
        names[index] = Self.free("column_\(index + 1)", taken: &taken)
      } else if !seen.insert(name).inserted {
        names[index] = Self.free(name, taken: &taken)
        notes.append(
          "column \(index + 1) repeats the name `\(name)` and becomes `\(names[index])`")
      }
    }
  }

  /// Creates the names of columns without a header: `column_1` and so on.
  init(numbered count: Int) {
    written = (1...max(1, count)).map { "column_\($0)" }
    names = written
  }

  private static func free(_ name: String, taken: inout Set<String>) -> String {
    var number = 1
    var free = name
    while !taken.insert(free).inserted {
      number += 1
      free = "\(name)_\(number)"
    }
    return free
  }

  /// The first 20 names, for messages.
  package var list: String {
    let shown = names.prefix(20).map { "`\($0)`" }.joined(separator: ", ")
    return names.count > 20 ? shown + ", …" : shown
  }
}
