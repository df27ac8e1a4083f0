import CairnStorage

/// What results, lists, sets and inverse properties are alike in: collections of objects or values with random
/// access, which can be filtered, ordered and added up by the store. `map` and `filter` with closures are lazy.
public protocol RealmCollection<Element>: RandomAccessCollection, LazyCollectionProtocol,
  CustomStringConvertible, Equatable, ThreadConfined
where Element: RealmCollectionValue, Index == Int {
  /// The realm that the elements are read from; nil for a collection that is in none.
  var realm: Realm? { get }
  /// Whether the object that the collection belongs to was deleted.
  var isInvalidated: Bool { get }
  /// The same elements as results; of a collection in no realm there are none.
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

  /// The elements at some places, in the order of the collection, each once, as an `IndexSet` has them.
  public func objects(at places: some Sequence<Int>) -> [Element] {
    Array(places).risingOnce.map { self[$0] }
  }

  /// The collection as results; one that is in no realm cannot be asked.
  var stored: Results<Element> {
    guard let results = _results else {
      programmingError(
        "This method may only be called on \(Self.self) instances retrieved from a Realm.")
    }
    return results
  }
}

extension List: RealmCollection {
  /// The realm of the object that the list belongs to.
  public var realm: Realm? { place.map { Realm($0.session) } }
  /// Whether that object was deleted.
  public var isInvalidated: Bool { place?.isInvalidated ?? false }
  public var _results: Results<Element>? { place.map { Results($0) } }

  /// Whether both are the list of the same object, or hold equal elements in no realm.
  public static func == (a: List, b: List) -> Bool {
    switch (a.place, b.place) {
    case (let x?, let y?): x.isSame(as: y)
    case (nil, nil): a.loose == b.loose
    default: false
    }
  }
}

extension MutableSet: RealmCollection {
  /// The realm of the object that the set belongs to.
  public var realm: Realm? { place.map { Realm($0.session) } }
  /// Whether that object was deleted.
  public var isInvalidated: Bool { place?.isInvalidated ?? false }
  public var _results: Results<Element>? { place.map { Results($0) } }

  /// Whether both are the set of the same object, or hold equal elements in no realm.
  public static func == (a: MutableSet, b: MutableSet) -> Bool {
    switch (a.place, b.place) {
    case (let x?, let y?): x.isSame(as: y)
    case (nil, nil): Set(a.loose.keys) == Set(b.loose.keys)
    default: false
    }
  }
}

extension LinkingObjects: RealmCollection {
  /// The realm of the object that is led to.
  public var realm: Realm? { place.map { Realm($0.row.handle.session) } }
  /// Whether that object was deleted.
  public var isInvalidated: Bool { place?.isInvalidated ?? false }
  public var _results: Results<Element>? { place.map { Results($0) } }

  /// Whether both are of the same object.
  public static func == (a: LinkingObjects, b: LinkingObjects) -> Bool {
    guard let x = a.place, let y = b.place else { return a === b }
    return x.row.isSame(as: y.row) && x.property == y.property && x.origin === y.origin
  }
}

extension Map: Hashable {
  /// The realm of the object that the map belongs to.
  public var realm: Realm? { place.map { Realm($0.session) } }
  /// Whether that object was deleted.
  public var isInvalidated: Bool { place?.isInvalidated ?? false }

  /// Whether both are the map of the same object, or hold equal entries in no realm.
  public static func == (a: Map, b: Map) -> Bool {
    switch (a.place, b.place) {
    case (let x?, let y?): x.isSame(as: y)
    case (nil, nil): Array(a) == Array(b)
    default: false
    }
  }

  /// The same for equal maps.
  public func hash(into hasher: inout Hasher) {
    if let place { place.hash(into: &hasher) } else { hasher.combine(count) }
  }
}

extension List: Hashable {
  /// The same for equal lists.
  public func hash(into hasher: inout Hasher) {
    if let place { place.hash(into: &hasher) } else { hasher.combine(loose) }
  }
}

extension CollectionPlace {
  fileprivate func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(row.handle))
    hasher.combine(row.key)
  }
}
