import CairnStorage
import CairnValues

extension _Scalar {
  public static func _element(_ elements: StoredElements, _ place: Int) -> Self {
    Self(_stored: StoredValue(elements.value(at: place))) ?? _blank()
  }

  public func _element(in owner: CollectionOwner) -> StoredElement { StoredElement(_stored.value) }
}

extension _StoredInteger {
  public static func _element(_ elements: StoredElements, _ place: Int) -> Self {
    if case .packed(let collection) = elements.content { return fitting(collection.int(at: place)) }
    return Self(_stored: StoredValue(elements.value(at: place))) ?? 0
  }
}

extension Double {
  public static func _element(_ elements: StoredElements, _ place: Int) -> Double {
    if case .packed(let collection) = elements.content { return collection.double(at: place) }
    return Double(_stored: StoredValue(elements.value(at: place))) ?? 0
  }
}

extension FailableCustomPersistable {
  public static func _element(_ elements: StoredElements, _ place: Int) -> Self {
    let stored = PersistedType._element(elements, place)
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

  public static func _element(_ elements: StoredElements, _ place: Int) -> Wrapped? {
    elements.isNull(at: place) ? nil : Wrapped._element(elements, place)
  }

  public func _element(in owner: CollectionOwner) -> StoredElement {
    self?._element(in: owner) ?? .null
  }
}

extension ObjectBase {
  public static func _element(_ elements: StoredElements, _ place: Int) -> Self {
    guard let row = elements.row(at: place) else {
      programmingError("Object has been deleted or invalidated.")
    }
    return standing(at: row)
  }

  public final func _element(in owner: CollectionOwner) -> StoredElement {
    StoredElement(.int(Int64(owner.adopt(self).key)))
  }
}

extension Projection {
  public static var _kind: PropertyKind { Root._kind }

  public static func _element(_ elements: StoredElements, _ place: Int) -> Self {
    self.init(projecting: Root._element(elements, place))
  }

  public func _element(in owner: CollectionOwner) -> StoredElement {
    rootObject._element(in: owner)
  }
}

extension StoredElements {
  /// Whether there is nothing at a place, or an object that was deleted.
  func isNull(at place: Int) -> Bool {
    target == nil ? element(at: place).isNull : row(at: place) == nil
  }
}
