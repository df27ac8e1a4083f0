/// The columns of one section of input, or of all, in the order in which they were met.
struct Findings: Sendable {
  struct Column: Sendable, Equatable {
    let name: String
    var evidence: FieldEvidence
    /// The file gives it no name, so that it counts only where it holds a value.
    var isUnnamed = false
    /// Words among the values that may mean null.
    var suspects: [SuspectWord] = []
  }

  private(set) var columns: [Column] = []
  /// Some point has a third coordinate.
  private(set) var hasAltitude = false
  /// Some position has more than three numbers.
  var hasFurtherNumbers = false
  /// The evidence of the Features' own ids.
  var ownIds: FieldEvidence = []
  /// Some Feature has an id of its own that differs from its property `id`.
  var idsDiffer = false
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
    hasFurtherNumbers = hasFurtherNumbers || later.hasFurtherNumbers
    ownIds.formUnion(later.ownIds)
    idsDiffer = idsDiffer || later.idsDiffer
  }

  private mutating func add(_ column: Column) {
    if let place = places[column.name] {
      columns[place].evidence.formUnion(column.evidence)
      columns[place].isUnnamed = columns[place].isUnnamed && column.isUnnamed
      if !column.suspects.isEmpty { columns[place].add(column.suspects) }
    } else {
      places[column.name] = columns.count
      columns.append(column)
    }
  }

  /// The column of that name; nil when there is none.
  func column(_ name: String) -> Column? { places[name].map { columns[$0] } }

  /// What the column of that name was seen to be; nil when there is none.
  func evidence(_ name: String) -> FieldEvidence? { places[name].map { columns[$0].evidence } }

  /// Without the columns that have neither a name nor a value.
  var withoutBlanks: Findings {
    var others = self
    others.columns = columns.filter { !$0.isUnnamed || !$0.evidence.isEmpty }
    others.places = Dictionary(
      uniqueKeysWithValues: others.columns.enumerated().map { ($1.name, $0) })
    return others
  }

  /// The property that the Features' own ids become: `id`, unless a property of that name says something else.
  var featureIdName: String {
    guard idsDiffer else { return "id" }
    var name = "feature_id"
    var number = 1
    while places[name] != nil {
      number += 1
      name = "feature_id_\(number)"
    }
    return name
  }

  /// With the Features' own ids among the columns.
  var withOwnIds: Findings {
    guard !ownIds.isEmpty else { return self }
    let own = Column(name: featureIdName, evidence: ownIds)
    var columns = columns
    if let place = places[own.name] {
      columns[place].evidence.formUnion(ownIds)
    } else {
      columns.insert(own, at: places["id"].map { $0 + 1 } ?? 0)
    }
    var result = Findings(columns: columns, hasAltitude: hasAltitude)
    result.hasFurtherNumbers = hasFurtherNumbers
    return result
  }
}

extension Findings.Column {
  /// Adds words of a later section, or of one that belongs before; of one word the first counts.
  mutating func add(_ words: [SuspectWord]) {
    for word in words {
      if let known = suspects.firstIndex(where: { $0.word == word.word }) {
        if word.place < suspects[known].place { suspects[known] = word }
      } else {
        suspects.append(word)
      }
    }
    suspects = Array(suspects.sorted { $0.place < $1.place }.prefix(SuspectWord.kept))
  }
}
