import CairnStorage
import CairnValues

/// Checks an object and everything that it leads to before any of it is added.
struct AddingCheck {
  private let session: Session
  private let policy: Realm.UpdatePolicy
  private var visited: Set<ObjectIdentifier> = []
  private var keys: Set<ValueDecoder.Identity> = []

  init(_ session: Session, policy: Realm.UpdatePolicy) {
    self.session = session
    self.policy = policy
  }

  /// - Throws: ``Realm/Error`` for a deleted object, for a primary key that is already in the store or
  ///   occurs twice, and for a required location that is not set.
  mutating func check(_ object: ObjectBase) throws {
    var open = [object]
    while let next = open.popLast() {
      if session.hasDeleted(next) { throw Realm.Error(.fail, description: InvalidValue.deleted) }
      guard next.row == nil, visited.insert(ObjectIdentifier(next)).inserted else { continue }
      let layout = ObjectLayout.of(type(of: next))
      let handle = try session.handle(for: layout)
      if let fault = handle.binding(of: layout.type).missingLocation(of: next) {
        throw Realm.Error(.fail, description: fault)
      }
      try checkKey(of: next, layout, handle: handle)
      for property in layout.properties where property.kind.leadsToObjects {
        collect(property.wrapper.read(property.pointer(in: next), row: nil), found: &open)
      }
    }
  }

  private mutating func checkKey(
    of object: ObjectBase, _ layout: ObjectLayout, handle: ClassHandle
  ) throws {
    guard policy == .error, let property = layout.properties.first(where: \.isPrimaryKey),
      let key = property.wrapper.value(property.pointer(in: object))._initial?.value
    else { return }
    let isNew = keys.insert(ValueDecoder.Identity(layout.className, key: key)).inserted
    guard isNew, handle.table.find(primaryKey: key) == nil else {
      throw InvalidValue.duplicate(key, className: layout.className)
    }
  }

  /// The objects in a value of a property.
  private func collect(_ any: Any?, found: inout [ObjectBase]) {
    switch Bridge.unwrapped(any) {
    case let object as ObjectBase: found.append(object)
    case let mixed as AnyRealmValue:
      if let content = mixed._dynamic { collect(content, found: &found) }
    case let custom as any FailableCustomPersistable:
      collect(custom.persistableValue, found: &found)
    case let map as any AnyMap: for value in map.anyEntries.values { collect(value, found: &found) }
    case let any?:
      guard !(any is any _Scalar) else { return }
      for element in ValueSource.elements(of: any) ?? [] { collect(element, found: &found) }
    case nil: break
    }
  }
}

extension Session {
  /// Whether the object is one of this session whose row was deleted.
  func hasDeleted(_ object: ObjectBase) -> Bool {
    object.row.map { $0.handle.session === self && !$0.isLive } ?? false
  }
}
