import CairnStorage
import CairnValues

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AnyRealmValue: _Persistable, RealmCollectionValue {
  public static var _kind: PropertyKind { PropertyKind(type: .mixed) }
  public static func _default() -> AnyRealmValue { .none }

  public static func _read(_ row: Row, column: Int) -> AnyRealmValue {
    let schema = row.handle.table.schema.columns[column]
    if let draft = row.handle.session.openCollections.draft(of: row, schema) {
      let reference = CollectionReference(.mixed(row, column: column), kind: draft.kind)
      return draft.kind == .map ? .dictionary(Map(at: reference)) : .list(List(at: reference))
    }
    let element = row.handle.element(column, at: row.key)
    return AnyRealmValue(element, session: row.handle.session) { kind in
      CollectionReference(.mixed(row, column: column), kind: kind)
    }
  }

  public func _write(_ row: Row, column: Int) {
    let owner = CollectionOwner(session: row.handle.session, embedding: nil)
    _ = row.handle.session.writer(of: row.handle)
    let element = _element(in: owner)
    row.handle.session.openCollections.discard(row, column: row.handle.table.schema.columns[column])
    row.handle.set(
      element.isNull ? .null : .data(element.element.encoded()), column: column, at: row.key)
  }

  public var _initial: StoredValue? { self == .none ? StoredValue(.null) : nil }

  public static func _element(_ elements: StoredElements, at index: Int) -> AnyRealmValue {
    let element = elements.element(at: index)
    return AnyRealmValue(element, session: elements.session) { kind in
      guard let origin = elements.origin else {
        programmingError("A collection in a mixed value has lost its reference.")
      }
      let site: CollectionReference.Site =
        elements.isMap ? .key(origin, elements.key(at: index)) : .index(origin, index)
      return CollectionReference(site, kind: kind)
    }
  }

  public func _element(in owner: CollectionOwner) -> StoredElement {
    switch self {
    case .none: .null
    case .int(let value): StoredElement(.int(Int64(value)))
    case .bool(let value): StoredElement(.bool(value))
    case .float(let value): StoredElement(.float(value))
    case .double(let value): StoredElement(.double(value))
    case .string(let value): StoredElement(.string(value))
    case .data(let value): StoredElement(.data(Array(value)))
    case .date(let value): StoredElement(.date(value.timeIntervalSinceReferenceDate))
    case .objectId(let value): StoredElement(.objectId(value))
    case .decimal128(let value): StoredElement(.decimal(value))
    case .uuid(let value): StoredElement(.uuid(UUIDBytes(value)))
    case .object(let object): StoredElement(.link(owner.adopt(object).link))
    case .list(let list): StoredElement(list.nested(in: owner.ofNested))
    case .dictionary(let map): StoredElement(map.nested(in: owner.ofNested))
    }
  }

  /// Creates the value that is stored; `reference` returns the one of a nested collection.
  private init(
    _ stored: StoredElement, session: Session, reference: (CollectionKind) -> CollectionReference
  ) {
    switch stored.nested {
    case .list: self = .list(List(at: reference(.list)))
    case .map: self = .dictionary(Map(at: reference(.map)))
    default: self.init(stored.value, session: session)
    }
  }

  private init(_ value: Value, session: Session) {
    if case .link(let link) = value {
      self = session.object(of: link).map { .object($0) } ?? .none
    } else {
      self.init(value)
    }
  }

  /// Creates the value without a session; links to objects become ``none``.
  init(_ value: Value) {
    switch value {
    case .null, .point, .link, .geometry, .box: self = .none
    case .bool(let flag): self = .bool(flag)
    case .int(let number): self = .int(Int(number))
    case .float(let number): self = .float(number)
    case .double(let number): self = .double(number)
    case .decimal(let number): self = .decimal128(number)
    case .string(let text): self = .string(text)
    case .data(let bytes): self = .data(Data(bytes))
    case .date(let seconds): self = .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .objectId(let id): self = .objectId(id)
    case .uuid(let id): self = .uuid(UUID(id))
    }
  }
}

extension List<AnyRealmValue> {
  /// The list as a mixed value holds it.
  fileprivate func nested(in owner: CollectionOwner) -> CairnStorage.Element {
    .list(map { $0._element(in: owner).element })
  }
}

extension Map<String, AnyRealmValue> {
  /// The map as a mixed value holds it.
  fileprivate func nested(in owner: CollectionOwner) -> CairnStorage.Element {
    .map(
      map { CairnStorage.Element.Entry(key: $0.key, value: $0.value._element(in: owner).element) })
  }
}

extension Row {
  /// The link that a mixed value holds to the row.
  var link: Link { Link(table: handle.table.schema.id, key: key) }
}

extension Session {
  /// The object that a mixed value leads to; nil if it was deleted.
  ///
  /// The object is of the program's class, or a `DynamicObject` if the program has no class for it.
  fileprivate func object(of link: Link) -> Object? {
    guard let name = schemaName(of: link.table), let handle = handle(name) else { return nil }
    trackLife(handle, key: link.key)
    guard handle.table.isLive(link.key) else { return nil }
    let type = layout(named: name)?.type as? Object.Type ?? DynamicObject.self
    return type._object(at: Row(handle: handle, key: link.key))
  }

  private func schemaName(of table: UInt32) -> String? {
    schema.tables.first { $0.id == table }?.name
  }
}

extension ClassHandle {
  /// The content of a mixed property in a row.
  func element(_ column: Int, at key: Int) -> StoredElement {
    value(column, at: key).element.map { StoredElement($0) } ?? .null
  }
}
