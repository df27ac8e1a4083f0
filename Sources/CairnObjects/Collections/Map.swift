import CairnStorage
import CairnValues

/// A property that maps strings to values or objects: `@Persisted var parks: Map<String, String>`.
///
/// Its entries are sorted by the UTF-8 bytes of their keys. A link to a deleted object reads as
/// null.
public final class Map<Key: _MapKey, Value: RealmCollectionValue> {
  /// The reference to the map of a stored object; nil for an unmanaged map.
  private(set) var reference: CollectionReference?
  /// The entries of an unmanaged map.
  var unmanaged = KeyedEntries<MapKey, Value>(by: MapKey.order)

  /// Creates an empty unmanaged map.
  public init() { reference = nil }

  init(at reference: CollectionReference) { self.reference = reference }
}

/// The requirement for the keys of a map: they are strings.
public protocol _MapKey: Hashable {
  init(_mapKey: String)
  var _mapKey: String { get }
}

extension String: _MapKey {
  public init(_mapKey: String) { self = _mapKey }
  public var _mapKey: String { self }
}

extension Map {
  /// The number of entries.
  public var count: Int { reference?.elements.count ?? unmanaged.count }

  /// Whether the map has no entries.
  public var isEmpty: Bool { count == 0 }

  /// The value of a key; nil if the key is absent. Setting nil removes the key.
  public subscript(key: Key) -> Value? {
    get {
      guard let elements = reference?.elements else {
        return unmanaged.index(of: MapKey(key._mapKey)).map { unmanaged.payloads[$0] }
      }
      guard let index = elements.index(ofKey: key._mapKey) else { return nil }
      return Value._presentElement(elements, at: index)
    }
    set {
      if let newValue { updateValue(newValue, forKey: key) } else { removeObject(for: key) }
    }
  }

  /// The keys in sorted order.
  public var keys: [Key] {
    guard let elements = reference?.elements else {
      unmanaged.sort()
      return unmanaged.keys.map { Key(_mapKey: $0.text) }
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
  /// The value of the key.
  public let value: Value
}

extension SingleMapEntry: Hashable {}

extension Map: Sequence {
  /// Returns an iterator over the present entries.
  public func makeIterator() -> MapIterator<Key, Value> { MapIterator(self) }
}

/// An iterator over the entries that a map had when the iteration began.
public struct MapIterator<Key: _MapKey, Value: RealmCollectionValue>: IteratorProtocol {
  private var keys: IndexingIterator<[Key]>
  private let stored: StoredElements?
  private let unmanaged: [Value]
  private var index = 0

  init(_ map: Map<Key, Value>) {
    keys = map.keys.makeIterator()
    stored = map.reference?.settledElements
    unmanaged = map.unmanaged.payloads
  }

  /// The next entry.
  public mutating func next() -> SingleMapEntry<Key, Value>? {
    while let key = keys.next() {
      defer { index += 1 }
      guard let stored else { return SingleMapEntry(key: key, value: unmanaged[index]) }
      if let value = Value._presentElement(stored, at: index) {
        return SingleMapEntry(key: key, value: value)
      }
    }
    return nil
  }
}

extension Map: _StoredCollection, _QueryMap {
  public typealias _QueryElement = Value
  public static var _kind: PropertyKind { kind(of: .map) }
  public static func _at(_ reference: CollectionReference) -> Map { Map(at: reference) }
  public var _reference: CollectionReference? { reference }

  public func _bind(at row: Row, _ column: Int) -> Bool {
    guard reference == nil else { return false }
    reference = CollectionReference(row, column: column)
    unmanaged.removeAll()
    return true
  }

  public func _newcomers(among present: StoredElements) -> [(object: ObjectBase, index: Int)] {
    compactMap { entry in
      guard let object = entry.value as? ObjectBase, object.row == nil else { return nil }
      return present.index(ofKey: entry.key._mapKey).map { (object, $0) }
    }
  }

  public func _packed(for owner: CollectionOwner) -> StoredValue {
    let entries = Array(self)
    return MapDraft(
      entries.map { MapKey($0.key._mapKey) }, elements: entries.map { $0.value._element(in: owner) }
    ).stored(Value._kind.type)
  }
}

extension RealmCollectionValue {
  /// The element at an index; nil if it leads to a deleted object and its type cannot represent
  /// null.
  static func _presentElement(_ elements: StoredElements, at index: Int) -> Self? {
    if _kind.target != nil, !_kind.isOptional || self is ObjectBase.Type,
      elements.row(at: index) == nil
    {
      return nil
    }
    return _element(elements, at: index)
  }
}

/// Mutations. A map in a realm needs a write transaction for them.
extension Map {
  /// Sets the value of a key, replacing the old one.
  public func updateValue(_ value: Value, forKey key: Key) {
    let key = MapKey(key._mapKey)
    guard let reference else {
      unmanaged.set(key, payload: value)
      return
    }
    let stored = reference.stored([value])[0]
    reference.editMap { draft in
      if let old = draft.set(key, element: stored) { reference.removeEmbedded([old]) }
    }
  }

  /// Merges a sequence of keys and values into the map; `combine` decides between the values of a
  /// key that exists in both.
  public func merge<S: Sequence>(
    _ other: S, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows where S.Element == (key: Key, value: Value) {
    for (key, value) in other {
      if let old = self[key] {
        updateValue(try combine(old, value), forKey: key)
      } else {
        updateValue(value, forKey: key)
      }
    }
  }

  /// Merges another map into the map; `combine` decides between the values of a key that exists in
  /// both.
  public func merge(
    _ other: Map<Key, Value>, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows {
    try merge(other.asKeyValueSequence(), uniquingKeysWith: combine)
  }

  /// Removes a key and its value; an absent key has no effect.
  public func removeObject(for key: Key) {
    let key = MapKey(key._mapKey)
    guard let reference else {
      unmanaged.remove(key)
      return
    }
    reference.editMap { draft in
      if let old = draft.remove(key) { reference.removeEmbedded([old]) }
    }
  }

  /// Removes a key and its value; an absent key has no effect.
  public func setNil(for key: Key) { removeObject(for: key) }

  /// Removes all entries.
  public func removeAll() {
    guard let reference else { return unmanaged.removeAll() }
    reference.editMap { draft in
      let old = draft.elements
      draft.removeAll()
      reference.removeEmbedded(old)
    }
  }

  /// The entries as pairs of key and value.
  public func asKeyValueSequence() -> [(key: Key, value: Value)] {
    map { (key: $0.key, value: $0.value) }
  }
}

/// Access to entries by name, with values of any type.
extension Map {
  /// The value of a key; nil if the key is absent.
  public func value(forKey key: String) -> Any? {
    self[Key(_mapKey: key)].flatMap { Bridge.unwrapped(($0 as? any _DynamicValue)?._dynamic ?? $0) }
  }

  /// Sets the value of a key to a value of any type, or removes the key for nil. A value that does
  /// not fit is a programming error.
  public func setValue(_ value: Any?, forKey key: String) {
    let key = Key(_mapKey: key)
    guard let any = value else { return removeObject(for: key) }
    let decoder = ValueDecoder(reference?.session)
    let converted: Value? = orFatal { try decoder.element(any) }
    guard let converted else {
      programmingError(
        "Invalid value '\(any)' of type '\(type(of: any))' for '\(Value.self)' values of a map.")
    }
    updateValue(converted, forKey: key)
  }
}
