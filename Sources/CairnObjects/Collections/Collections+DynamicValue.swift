import CairnStorage
import CairnValues

extension List {
  /// Creates a list from the elements of an array, of results or of another collection; empty for
  /// null.
  public static func _from(_ any: Any, decoder: ValueDecoder) throws -> List? {
    guard let elements: [Element] = try decoder.elements(any) else { return nil }
    let list = List()
    list.append(objectsIn: elements)
    return list
  }
}

extension MutableSet {
  /// Creates a set from the elements of an array, of a set or of another collection; empty for
  /// null.
  public static func _from(_ any: Any, decoder: ValueDecoder) throws -> MutableSet? {
    guard let elements: [Element] = try decoder.elements(any) else { return nil }
    let set = MutableSet()
    set.insert(objectsIn: elements)
    return set
  }
}

extension Map {
  /// Creates a map from the entries of a dictionary or of another map; empty for null.
  public static func _from(_ any: Any, decoder: ValueDecoder) throws -> Map? {
    let map = Map()
    guard let any = Bridge.unwrapped(any) else { return map }
    guard let entries = ValueSource.entries(of: any) else { return nil }
    let existingRows = decoder.existingRows
    for (key, any) in entries.sorted(by: { $0.key < $1.key }) {
      decoder.existingRows = existingRows[key]
      guard let value: Value = try decoder.element(any) else {
        decoder.mismatchReason = InvalidValue.elementMismatch(
          any, subject: "The value for key '\(key)'")
        return nil
      }
      map.updateValue(value, forKey: Key(_mapKey: key))
    }
    return map
  }
}

extension AnyRealmValue {
  /// Creates a value from any type that a mixed property can hold. Arrays become lists, and
  /// dictionaries become maps.
  public static func _from(_ any: Any, decoder: ValueDecoder) throws -> AnyRealmValue? {
    if let same = any as? AnyRealmValue { return same }
    guard let any = Bridge.unwrapped(any) else { return AnyRealmValue.none }
    // A mixed value cannot hold a set.
    if any is any _SetOfValues { return nil }
    if let object = Bridge.object(any) as? Object {
      return try type(of: object)._from(object, decoder: decoder).map { .object($0) }
    }
    if ValueSource.entries(of: any) != nil {
      return try decoder.nested { try Map<String, AnyRealmValue>._from(any, decoder: decoder) }
        .map { .dictionary($0) }
    }
    if let value = Bridge.value(any) {
      switch value {
      // A mixed value cannot hold a location or a geometry.
      case .point, .geometry: return nil
      default: return AnyRealmValue(value)
      }
    }
    return try decoder.nested { try List<AnyRealmValue>._from(any, decoder: decoder) }
      .map { .list($0) }
  }

  /// The content of the value: a number, a string, an object, a list and so on, or nil for null.
  public var _dynamic: Any? {
    switch self {
    case .none: nil
    case .int(let value): value
    case .bool(let value): value
    case .float(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value
    case .object(let value): value
    case .objectId(let value): value
    case .decimal128(let value): value
    case .uuid(let value): value
    case .dictionary(let value): value
    case .list(let value): value
    }
  }
}

extension ValueDecoder {
  /// Converts the elements of a collection. Returns nil if one does not fit or the value is not a
  /// collection.
  func elements<Element: RealmCollectionValue>(_ any: Any) throws -> [Element]? {
    guard let any = Bridge.unwrapped(any) else { return [] }
    guard let elements = ValueSource.elements(of: any) else { return nil }
    let existingRows = existingRows
    var converted: [Element] = []
    for (index, any) in elements.enumerated() {
      self.existingRows = existingRows[index]
      guard let element: Element = try element(any) else {
        mismatchReason = InvalidValue.elementMismatch(any, subject: "The element at \(index)")
        return nil
      }
      converted.append(element)
    }
    return converted
  }

  /// Converts an element of a collection, or returns nil if it does not fit.
  func element<Element: RealmCollectionValue>(_ any: Any) throws -> Element? {
    guard let type = Element.self as? any _DynamicValue.Type else { return any as? Element }
    // A property of a custom type has a default for null, but an element has not.
    if type is any FailableCustomPersistable.Type, Bridge.unwrapped(any) == nil { return nil }
    return try element(any, as: type)
  }

  private func element<Element, T: _DynamicValue>(_ any: Any, as type: T.Type) throws -> Element? {
    try type._from(any, decoder: self).flatMap { $0 as? Element }
  }
}

extension Map: AnyMap {
  var anyEntries: [String: Any] {
    Dictionary(map { ($0.key._mapKey, $0.value as Any) }) { first, _ in first }
  }
}
