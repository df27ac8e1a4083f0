import CairnStorage
import CairnValues

/// A property that holds unique values or objects: `@Persisted var cities: MutableSet<String>`.
///
/// The elements of a set in a realm are sorted by value; an unmanaged set has no defined order.
public final class MutableSet<Element: RealmCollectionValue> {
  /// The reference to the set of a stored object; nil for an unmanaged set.
  private(set) var reference: CollectionReference?
  /// The elements of an unmanaged set.
  var unmanaged = KeyedEntries<Element, Void>(by: nil)

  /// Creates an empty unmanaged set.
  public init() { reference = nil }

  init(at reference: CollectionReference) { self.reference = reference }
}

extension MutableSet {
  /// The number of elements.
  public var count: Int { reference?.elements.count ?? unmanaged.count }

  /// The element at an index; an index out of bounds is a programming error.
  public subscript(position: Int) -> Element {
    guard let elements = reference?.elements else {
      checkIndex(position, below: unmanaged.count)
      return unmanaged.keys[position]
    }
    checkIndex(position, below: elements.count)
    return Element._element(elements, at: position)
  }

  /// Returns an iterator over the present elements.
  public func makeIterator() -> RealmCollectionIterator<Element> {
    reference.map { RealmCollectionIterator($0.settledElements) }
      ?? RealmCollectionIterator(unmanaged.keys)
  }
}

extension MutableSet: _StoredCollection {
  public typealias _QueryElement = Element
  public static var _kind: PropertyKind { kind(of: .set) }
  public static func _at(_ reference: CollectionReference) -> MutableSet {
    MutableSet(at: reference)
  }
  public var _reference: CollectionReference? { reference }

  public func _bind(at row: Row, _ column: Int) -> Bool {
    guard reference == nil else { return false }
    reference = CollectionReference(row, column: column)
    unmanaged.removeAll()
    return true
  }

  public func _packed(for owner: CollectionOwner) -> StoredValue {
    SetDraft(map { $0._element(in: owner) }).stored(Element._kind.type)
  }
}

/// Set queries.
extension MutableSet {
  /// Returns whether the set contains the element. Managed objects are compared by their rows.
  public func contains(_ object: Element) -> Bool {
    guard let reference else { return unmanaged.contains(object) || unmanagedContains(object) }
    return reference.elements.setContains(object)
  }

  /// Whether an unmanaged set contains another instance of the same object.
  private func unmanagedContains(_ element: Element) -> Bool {
    guard let object = element as? ObjectBase, object.row != nil else { return false }
    return unmanaged.keys.contains { ($0 as? ObjectBase)?.isSameObject(as: object) == true }
  }

  /// Returns whether all elements are also in the other set.
  public func isSubset(of possibleSuperset: MutableSet<Element>) -> Bool {
    allSatisfy(possibleSuperset.contains)
  }

  /// Returns whether the sets have an element in common.
  public func intersects(_ otherSet: MutableSet<Element>) -> Bool {
    contains(where: otherSet.contains)
  }
}

/// Mutations. A set in a realm needs a write transaction for them.
extension MutableSet {
  /// Inserts an element; one that is already in the set has no effect.
  public func insert(_ object: Element) { insert(objectsIn: CollectionOfOne(object)) }

  /// Inserts elements.
  public func insert<S: Sequence>(objectsIn objects: S) where S.Element == Element {
    let objects = Array(objects)
    guard let reference else {
      for object in objects { unmanaged.set(object, payload: ()) }
      return
    }
    let stored = reference.stored(objects)
    reference.editSet { draft in
      for element in stored { _ = draft.insert(element) }
    }
  }

  /// Removes an element; an absent one has no effect.
  public func remove(_ object: Element) { remove(all: CollectionOfOne(object)) }

  /// Removes all elements.
  public func removeAll() {
    guard let reference else { return unmanaged.removeAll() }
    reference.editSet { $0.removeAll() }
  }

  /// Inserts the elements of another set.
  public func formUnion(_ other: MutableSet<Element>) { insert(objectsIn: other) }

  /// Removes the elements that are also in another set.
  public func subtract(_ other: MutableSet<Element>) { remove(all: other) }

  /// Removes the elements that are not in another set.
  public func formIntersection(_ other: MutableSet<Element>) {
    remove(all: filter { !other.contains($0) } as [Element])
  }

  private func remove<S: Sequence>(all objects: S) where S.Element == Element {
    let objects = Array(objects)
    guard let reference else {
      for object in objects { unmanaged.remove(object) }
      return
    }
    reference.checkWriting()
    let stored = objects.compactMap { reference.elements.storedElement(for: $0) }
    reference.editSet { draft in
      for element in stored { _ = draft.remove(element) }
    }
  }
}

extension StoredElements {
  /// The stored form of an element that may be among these; nil for an object that cannot be.
  func storedElement<T: RealmCollectionValue>(for element: T) -> StoredElement? {
    if let object = element.linkedObject {
      guard let row = object.row, row.handle.session === session, row.handle.table.isLive(row.key)
      else { return nil }
    }
    return element._element(in: CollectionOwner(session: session, embedding: nil))
  }

  /// Whether a set contains an element.
  func setContains<T: RealmCollectionValue>(_ element: T) -> Bool {
    storedElement(for: element).map { index(inSet: $0) != nil } ?? false
  }

  /// The index of an element in a set, found by binary search; nil if the element is absent.
  func index(inSet element: StoredElement) -> Int? {
    if case .draft(let draft) = content, let set = draft as? SetDraft, !set.contains(element) {
      return nil
    }
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      switch StoredElement.setOrder(self.element(at: middle), to: element) {
      case .equal: return middle
      case .less: low = middle + 1
      case .greater: high = middle
      }
    }
    return nil
  }
}

extension RealmCollectionValue {
  /// The object that the element is or contains.
  var linkedObject: ObjectBase? {
    if let object = self as? ObjectBase { return object }
    if case .object(let object)? = self as? AnyRealmValue { return object }
    return nil
  }
}

/// A collection of unique values.
protocol _SetOfValues {}

extension MutableSet: _SetOfValues {}
