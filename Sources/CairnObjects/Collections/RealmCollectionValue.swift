/// What results and collections hold: objects, and the values that a property can hold.
public protocol RealmCollectionValue: Hashable {
  /// How such elements are stored.
  static var _kind: PropertyKind { get }
  /// The element that stands for an object; Cairn alone calls it, for classes of objects.
  static func _object(at row: Row) -> Self
  /// One of the elements of a stored collection.
  static func _element(_ elements: StoredElements, _ place: Int) -> Self
  /// What is stored for the element in a collection of that owner.
  func _element(in owner: CollectionOwner) -> StoredElement
}

extension RealmCollectionValue {
  public static func _object(at row: Row) -> Self {
    programmingError("\(Self.self) is no class of objects.")
  }
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
