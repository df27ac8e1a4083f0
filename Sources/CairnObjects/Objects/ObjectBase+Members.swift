import CairnStorage

extension ObjectBase {
  /// The realm that the object is in; nil while it is in none.
  public final var realm: Realm? { row.map { Realm($0.handle.session) } }

  /// The class: of the store, or of the program while the object is in no realm.
  public final var objectSchema: ObjectSchema {
    let layout = self is DynamicObject ? nil : ObjectLayout.of(type(of: self))
    if let row { return ObjectSchema(row.handle.table.schema, layout) }
    let draft = ObjectLayout.of(type(of: self)).draft
    return ObjectSchema(
      TableSchema(
        id: .max, name: draft.name, columns: draft.columns, isEmbedded: draft.isEmbedded,
        inverses: draft.inverses), layout)
  }

  /// Whether the object was deleted; such an object is not to be read any more.
  public final var isInvalidated: Bool {
    guard let row else { return false }
    row.handle.session.checkQuickly()
    return !row.handle.table.isLive(row.key)
  }

  /// Whether both are the same object of the same store, whatever realm they were read through; an object in no
  /// realm is only itself.
  public final func isSameObject(as other: ObjectBase?) -> Bool {
    guard let other else { return false }
    guard let here = row, let there = other.row else { return self === other }
    return here.key == there.key && here.handle.name == there.handle.name
      && here.handle.session.store.path == there.handle.session.store.path
  }
}

/// Objects with a primary key, and frozen ones, are equal where they are the same row. Others change while they are
/// looked at, so that each instance is only equal to itself: `isSameObject(as:)` compares rows.
extension ObjectBase: Hashable {
  /// Whether both are the same instance, or equal as `isEqual(_:)` says.
  public static func == (a: ObjectBase, b: ObjectBase) -> Bool { a === b || a.isEqual(b) }

  /// The same for equal objects: `hash`.
  public final func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  /// Whether both are the same row, of a class whose objects are compared by their rows.
  final func isSameComparedRow(as other: ObjectBase) -> Bool {
    isComparedByRow && other.isComparedByRow && isSameObject(as: other)
  }

  /// A number for the row, or for the instance.
  final var identityHash: Int {
    guard let row, isComparedByRow else { return ObjectIdentifier(self).hashValue }
    var hasher = Hasher()
    hasher.combine(row.handle.name)
    hasher.combine(row.key)
    return hasher.finalize()
  }

  private final var isComparedByRow: Bool {
    guard let row else { return false }
    return isFrozen || row.handle.table.schema.primaryKey != nil
  }
}
