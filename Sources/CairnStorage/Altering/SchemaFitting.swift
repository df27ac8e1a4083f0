import CairnValues

/// Brings the classes of a store into the form that a program has for them.
///
/// A column that can keep its rows keeps its number. What comes in addition stands behind what is there, so that who reads
/// the class as it was finds every property where it stood.
struct SchemaFitting {
  /// How far classes that are there may be changed.
  enum Reach {
    /// Not at all.
    case none
    /// Indexes and inverse properties are those of the program, as far as it has the properties.
    case indexes
    /// Everything is as the program has it; what it does not have is gone.
    case everything
  }

  private let existing: [TableSchema]
  private let drafts: [TableDraft]
  private let reach: Reach
  private let version: UInt64

  /// - Parameter version: the program's number for the form of its classes.
  init(
    existing: [TableSchema], _ drafts: [TableDraft], _ reach: Reach = .none, version: UInt64 = 0
  ) {
    self.existing = existing
    self.drafts = drafts
    self.reach = reach
    self.version = version
  }

  /// The classes that are new, without a number, in the order of the drafts, and those that change.
  ///
  /// - Throws: what makes a class impossible, with the class and the property.
  func schemas() throws(StoreError) -> [TableSchema] {
    var fitted: [TableSchema] = []
    for draft in drafts {
      if (fitted + (reach == .none ? existing : [])).contains(where: { $0.isNamed(draft.name) }) {
        throw StoreError(.schemaMismatch, "class '\(draft.name)' exists already")
      }
      fitted.append(try schema(of: draft))
    }
    let others = existing.filter { old in !fitted.contains { $0.isNamed(old.name) } }
      .map { schema(of: $0, beside: fitted) }
    let indexed = SchemaRules(classes: fitted + others)
    let wanted = fitted.map { indexing($0, indexed) }
    let rules = SchemaRules(classes: wanted + others)
    for schema in wanted { try rules.check(schema) }
    return (wanted + (reach == .everything ? others : [])).map(rules.completed).filter { schema in
      !existing.contains { $0.id == schema.id && $0 == schema }
    }
  }

  // MARK: Classes of the program

  private func schema(of draft: TableDraft) throws(StoreError) -> TableSchema {
    guard let old = existing.first(where: { $0.isNamed(draft.name) }) else {
      return TableSchema(
        id: 0, name: draft.name,
        columns: draft.columns.enumerated().map { $1.changed(id: UInt16($0), position: $0) },
        isEmbedded: draft.isEmbedded, inverses: draft.inverses, version: version)
    }
    guard reach == .everything else {
      let more = draft.inverses.filter { old.inverse(named: $0.name) == nil }
      return old.changed(inverses: old.inverses + more)
    }
    return try altered(old, draft)
  }

  private func altered(_ old: TableSchema, _ draft: TableDraft) throws(StoreError) -> TableSchema {
    var columns: [ColumnSchema] = []
    var next = Int(old.nextColumn)
    let kept = old.properties.compactMap { column in draft.column(named: column.name) }
    let added = draft.columns.filter { old.stored($0.name) == nil }
    for wanted in kept + added {
      let column = old.stored(wanted.name)
      let keepsRows = column?.keepsRows(as: wanted) == true
      columns.append(
        wanted.changed(
          id: keepsRows ? column?.id : UInt16(truncatingIfNeeded: next), position: columns.count))
      if !keepsRows { next += 1 }
    }
    guard next < Int(UInt16.max) - columns.count - 2 else {
      throw StoreError(
        .full, "class '\(old.name)' was altered too often: it has no column numbers left")
    }
    let hidden = old.columns.filter(\.isHidden).map {
      $0.changed(position: columns.count + $0.position - old.properties.count)
    }
    return old.changed(
      columns: columns + hidden, isEmbedded: draft.isEmbedded, inverses: draft.inverses,
      version: max(old.version, version), nextColumn: UInt16(next))
  }

  /// The class with an index for every property that the program wants one for, or turns round.
  private func indexing(_ schema: TableSchema, _ rules: SchemaRules) -> TableSchema {
    guard schema.id == 0 || reach != .none,
      let draft = drafts.first(where: { $0.name.utf8.elementsEqual(schema.name.utf8) })
    else { return schema }
    let columns = schema.columns.map { column -> ColumnSchema in
      guard !column.isHidden, let wanted = draft.column(named: column.name) else { return column }
      let isTurned = column.type == .link && rules.isTurnedRound(column.name, of: schema.name)
      return column.changed(isIndexed: wanted.isIndexed || isTurned)
    }
    return schema.changed(columns: columns)
  }

  // MARK: Other classes

  /// A class that the program does not have: its links follow where a class of the program becomes embedded, or ceases
  /// to be.
  private func schema(of other: TableSchema, beside fitted: [TableSchema]) -> TableSchema {
    guard reach == .everything else { return other }
    let columns = other.columns.map { column -> ColumnSchema in
      guard column.isLink, let target = fitted.first(where: { $0.isNamed(column.target ?? "") })
      else { return column }
      return column.changed(type: target.isEmbedded ? .embedded : .link)
    }
    return other.changed(columns: columns)
  }
}

extension Schema {
  /// Whether a class of the program wants other indexes or inverse properties than the store has.
  package func needsIndexes(of drafts: [TableDraft]) throws(StoreError) -> Bool {
    try SchemaFitting(existing: tables, drafts, .indexes).schemas().contains { $0.id != 0 }
  }

  /// Whether a class of the program has another form than the store has it in.
  package func needsAltering(to drafts: [TableDraft]) throws(StoreError) -> Bool {
    try SchemaFitting(existing: tables, drafts, .everything).schemas().contains { $0.id != 0 }
  }
}

extension TableSchema {
  /// Whether the class has that name, compared by code point.
  func isNamed(_ other: String) -> Bool { name.utf8.elementsEqual(other.utf8) }

  /// The property of that name in the store.
  func stored(_ name: String) -> ColumnSchema? {
    properties.first { $0.name.utf8.elementsEqual(name.utf8) }
  }
}

extension TableDraft {
  /// The property of that name in the store.
  func column(named name: String) -> ColumnSchema? {
    columns.first { $0.name.utf8.elementsEqual(name.utf8) }
  }
}

extension ColumnSchema {
  /// Whether the rows of the column can stay where they are when it becomes that one.
  func keepsRows(as wanted: ColumnSchema) -> Bool {
    collection == wanted.collection && target == wanted.target
      && (type == wanted.type || (isLink && wanted.isLink))
  }
}
