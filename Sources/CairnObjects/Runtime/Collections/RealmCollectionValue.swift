import CairnStorage
import CairnValues

/// A type that results and collections can hold: objects, and the values that a property can hold.
public protocol RealmCollectionValue: Hashable {
  /// The stored type: the type itself, except for enumerations and custom types.
  associatedtype PersistedType = Self
  /// The storage type of such elements.
  static var _kind: PropertyKind { get }
  /// Returns the object of a row. Only Cairn calls it, and only for classes of objects.
  static func _object(at row: Row) -> Self
  /// Returns an element of a stored collection.
  static func _element(_ elements: StoredElements, at index: Int) -> Self
  /// Returns the stored form of the element in a collection of the owner.
  func _element(in owner: CollectionOwner) -> StoredElement
}

extension RealmCollectionValue {
  public static func _object(at row: Row) -> Self {
    programmingError("\(Self.self) is not a class of objects.")
  }
}

extension _Scalar {
  public static func _element(_ elements: StoredElements, at index: Int) -> Self {
    Self(_stored: StoredValue(elements.value(at: index))) ?? _valueForNull()
  }

  public func _element(in owner: CollectionOwner) -> StoredElement { StoredElement(_stored.value) }
}

extension _StoredInteger {
  public static func _element(_ elements: StoredElements, at index: Int) -> Self {
    if case .packed(let collection) = elements.content { return fitting(collection.int(at: index)) }
    return Self(_stored: StoredValue(elements.value(at: index))) ?? 0
  }
}

extension Double {
  public static func _element(_ elements: StoredElements, at index: Int) -> Double {
    if case .packed(let collection) = elements.content { return collection.double(at: index) }
    return Double(_stored: StoredValue(elements.value(at: index))) ?? 0
  }
}

extension FailableCustomPersistable {
  public static func _element(_ elements: StoredElements, at index: Int) -> Self {
    let stored = PersistedType._element(elements, at: index)
    guard let value = Self(persistedValue: stored) else {
      programmingError("Failed to convert persisted value '\(stored)' to type '\(Self.self)'.")
    }
    return value
  }

  public func _element(in owner: CollectionOwner) -> StoredElement {
    persistableValue._element(in: owner)
  }
}

extension Optional: RealmCollectionValue
where Wrapped: RealmCollectionValue & _PersistableInOptional {
  public static func _object(at row: Row) -> Wrapped? { Wrapped._object(at: row) }

  public static func _element(_ elements: StoredElements, at index: Int) -> Wrapped? {
    elements.isNull(at: index) ? nil : Wrapped._element(elements, at: index)
  }

  public func _element(in owner: CollectionOwner) -> StoredElement {
    self?._element(in: owner) ?? .null
  }
}

extension ObjectBase {
  public static func _element(_ elements: StoredElements, at index: Int) -> Self {
    guard let row = elements.row(at: index) else {
      programmingError("Object has been deleted or invalidated.")
    }
    return instance(at: row)
  }

  public final func _element(in owner: CollectionOwner) -> StoredElement {
    StoredElement(.int(Int64(owner.adopt(self).key)))
  }
}

extension StoredElements {
  /// Whether the element at an index is null, or leads to a deleted object.
  func isNull(at index: Int) -> Bool {
    target == nil ? element(at: index).isNull : row(at: index) == nil
  }
}

/// The owner for which the elements of a collection are stored.
public struct CollectionOwner {
  /// Nil while values without links are encoded.
  let session: Session?
  /// The owner of embedded objects in the collection.
  let embedding: Owner?
  /// Whether embedded objects that the owner already has may be kept, because the whole collection
  /// is written at once.
  var keepsItsOwn = false
  /// The number of lists and maps in a mixed value that surround the elements.
  private var nesting = 0

  init(session: Session?, embedding: Owner?, nesting: Int = 0) {
    self.session = session
    self.embedding = embedding
    self.nesting = nesting
  }

  init(_ row: Row, column: ColumnSchema) {
    session = row.handle.session
    embedding =
      column.type == .embedded
      ? Owner(table: row.handle.table.schema.id, column: column.id, key: row.key) : nil
  }

  /// The owner of values without links.
  static var none: CollectionOwner { CollectionOwner(session: nil, embedding: nil) }

  /// The owner of the elements of a list or map that is an element itself.
  var ofNested: CollectionOwner {
    guard nesting < CairnStorage.Element.maxNesting else { programmingError(InvalidValue.tooDeep) }
    var owner = self
    owner.nesting += 1
    return owner
  }

  /// The row of an object, which is added first if it is not in a store.
  func adopt(_ object: ObjectBase) -> Row {
    guard let session else { programmingError("The object is not in a realm.") }
    if let row = object.row {
      row.handle.checkLive(row.key)
      if object is EmbeddedObject, !isItsOwn(row) {
        programmingError("Cannot add an existing managed embedded object to a List.")
      }
    }
    return session.adopt(object, owner: embedding)
  }

  private func isItsOwn(_ row: Row) -> Bool {
    keepsItsOwn && row.handle.session === session && embedding != nil
      && row.handle.table.owner(of: row.key) == embedding
  }
}

/// A type whose values are stored as values of another type: an enumeration or a custom type.
public protocol _MappedValue: _Persistable, _PersistableInOptional, RealmCollectionValue {}
