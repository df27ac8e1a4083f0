/// What results and collections hold: objects, and the values that a property can hold.
public protocol RealmCollectionValue {
  /// The element that stands for an object; Cairn alone calls it, for classes of objects.
  static func _object(at row: Row) -> Self
}

/// A row of a class in an open store.
public struct Row {
  @usableFromInline let handle: ClassHandle
  @usableFromInline let key: Int

  @usableFromInline init(handle: ClassHandle, key: Int) {
    self.handle = handle
    self.key = key
  }
}
