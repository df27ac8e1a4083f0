import CairnStorage
import CairnValues

extension List {
  /// A list of the elements of an array, results or another collection; none for null.
  public static func _from(_ any: Any, _ intake: ValueIntake) throws -> List? {
    guard let elements: [Element] = try intake.elements(any) else { return nil }
    let list = List()
    list.append(objectsIn: elements)
    return list
  }
}

extension MutableSet {
  /// A set of the elements of an array, a set or another collection; none for null.
  public static func _from(_ any: Any, _ intake: ValueIntake) throws -> MutableSet? {
    guard let elements: [Element] = try intake.elements(any) else { return nil }
    let set = MutableSet()
    set.insert(objectsIn: elements)
    return set
  }
}

extension Map {
  /// A map of the entries of a dictionary or another map; none for null.
  public static func _from(_ any: Any, _ intake: ValueIntake) throws -> Map? {
    let map = Map()
    guard let any = Bridge.unwrapped(any) else { return map }
    guard let entries = ValueSource.entries(of: any) else { return nil }
    let present = intake.present
    for (key, any) in entries.sorted(by: { $0.key < $1.key }) {
      intake.present = present[key]
      guard let value: Value = try intake.element(any) else {
        intake.misfit = ValueError.misfit(any, "Under '\(key)'")
        return nil
      }
      map.updateValue(value, forKey: Key(_mapKey: key))
    }
    return map
  }
}

extension AnyRealmValue {
  /// A value of any type that a mixed property can hold; arrays become lists, and dictionaries maps.
  public static func _from(_ any: Any, _ intake: ValueIntake) throws -> AnyRealmValue? {
    if let same = any as? AnyRealmValue { return same }
    guard let any = Bridge.unwrapped(any) else { return AnyRealmValue.none }
    // A mixed value holds no sets.
    if any is any _SetOfValues { return nil }
    if let object = any as? Object {
      return try type(of: object)._from(object, intake).map { .object($0) }
    }
    if ValueSource.entries(of: any) != nil {
      return try Map<String, AnyRealmValue>._from(any, intake).map { .dictionary($0) }
    }
    if let value = Bridge.value(any) {
      if case .point = value { return nil }
      return AnyRealmValue(value)
    }
    return try List<AnyRealmValue>._from(any, intake).map { .list($0) }
  }

  /// What the value holds: a number, a text, an object, a list…; nil for nothing.
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

extension ValueIntake {
  /// The elements of a collection, converted; nil where one does not fit, or it is no collection.
  func elements<Element: RealmCollectionValue>(_ any: Any) throws -> [Element]? {
    guard let any = Bridge.unwrapped(any) else { return [] }
    guard let elements = ValueSource.elements(of: any) else { return nil }
    let present = present
    var converted: [Element] = []
    for (place, any) in elements.enumerated() {
      self.present = present[place]
      guard let element: Element = try element(any) else {
        misfit = ValueError.misfit(any, "At \(place)")
        return nil
      }
      converted.append(element)
    }
    return converted
  }

  /// An element of a collection, converted; nil where it does not fit.
  func element<Element: RealmCollectionValue>(_ any: Any) throws -> Element? {
    guard let type = Element.self as? any _DynamicValue.Type else { return any as? Element }
    return try element(any, as: type)
  }

  private func element<Element, T: _DynamicValue>(_ any: Any, as type: T.Type) throws -> Element? {
    try type._from(any, self).flatMap { $0 as? Element }
  }
}
