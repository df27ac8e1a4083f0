import CairnValues

/// Derives the classes that a store needs from those that it has and those that a program declares.
///
/// A column that can keep its rows keeps its number. New columns come after the existing ones, so
/// that a reader of the old schema finds every property at its old position.
struct SchemaReconciler {
  /// The changes that are allowed to existing classes.
  enum Scope {
    /// No changes.
    case none
    /// Properties that the program also has get its indexes, and its inverse properties are added.
    case indexes
    /// The classes become exactly those of the program, and everything else is removed.
    case everything
  }

  private let existing: [TableSchema]
  private let drafts: [TableDraft]
  private let scope: Scope
  private let version: UInt64

  /// - Parameter version: The program's number for its schema.
  init(
    existing: [TableSchema], _ drafts: [TableDraft], scope: Scope = .none, version: UInt64 = 0
  ) {
    self.existing = existing
    self.drafts = drafts
    self.scope = scope
    self.version = version
  }

  /// Returns the new classes, without a number and in the order of the drafts, and the existing
  /// classes that change.
  ///
  /// - Throws: The first invalid class or property.
  func schemas() throws(StoreError) -> [TableSchema] {
    var fitted: [TableSchema] = []
    for draft in drafts {
      if (fitted + (scope == .none ? existing : [])).contains(where: { $0.isNamed(draft.name) }) {
        throw StoreError(.schemaMismatch, message: "class '\(draft.name)' exists already")
      }
      fitted.append(try schema(of: draft))
    }
    let others = existing.filter { old in !fitted.contains { $0.isNamed(old.name) } }
      .map { schema(of: $0, beside: fitted) }
    let indexed = SchemaValidator(classes: fitted + others)
    let wanted = fitted.map { indexing($0, rules: indexed) }
    let rules = SchemaValidator(classes: wanted + others)
    for schema in wanted { try rules.check(schema) }
    return (wanted + (scope == .everything ? others : [])).map(rules.completed).filter { schema in
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
    guard scope == .everything else {
      let more = draft.inverses.filter { old.inverse(named: $0.name) == nil }
      return old.changed(inverses: old.inverses + more)
    }
    return try altered(old, draft: draft)
  }

  private func altered(_ old: TableSchema, draft: TableDraft) throws(StoreError) -> TableSchema {
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
        .full, message: "class '\(old.name)' was altered too often: it has no column numbers left")
    }
    let hidden = old.columns.filter(\.isHidden).map {
      $0.changed(position: columns.count + $0.position - old.properties.count)
    }
    return old.changed(
      columns: columns + hidden, isEmbedded: draft.isEmbedded, inverses: draft.inverses,
      version: max(old.version, version), nextColumn: UInt16(next))
  }

  /// Returns the class with an index for every property that the program indexes or that an inverse
  /// property reverses.
  private func indexing(_ schema: TableSchema, rules: SchemaValidator) -> TableSchema {
    guard schema.id == 0 || scope != .none,
      let draft = drafts.first(where: { $0.name.hasSameCodePoints(as: schema.name) })
    else { return schema }
    let columns = schema.columns.map { column -> ColumnSchema in
      guard !column.isHidden, let wanted = draft.column(named: column.name) else { return column }
      let isInverted = column.type == .link && rules.hasInverse(column.name, of: schema.name)
      return column.changed(
        isIndexed: wanted.isIndexed || isInverted, isFullText: wanted.isFullText)
    }
    return schema.changed(columns: columns)
  }

  // MARK: Other classes

  /// Returns a class that the program does not have. Its links change type where a class of the
  /// program becomes embedded or stops being embedded.
  private func schema(of other: TableSchema, beside fitted: [TableSchema]) -> TableSchema {
    guard scope == .everything else { return other }
    let columns = other.columns.map { column -> ColumnSchema in
      guard column.isLink, let target = fitted.first(where: { $0.isNamed(column.target ?? "") })
      else { return column }
      return column.changed(type: target.isEmbedded ? .embedded : .link)
    }
    return other.changed(columns: columns)
  }
}

extension StoreSchema {
  /// Returns whether the program wants other indexes or inverse properties than the store has.
  package func needsIndexes(of drafts: [TableDraft]) throws(StoreError) -> Bool {
    try SchemaReconciler(existing: tables, drafts, scope: .indexes).schemas().contains {
      $0.id != 0
    }
  }

  /// Returns whether a class of the program differs from the store's.
  package func needsAltering(to drafts: [TableDraft]) throws(StoreError) -> Bool {
    try SchemaReconciler(existing: tables, drafts, scope: .everything).schemas().contains {
      $0.id != 0
    }
  }
}

extension TableSchema {
  /// Returns whether the class has that name. Names are compared by code point.
  func isNamed(_ other: String) -> Bool { name.hasSameCodePoints(as: other) }

  /// Returns the property of that name in the store.
  func stored(_ name: String) -> ColumnSchema? {
    properties.first { $0.name.hasSameCodePoints(as: name) }
  }
}

extension TableDraft {
  /// Returns the property of that name in the store.
  func column(named name: String) -> ColumnSchema? {
    columns.first { $0.name.hasSameCodePoints(as: name) }
  }
}

extension ColumnSchema {
  /// Returns whether the stored rows can be kept when the column becomes `wanted`.
  func keepsRows(as wanted: ColumnSchema) -> Bool {
    collection == wanted.collection && target == wanted.target
      && (type == wanted.type || (isLink && wanted.isLink)
        || (type.isGeometry && wanted.type == .geometry))
  }
}
