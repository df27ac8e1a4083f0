import CairnStorage

/// A collection of objects or values with random access, which the store can filter, sort and
/// aggregate. Results, lists, sets and inverse properties are such collections.
///
/// `map` and `filter` with closures are lazy.
public protocol RealmCollection<Element>: RandomAccessCollection, LazyCollectionProtocol,
  CustomStringConvertible, Equatable, ThreadConfined
where Element: RealmCollectionValue, Index == Int {
  /// The realm that the elements are read from; nil for an unmanaged collection.
  var realm: Realm? { get }
  /// Whether the object that owns the collection was deleted.
  var isInvalidated: Bool { get }
  /// The same elements as results; nil for an unmanaged collection.
  var _results: Results<Element>? { get }
}

extension RealmCollection {
  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { count }

  /// The first element.
  public var first: Element? { isEmpty ? nil : self[startIndex] }
  /// The last element.
  public var last: Element? { isEmpty ? nil : self[count - 1] }

  /// The elements at the given indices, without duplicates and in the order of the collection, as
  /// for an `IndexSet`.
  public func objects(at indexes: some Sequence<Int>) -> [Element] {
    Array(indexes).sortedUnique.map { self[$0] }
  }

  /// The collection as results; an unmanaged collection is a programming error.
  var stored: Results<Element> {
    guard let results = _results else {
      programmingError(
        "This method may only be called on \(Self.self) instances retrieved from a Realm.")
    }
    return results
  }
}

extension List: RealmCollection {
  /// The realm of the object that owns the list; nil for an unmanaged list.
  public var realm: Realm? { reference.map { Realm($0.session) } }
  /// Whether the object that owns the list was deleted.
  public var isInvalidated: Bool { reference?.isInvalidated ?? false }
  public var _results: Results<Element>? { reference.map { Results($0) } }

  /// Returns whether both are the list of the same object, or are unmanaged and have equal
  /// elements.
  public static func == (a: List, b: List) -> Bool {
    switch (a.reference, b.reference) {
    case (let x?, let y?): x.isSame(as: y)
    case (nil, nil): a.unmanaged == b.unmanaged
    default: false
    }
  }
}

extension MutableSet: RealmCollection {
  /// The realm of the object that owns the set; nil for an unmanaged set.
  public var realm: Realm? { reference.map { Realm($0.session) } }
  /// Whether the object that owns the set was deleted.
  public var isInvalidated: Bool { reference?.isInvalidated ?? false }
  public var _results: Results<Element>? { reference.map { Results($0) } }

  /// Returns whether both are the set of the same object, or are unmanaged and have equal elements.
  public static func == (a: MutableSet, b: MutableSet) -> Bool {
    switch (a.reference, b.reference) {
    case (let x?, let y?): x.isSame(as: y)
    case (nil, nil): Set(a.unmanaged.keys) == Set(b.unmanaged.keys)
    default: false
    }
  }
}

extension LinkingObjects: RealmCollection {
  /// The realm of the object with the inverse property; nil for an unmanaged object.
  public var realm: Realm? { reference.map { Realm($0.row.handle.session) } }
  /// Whether the object with the inverse property was deleted.
  public var isInvalidated: Bool { reference?.isInvalidated ?? false }
  public var _results: Results<Element>? { reference.map { Results($0) } }

  /// Returns whether both are the same inverse property of the same object.
  public static func == (a: LinkingObjects, b: LinkingObjects) -> Bool {
    guard let x = a.reference, let y = b.reference else { return a === b }
    return x.row.isSame(as: y.row) && x.property == y.property && x.origin === y.origin
  }
}

extension Map: Hashable {
  /// The realm of the object that owns the map; nil for an unmanaged map.
  public var realm: Realm? { reference.map { Realm($0.session) } }
  /// Whether the object that owns the map was deleted.
  public var isInvalidated: Bool { reference?.isInvalidated ?? false }

  /// Returns whether both are the map of the same object, or are unmanaged and have equal entries.
  public static func == (a: Map, b: Map) -> Bool {
    switch (a.reference, b.reference) {
    case (let x?, let y?): x.isSame(as: y)
    case (nil, nil): Array(a) == Array(b)
    default: false
    }
  }

  /// Hashes the map consistently with `==`.
  public func hash(into hasher: inout Hasher) {
    if let reference { reference.hash(into: &hasher) } else { hasher.combine(count) }
  }
}

extension List: Hashable {
  /// Hashes the list consistently with `==`.
  public func hash(into hasher: inout Hasher) {
    if let reference { reference.hash(into: &hasher) } else { hasher.combine(unmanaged) }
  }
}

extension CollectionReference {
  fileprivate func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(row.handle))
    hasher.combine(row.key)
  }
}

/// A type-erased ``RealmCollection``.
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
  let base: any RealmCollection<Element>

  /// Creates a collection that wraps another one.
  public init<C: RealmCollection>(_ base: C) where C.Element == Element {
    self.base = (base as? AnyRealmCollection)?.base ?? base
  }

  /// The realm of the collection, or nil for an unmanaged one.
  public var realm: Realm? { base.realm }

  /// Whether the collection can no longer be read, because its object was deleted or its realm was
  /// invalidated.
  public var isInvalidated: Bool { base.isInvalidated }
  public var _results: Results<Element>? { base._results }

  /// The number of elements.
  public var count: Int { base.count }
  /// The element at an index; an index out of bounds is a programming error.
  public subscript(position: Int) -> Element { base[position] }
  /// The first element.
  public var first: Element? { base.first }
  /// The last element.
  public var last: Element? { base.last }
  /// Returns an iterator of the wrapped collection.
  public func makeIterator() -> AnyIterator<Element> {
    func erased<C: RealmCollection<Element>>(_ base: C) -> AnyIterator<Element> {
      AnyIterator(base.makeIterator())
    }
    return erased(base)
  }
  /// The description of the wrapped collection.
  public var description: String { base.description }

  /// Returns whether both wrap equal collections of the same type.
  public static func == (a: AnyRealmCollection, b: AnyRealmCollection) -> Bool {
    func isEqual<C: RealmCollection>(_ base: C) -> Bool { (b.base as? C) == base }
    return isEqual(a.base)
  }
}
