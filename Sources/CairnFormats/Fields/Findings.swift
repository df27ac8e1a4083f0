/// The columns of one section of input, or of all, in the order in which they were met.
struct Findings: Sendable {
  struct Column: Sendable, Equatable {
    let name: String
    var evidence: FieldEvidence
    /// The file gives it no name, so that it counts only where it holds a value.
    var isUnnamed = false
  }

  private(set) var columns: [Column] = []
  /// Some point has a third coordinate.
  private(set) var hasAltitude = false
  private var places: [String: Int] = [:]

  init() {}

  init(columns: [Column], hasAltitude: Bool) {
    for column in columns { add(column) }
    self.hasAltitude = hasAltitude
  }

  /// Adds what a later section showed.
  mutating func add(_ later: Findings) {
    for column in later.columns { add(column) }
    hasAltitude = hasAltitude || later.hasAltitude
  }

  private mutating func add(_ column: Column) {
    if let place = places[column.name] {
      columns[place].evidence.formUnion(column.evidence)
      columns[place].isUnnamed = columns[place].isUnnamed && column.isUnnamed
    } else {
      places[column.name] = columns.count
      columns.append(column)
    }
  }

  /// What the column of that name was seen to be; nil when there is none.
  func evidence(_ name: String) -> FieldEvidence? { places[name].map { columns[$0].evidence } }

  /// Without the columns that have neither a name nor a value.
  var withoutBlanks: Findings {
    Findings(
      columns: columns.filter { !$0.isUnnamed || !$0.evidence.isEmpty }, hasAltitude: hasAltitude)
  }
}
