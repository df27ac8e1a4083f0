import CairnGeometry
import CairnQuery
import CairnStorage
import CairnValues

/// Conditions on collections in no realm: asked of the objects themselves, one by one.
enum LooseMatching {
  /// The first place of an object that meets a condition.
  ///
  /// - Throws: `PredicateError` with the place, where the class cannot be asked this.
  static func index<C: RealmCollection>(
    in collection: C, _ predicate: Predicate
  ) throws -> Int? {
    guard let type = C.Element._kind.target else {
      programmingError("Querying is currently only implemented for arrays of Realm Objects")
    }
    let classes = CairnStorage.Schema(ObjectLayout.of(type))
    guard let table = classes.table(named: ObjectLayout.of(type).className) else { return nil }
    let bound = try predicate.asked(of: C.Element.self).bound(to: table, in: classes)
    return collection.indices.first { place in
      object(collection[place]).map { bound.holds(for: $0) } ?? false
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

extension CairnStorage.Schema {
  /// A class of the program and all that it leads to, in no store.
  fileprivate init(_ layout: ObjectLayout) {
    let drafts = layout.reachable.map(\.draft)
    self.init(
      tables: drafts.enumerated().map { number, draft in
        TableSchema(
          id: UInt32(number), name: draft.name, columns: draft.columns,
          isEmbedded: draft.isEmbedded, inverses: draft.inverses, aliases: draft.aliases)
      })
  }
}

extension ObjectBase: LooseObject {
  package final func item(_ property: String) -> LooseItem? {
    if let dynamic = self as? DynamicObject { return LooseItem(dynamic[property]) }
    let layout = ObjectLayout.of(type(of: self))
    guard
      let found = layout.property(named: property)
        ?? layout.properties.first(where: { $0.columnName == property })
    else { return nil }
    if found.isMissing(in: self) { return .value(.null) }
    return LooseItem(found.wrapper.read(found.pointer(in: self), row))
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

extension LooseItem {
  /// What a property gives.
  init(_ any: Any?) {
    switch Bridge.unwrapped(any) {
    case nil: self = .value(.null)
    case let object as ObjectBase: self = .object(object)
    case let mixed as AnyRealmValue: self.init(mixed)
    case let custom as any FailableCustomPersistable: self.init(custom.persistableValue)
    case let scalar as any _Scalar: self = .value(scalar._stored.value)
    case let map as any AnyMap:
      self = .map(map.anyEntries.sorted { $0.key < $1.key }.map { ($0.key, LooseItem($0.value)) })
    case let any?:
      self =
        (ValueSource.elements(of: any)).map { .list($0.map { LooseItem($0) }) } ?? .value(.null)
    }
  }

  private init(_ mixed: AnyRealmValue) {
    switch mixed {
    case .object(let object): self = .object(object)
    case .list(let list): self = .mixed(.list(list.map { LooseItem($0) }))
    case .dictionary(let map):
      self = .mixed(.map(map.map { (key: $0.key, value: LooseItem($0.value)) }))
    default: self = .value(mixed._element(in: .none).value)
    }
  }
}
