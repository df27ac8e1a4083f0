import CairnStorage
import CairnValues

/// A property that holds values or objects under texts: `@Persisted var parks: Map<String, String>`.
///
/// Its entries stand in the order of the UTF-8 bytes of their keys. What leads to an object that is deleted
/// reads as null.
public final class Map<Key: _MapKey, Value: RealmCollectionValue> {
  /// Where the map of a stored object stands; nil while it is in no realm.
  private(set) var place: CollectionPlace?
  /// The entries while it is in no realm.
  var loose = KeyedEntries<MapKey, Value>(by: MapKey.order)

  /// An empty map that is in no realm.
  public init() { place = nil }

  init(at place: CollectionPlace) { self.place = place }
}

/// What the keys of a map are: texts.
public protocol _MapKey: Hashable {
  init(_mapKey: String)
  var _mapKey: String { get }
}

extension String: _MapKey {
  public init(_mapKey: String) { self = _mapKey }
  public var _mapKey: String { self }
}

extension Map {
  /// How many entries there are.
  public var count: Int { place?.elements.count ?? loose.count }

  /// Whether there is no entry.
  public var isEmpty: Bool { count == 0 }

  /// What stands under a key; nil when nothing does. Setting nil removes the key.
  public subscript(key: Key) -> Value? {
    get {
      guard let elements = place?.elements else {
        return loose.anyPlace(of: MapKey(key._mapKey)).map { loose.payloads[$0] }
      }
      guard let place = elements.place(ofKey: key._mapKey) else { return nil }
      return Value._presentElement(elements, place)
    }
    set {
      if let newValue { updateValue(newValue, forKey: key) } else { removeObject(for: key) }
    }
  }

  /// The keys, in their order.
  public var keys: [Key] {
    guard let elements = place?.elements else {
      loose.settle()
      return loose.keys.map { Key(_mapKey: $0.text) }
    }
    return (0..<elements.count).map { Key(_mapKey: elements.key(at: $0)) }
  }

  /// The values, in the order of the keys.
  public var values: [Value] { map(\.value) }
}

/// One entry of a map.
public struct SingleMapEntry<Key: _MapKey, Value: RealmCollectionValue> {
  /// The key.
  public let key: Key
  /// What stands under it.
  public let value: Value
}

extension SingleMapEntry: Hashable {}

extension Map: Sequence {
  /// The entries of this moment, one after the other.
  public func makeIterator() -> MapIterator<Key, Value> { MapIterator(self) }
}

/// Goes through the entries of a map as they were when it began.
public struct MapIterator<Key: _MapKey, Value: RealmCollectionValue>: IteratorProtocol {
  private var keys: IndexingIterator<[Key]>
  private let stored: StoredElements?
  private let loose: [Value]
  private var place = 0

  init(_ map: Map<Key, Value>) {
    keys = map.keys.makeIterator()
    stored = map.place?.settledElements
    loose = map.loose.payloads
  }

  /// The next entry.
  public mutating func next() -> SingleMapEntry<Key, Value>? {
    while let key = keys.next() {
      defer { place += 1 }
      guard let stored else { return SingleMapEntry(key: key, value: loose[place]) }
      if let value = Value._presentElement(stored, place) {
        return SingleMapEntry(key: key, value: value)
      }
    }
    return nil
  }
}

extension Map: _StoredCollection, _QueryMap {
  public typealias _QueryElement = Value
  public static var _kind: PropertyKind { kind(of: .map) }
  public static func _at(_ place: CollectionPlace) -> Map { Map(at: place) }
  public var _place: CollectionPlace? { place }

  public func _settle(at row: Row, _ column: Int) -> Bool {
    guard place == nil else { return false }
    place = CollectionPlace(row, column)
    loose.removeAll()
    return true
  }

  public func _newcomers(among present: StoredElements) -> [(object: ObjectBase, place: Int)] {
    compactMap { entry in
      guard let object = entry.value as? ObjectBase, object.row == nil else { return nil }
      return present.place(ofKey: entry.key._mapKey).map { (object, $0) }
    }
  }

  public func _packed(for owner: CollectionOwner) -> StoredValue {
    let entries = Array(self)
    return MapDraft(
      entries.map { MapKey($0.key._mapKey) }, entries.map { $0.value._element(in: owner) }
    ).stored(Value._kind.type)
  }
}

extension RealmCollectionValue {
  /// The element at a place; nil where it leads to an object that was deleted, and cannot say so itself.
  static func _presentElement(_ elements: StoredElements, _ place: Int) -> Self? {
    if _kind.target != nil, !_kind.isOptional || self is ObjectBase.Type,
      elements.row(at: place) == nil
    {
      return nil
    }
    return _element(elements, place)
  }
}
