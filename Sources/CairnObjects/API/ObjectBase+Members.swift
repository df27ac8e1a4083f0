import CairnStorage

extension ObjectBase {
  /// The realm of the object, or nil if the object is unmanaged.
  public final var realm: Realm? { row.map { Realm($0.handle.session) } }

  /// The schema of the class: as the store has it, or as the program declares it while the object
  /// is unmanaged.
  public final var objectSchema: ObjectSchema {
    let layout = self is DynamicObject ? nil : ObjectLayout.of(type(of: self))
    if let row { return ObjectSchema(row.handle.table.schema, layout: layout) }
    let draft = ObjectLayout.of(type(of: self)).draft
    return ObjectSchema(
      TableSchema(
        id: .max, name: draft.name, columns: draft.columns, isEmbedded: draft.isEmbedded,
        inverses: draft.inverses), layout: layout)
  }

  /// Whether the object was deleted. Reading a property of a deleted object is a programming error.
  public final var isInvalidated: Bool {
    guard let row else { return false }
    row.handle.session.checkQuickly()
    row.handle.session.trackLife(row.handle, key: row.key)
    return !row.handle.table.isLive(row.key)
  }

  /// Returns whether both are the same object of the same store, even if they were read through
  /// different realms. An unmanaged object is only the same as itself.
  public final func isSameObject(as other: ObjectBase?) -> Bool {
    guard let other else { return false }
    guard let here = row, let there = other.row else { return self === other }
    return here.key == there.key && here.handle.name == there.handle.name
      && here.handle.session.store.path == there.handle.session.store.path
  }
}

/// Objects with a primary key and frozen objects are equal if they are the same row. Other objects
/// may change while they are in use, so each instance equals only itself; `isSameObject(as:)`
/// compares rows.
extension ObjectBase: Hashable {
  /// Returns whether both are the same instance, or equal according to `isEqual(_:)`.
  public static func == (a: ObjectBase, b: ObjectBase) -> Bool { a === b || a.isEqual(b) }

  /// Hashes `hash`, which equal objects share.
  public final func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  /// Returns whether both are the same row of a class whose objects are compared by row.
  final func isSameComparedRow(as other: ObjectBase) -> Bool {
    isComparedByRow && other.isComparedByRow && isSameObject(as: other)
  }

  /// The hash value of the row, or of the instance.
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

/// Provides objects and projections with an `id` for `Identifiable` that all instances of a row
/// share.
///
///     class Dog: Object, ObjectKeyIdentifiable { … }
///
/// A class that declares its own property `id` uses that instead.
public protocol ObjectKeyIdentifiable: Identifiable {}

extension ObjectKeyIdentifiable where Self: ObjectBase {
  /// An identifier of the object's row, or of the instance while it is unmanaged.
  public var id: UInt64 { rowIdentity }
}

extension ObjectKeyIdentifiable where Self: ProjectionObservable {
  /// The identifier of the projected object.
  public var id: UInt64 { rootObject.rowIdentity }
}

extension ObjectBase {
  /// A bit that is not set in any address of an instance.
  private static let rowBit: UInt64 = 1 << 63

  fileprivate final var rowIdentity: UInt64 {
    guard let row else { return UInt64(UInt(bitPattern: ObjectIdentifier(self))) }
    let table = UInt64(row.handle.table.schema.id)
    return ObjectBase.rowBit | (table & 0x7F_FFFF) << 40 | UInt64(row.key) & 0xFF_FFFF_FFFF
  }
}
