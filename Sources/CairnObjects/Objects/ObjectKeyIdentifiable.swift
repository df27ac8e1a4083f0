import CairnStorage

/// Gives objects and projections an `id` for `Identifiable`: the same for all instances of one row.
///
///     class Dog: Object, ObjectKeyIdentifiable { … }
///
/// A class with a property `id` of its own is identified by that.
public protocol ObjectKeyIdentifiable: Identifiable {}

extension ObjectKeyIdentifiable where Self: ObjectBase {
  /// A number for the object: that of its row, or of the instance while it is in no realm.
  public var id: UInt64 { rowIdentity }
}

extension ObjectKeyIdentifiable where Self: ProjectionObservable {
  /// The number of the object that is shown.
  public var id: UInt64 { rootObject.rowIdentity }
}

extension ObjectBase {
  /// The bit that no address of an instance has.
  private static let rowBit: UInt64 = 1 << 63

  fileprivate final var rowIdentity: UInt64 {
    guard let row else { return UInt64(UInt(bitPattern: ObjectIdentifier(self))) }
    let table = UInt64(row.handle.table.schema.id)
    return ObjectBase.rowBit | (table & 0x7F_FFFF) << 40 | UInt64(row.key) & 0xFF_FFFF_FFFF
  }
}
