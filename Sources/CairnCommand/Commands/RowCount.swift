import CairnIO
import CairnPostgres
import CairnQuery

/// The number of rows that meet the conditions of a command line.
struct RowCount {
  let target: TargetArguments
  let area: AreaOptions

  /// Prints the number.
  func write() throws {
    if PostgresAddress.isURL(target.store) {
      return try OutputTarget.print("\(RemoteCount(target: target, area: area).count())\n")
    }
    let source = try OpenedClass(target).measuring()
    let area = try area.resolved(in: source)
    let request = try QueryRequest(source, target: target, area: area)
    let count = try request.execution().count()
    try request.source.requireComputed()
    try OutputTarget.print("\(count)\n")
    if count == 0 { try SwappedCoordinates(area, of: request).printNoteIfMatching() }
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
    guard 2...3 ~= words.count, isPaired, let area = try? AreaOptions(plain: values) else {
      return nil
    }
    self.area = area
    target = TargetArguments(
      store: words[0], className: words[1], predicate: words.count > 2 ? words[2] : nil)
  }
}

extension TargetArguments {
  fileprivate init(store: String, className: String, predicate: String?) {
    self.init()
    self.store = store
    self.className = className
    self.predicate = predicate
    search = nil
    var checking = CheckingOptions()
    checking.untrusted = false
    self.checking = checking
  }
}

extension AreaOptions {
  /// Reads the values of `--near` and `--radius`.
  fileprivate init(plain values: [String: String]) throws {
    self.init()
    nearOption = try values["--near"].map(NearOption.init(text:))
    radius = try values["--radius"].map(Radius.parse)
    nearShape = nil
    bbox = []
    within = nil
    outside = nil
    intersects = nil
    contains = nil
    geometry = nil
    edges = nil
    layer = nil
    wrapLongitude = false
    repair = false
  }
}
