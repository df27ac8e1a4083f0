/// The inferred columns of one input block, or of the whole input, in order of first appearance.
package struct InferredColumns: Sendable {
  /// A column and the evidence for its type.
  package struct Column: Sendable, Equatable {
    let name: String
    var evidence: FieldEvidence
    /// Whether the file does not name the column, so that it counts only if it holds a value.
    var isUnnamed = false
    /// Words among the values that may mean null.
    var suspects: [SuspectWord] = []

    package init(
      name: String, evidence: FieldEvidence, isUnnamed: Bool = false, suspects: [SuspectWord] = []
    ) {
      self.name = name
      self.evidence = evidence
      self.isUnnamed = isUnnamed
      self.suspects = suspects
    }
  }

  private(set) var columns: [Column] = []
  /// The kinds of geometries in each source.
  private(set) var spatial: [SpatialSource: SpatialEvidence] = [:]
  /// Whether some position has more than three numbers.
  var hasFurtherNumbers = false
  /// The evidence for the type of the Features' own ids.
  var ownIds: FieldEvidence = []
  /// Whether some Feature has its own id that differs from its property `id`.
  var idsDiffer = false
  private var indexes: [String: Int] = [:]

  package init() {}

  /// Creates the findings for columns, whose names may repeat.
  package init(columns: [Column], spatial: [SpatialSource: SpatialEvidence] = [:]) {
    for column in columns { add(column) }
    self.spatial = spatial
  }

  /// Whether some point of the only source has a third coordinate, which becomes a property.
  var hasAltitude: Bool { spatial[.only]?.contains(.altitude) == true }

  /// The findings without the third coordinate of points.
  var withoutAltitude: InferredColumns {
    var others = self
    others.spatial[.only]?.remove(.altitude)
    return others
  }

  /// Adds the findings of a later block.
  mutating func add(_ later: InferredColumns) {
    for column in later.columns { add(column) }
    spatial.merge(later.spatial) { $0.union($1) }
    hasFurtherNumbers = hasFurtherNumbers || later.hasFurtherNumbers
    ownIds.formUnion(later.ownIds)
    idsDiffer = idsDiffer || later.idsDiffer
  }

  private mutating func add(_ column: Column) {
    if let index = indexes[column.name] {
      columns[index].evidence.formUnion(column.evidence)
      columns[index].isUnnamed = columns[index].isUnnamed && column.isUnnamed
      if !column.suspects.isEmpty { columns[index].add(column.suspects) }
    } else {
      indexes[column.name] = columns.count
      columns.append(column)
    }
  }

  /// Returns the column of that name, if it exists.
  func column(_ name: String) -> Column? { indexes[name].map { columns[$0] } }

  /// Returns the evidence for the column of that name, if it exists.
  func evidence(_ name: String) -> FieldEvidence? { indexes[name].map { columns[$0].evidence } }

  /// The findings without the columns that have neither a name nor a value.
  var withoutBlanks: InferredColumns {
    replacing(columns: columns.filter { !$0.isUnnamed || !$0.evidence.isEmpty })
  }

  /// Returns the same findings with other columns, whose names differ.
  func replacing(columns: [Column]) -> InferredColumns {
    var others = self
    others.columns = columns
    others.indexes = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1.name, $0) })
    return others
  }

  /// The property that holds the Features' own ids: `id`, unless a property of that name differs
  /// from them.
  var featureIdName: String {
    guard idsDiffer else { return "id" }
    var name = "feature_id"
    var number = 1
    while indexes[name] != nil {
      number += 1
      name = "feature_id_\(number)"
    }
    return name
  }

  /// The findings with the Features' own ids among the columns.
  var withOwnIds: InferredColumns {
    guard !ownIds.isEmpty else { return self }
    let own = Column(name: featureIdName, evidence: ownIds)
    var columns = columns
    if let index = indexes[own.name] {
      columns[index].evidence.formUnion(ownIds)
    } else {
      columns.insert(own, at: indexes["id"].map { $0 + 1 } ?? 0)
    }
    var result = InferredColumns(columns: columns, spatial: spatial)
    result.hasFurtherNumbers = hasFurtherNumbers
    return result
  }
}

extension InferredColumns.Column {
  /// Adds words of another block, which may precede this one. The first occurrence of each word is
  /// kept.
  mutating func add(_ words: [SuspectWord]) {
    for word in words {
      if let known = suspects.firstIndex(where: { $0.word == word.word }) {
        if word.position < suspects[known].position { suspects[known] = word }
      } else {
        suspects.append(word)
      }
    }
    suspects = Array(suspects.sorted { $0.position < $1.position }.prefix(SuspectWord.kept))
  }
}
