import CairnGeometry
import CairnQuery
import CairnStorage
import CairnValues

extension RealmCollection {
  /// The first index of an object or a value; nil if it is absent. Objects are compared by their
  /// rows.
  public func index(of object: Element) -> Int? {
    guard let results = _results else { return unmanagedIndex(of: object) }
    switch results.content {
    case .objects(let found): return found.index(of: object as? ObjectBase)
    case .values(let values):
      let elements = values.elements
      guard let wanted = elements.storedElement(for: object) else { return nil }
      if values.isSet { return elements.index(inSet: wanted) }
      return (0..<elements.count).first { elements.element(at: $0) == wanted }
    }
  }

  private func unmanagedIndex(of object: Element) -> Int? {
    indices.first { index in
      guard let wanted = object as? ObjectBase, let present = self[index] as? ObjectBase else {
        return self[index] == object
      }
      return present.isSameObject(as: wanted)
    }
  }

  /// The customization point of `firstIndex(of:)`.
  public func _customIndexOfEquatableElement(_ element: Element) -> Int?? {
    .some(index(of: element))
  }

  /// The customization point of `contains(_:)`.
  public func _customContainsEquatableElement(_ element: Element) -> Bool? {
    index(of: element) != nil
  }
}

extension ValueResultCache {
  /// Whether the values are exactly those of a set, without filters.
  fileprivate var isSet: Bool { reference.kind == .set && steps.isEmpty }
}

extension ResultCache {
  /// The first index of an object.
  func index(of object: ObjectBase?) -> Int? {
    guard let row = object?.row, row.handle === handle else { return nil }
    return index(of: row.key)
  }
}

extension RealmCollection where Element: _Persistable {
  /// The first index of a value that satisfies the condition; nil if no value does.
  ///
  ///     scores.index(matching: { $0 > 5 })
  ///
  /// - Complexity: O(n) in the number of values.
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    if Element._kind.target != nil {
      programmingError(
        "Values of type '\(Element.self)' are stored as objects; index(matching:) compares values.")
    }
    var path = QueryPath()
    path.append(.property(Predicate.valueName))
    let session = realm?.session
    let predicate = isIncluded(Query(.subject(.path(path)), in: session)).predicate
    return orFatal { try firstIndex(ofValueMeeting: predicate) }
  }
}

extension RealmCollection {
  /// The first index of a value that satisfies a condition on `SELF`.
  ///
  /// - Throws: ``PredicateError`` if the condition needs more than a value.
  func firstIndex(ofValueMeeting predicate: Predicate) throws -> Int? {
    let test = try predicate.valueTest(isMixed: Element._kind.type == .mixed)
    let session = realm?.session
    // Counts along, so that the index is that of the loop's beginning even if the collection
    // changes.
    for (index, element) in enumerated()
    where test(QueryConstant.value(of: element, in: session) ?? .null) {
      return index
    }
    return nil
  }
}

/// Predicates on unmanaged collections, evaluated on the objects themselves, one by one.
enum UnmanagedMatching {
  /// The first index of an object that satisfies a predicate.
  ///
  /// - Throws: ``PredicateError``, with its position, if the predicate does not fit the class.
  static func index<C: RealmCollection>(
    in collection: C, _ predicate: Predicate
  ) throws -> Int? {
    guard let type = C.Element._kind.target else { return nil }
    let classes = StoreSchema(ObjectLayout.of(type))
    guard let table = classes.table(named: ObjectLayout.of(type).className) else { return nil }
    let bound = try predicate.resolved(for: C.Element.self).bound(to: table, in: classes)
    return collection.indices.first { index in
      object(collection[index]).map { bound.holds(for: $0) } ?? false
    }
  }

  private static func object(_ any: Any) -> ObjectBase? {
    switch Bridge.unwrapped(any) {
    case let object as ObjectBase: object
    case let projection as any ProjectionObservable: projection.rootObject
    default: nil
    }
  }
}

extension StoreSchema {
  /// Creates the schema of a class of the program and of everything that it leads to, outside of
  /// any store.
  fileprivate init(_ layout: ObjectLayout) {
    let drafts = layout.reachable.map(\.draft)
    self.init(
      tables: drafts.enumerated().map { TableSchema($1, id: UInt32($0)) })
  }
}

extension ObjectBase: UnmanagedObject {
  package final func item(_ property: String) -> UnmanagedItem? {
    if let dynamic = self as? DynamicObject { return UnmanagedItem(dynamic[property]) }
    let layout = ObjectLayout.of(type(of: self))
    guard
      let found = layout.property(named: property)
        ?? layout.properties.first(where: { $0.columnName == property })
    else { return nil }
    if found.isMissing(in: self) { return .value(.null) }
    return UnmanagedItem(found.wrapper.read(found.pointer(in: self), row: row))
  }

  package final var describedPosition: Position? {
    guard self is EmbeddedObject, case .value(.string(let type))? = item("type"),
      case .list(let coordinates)? = item("coordinates"), type.lowercased() == "point"
    else { return nil }
    let numbers = coordinates.compactMap { item -> Double? in
      if case .value(.double(let number)) = item { number } else { nil }
    }
    guard numbers.count >= 2 else { return nil }
    let point = GeoPoint(latitude: numbers[1], longitude: numbers[0])
    return point.map { Position($0) }
  }
}

extension UnmanagedItem {
  /// Creates an item from the value of a property.
  init(_ any: Any?) {
    switch Bridge.unwrapped(any) {
    case nil: self = .value(.null)
    case let object as ObjectBase: self = .object(object)
    case let mixed as AnyRealmValue: self.init(mixed)
    case let custom as any FailableCustomPersistable: self.init(custom.persistableValue)
    case let scalar as any _Scalar: self = .value(scalar._stored.value)
    case let map as any AnyMap:
      self = .map(
        map.anyEntries.sorted { $0.key < $1.key }.map { ($0.key, UnmanagedItem($0.value)) })
    case let any?:
      self =
        (ValueSource.elements(of: any)).map { .list($0.map { UnmanagedItem($0) }) } ?? .value(.null)
    }
  }

  private init(_ mixed: AnyRealmValue) {
    switch mixed {
    case .object(let object): self = .object(object)
    case .list(let list): self = .mixed(.list(list.map { UnmanagedItem($0) }))
    case .dictionary(let map):
      self = .mixed(.map(map.map { (key: $0.key, value: UnmanagedItem($0.value)) }))
    default: self = .value(mixed._element(in: .none).value)
    }
  }
}
