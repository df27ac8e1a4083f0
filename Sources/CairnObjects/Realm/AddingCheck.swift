import CairnStorage
import CairnValues

/// Looks at an object, and at all that it leads to, before any of it is added.
struct AddingCheck {
  private let session: Session
  private let policy: Realm.UpdatePolicy
  private var seen: Set<ObjectIdentifier> = []
  private var keys: Set<ValueIntake.Identity> = []

  init(_ session: Session, _ policy: Realm.UpdatePolicy) {
    self.session = session
    self.policy = policy
  }

  /// - Throws: `Realm.Error`: a primary key that is there already, or comes twice; a required location that was not set.
  mutating func check(_ object: ObjectBase) throws {
    var open = [object]
    while let next = open.popLast() {
      guard next.row == nil, seen.insert(ObjectIdentifier(next)).inserted else { continue }
      let layout = ObjectLayout.of(type(of: next))
      let handle = try session.handle(for: layout)
      if let fault = handle.binding(of: layout.type).incompleteness(of: next) {
        throw Realm.Error(.fail, fault)
      }
      try checkKey(of: next, layout, handle)
      for property in layout.properties where property.leadsToObjects {
        collect(property.wrapper.read(property.pointer(in: next), nil), &open)
      }
    }
  }

  private mutating func checkKey(
    of object: ObjectBase, _ layout: ObjectLayout, _ handle: ClassHandle
  ) throws {
    guard policy == .error, let property = layout.properties.first(where: \.isPrimaryKey),
      let key = property.wrapper.value(property.pointer(in: object))._initial?.value
    else { return }
    let isNew = keys.insert(ValueIntake.Identity(layout.className, key)).inserted
    guard isNew, handle.table.find(primaryKey: key) == nil else {
      throw ValueError.duplicate(key, layout.className)
    }
  }

  /// The objects in a value of a property.
  private func collect(_ any: Any?, _ found: inout [ObjectBase]) {
    switch Bridge.unwrapped(any) {
    case let object as ObjectBase: found.append(object)
    case let mixed as AnyRealmValue: if let content = mixed._dynamic { collect(content, &found) }
    case let custom as any FailableCustomPersistable: collect(custom.persistableValue, &found)
    case let map as any AnyMap: for value in map.anyEntries.values { collect(value, &found) }
    case let any?:
      guard !(any is any _Scalar) else { return }
      for element in ValueSource.elements(of: any) ?? [] { collect(element, &found) }
    case nil: break
    }
  }
}

extension PropertyLayout {
  /// Whether the property may hold objects.
  fileprivate var leadsToObjects: Bool {
    !kind.isInverse && (kind.target != nil || kind.type == .mixed)
  }
}
