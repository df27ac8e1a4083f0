import CairnIO
import CairnRequest

/// The number of rows that meet the conditions of a command line.
struct RowCount {
  let arguments: RowArguments

  /// Prints the number.
  func write() throws {
    var arguments = arguments
    var needs = RowNeeds()
    needs.isCount = true
    arguments.reads = needs
    let source = try OpenedClass(describing: arguments).measuring()
    let request = try QueryRequest(source, arguments)
    let count = try request.count()
    try request.source.requireComputed()
    try OutputTarget.print("\(count)\n")
    if count == 0, source.backend.holdsAllRows {
      try SwappedCoordinates(of: request).printNoteIfMatching()
    }
  }
}

/// Scripts count often, and the parser takes longer than the count: 1.8 ms of a cold start of 5 ms.
/// So the frequent forms of the command are read without it.
extension RowCount {
  /// Reads `count STORE CLASS [PREDICATE] [--near LAT,LON --radius DISTANCE]`.
  ///
  /// Returns nil for every other command line and for every error: they go to the parser.
  init?(plain arguments: [String]) {
    guard arguments.first == "count" else { return nil }
    var words: [String] = []
    var values: [String: String] = [:]
    var rest = arguments.dropFirst()
    while let word = rest.popFirst() {
      if word == "--near" || word == "--radius" {
        guard let value = rest.popFirst(), values.updateValue(value, forKey: word) == nil else {
          return nil
        }
      } else {
        guard let first = word.first, first != "-" else { return nil }
        words.append(word)
      }
    }
    let isPaired = (values["--near"] == nil) == (values["--radius"] == nil)
    guard 1...3 ~= words.count, isPaired, let area = try? AreaArguments(plain: values),
      let (reference, predicate) = try? ClassReference.withCondition(words)
    else { return nil }
    self.arguments = RowArguments(reference: reference, predicate: predicate, area: area)
  }
}

extension AreaArguments {
  /// Reads the values of `--near` and `--radius`.
  fileprivate init(plain values: [String: String]) throws {
    nearOption = try values["--near"].map(NearOption.init(text:))
    radius = try values["--radius"].map(Radius.parse)
  }
}
