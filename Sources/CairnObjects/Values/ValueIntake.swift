import CairnStorage
import CairnValues

/// Values of any type on their way into properties: `init(value:)` and `create` convert all of them before they
/// set the first.
public final class ValueIntake {
  /// Where objects with a primary key are looked for; nil for objects that are in no realm yet.
  let session: Session?
  let policy: Realm.UpdatePolicy
  /// What values may lack, and have besides.
  let tolerance: ValueTolerance
  /// The rows that the property being converted leads to already.
  var present = PresentRows.none
  /// Which element of a collection does not fit its property.
  var misfit: String?
  /// What is to be written to objects that the store has already.
  private var updates: [() -> Void] = []
  /// Raw values without a case, which only a row can hold.
  private var rawValues: [() -> Void] = []
  /// Objects made for primary keys that the store does not have.
  private var made: [Identity: ObjectBase] = [:]
  /// Objects made from rows of other realms.
  private var copies: [Identity: ObjectBase] = [:]

  init(
    _ session: Session? = nil, _ policy: Realm.UpdatePolicy = .error,
    tolerating tolerance: ValueTolerance = .all
  ) {
    self.session = session
    self.policy = policy
    self.tolerance = tolerance
  }

  /// Writes to the objects that the store has already.
  func finish() {
    for update in updates { update() }
    updates = []
  }

  /// An object of that class with the values of a dictionary, an array or another object; nil for anything else.
  func object<T: ObjectBase>(_ type: T.Type, from any: Any) throws -> T? {
    let layout = ObjectLayout.of(type)
    let row = present.taken(by: self)
    guard let source = try ValueSource(any, for: layout) else { return nil }
    let copied = source.identity
    if let copied, let known = copies[copied] as? T { return known }
    if let key = try primaryKey(of: layout, in: source) {
      if let object = try stored(type, key) { return try update(object, layout, source) }
      let identity = Identity(layout.className, key)
      if made[identity] != nil, policy == .error {
        throw ValueError.duplicate(key, layout.className)
      }
      let object = made[identity] as? T ?? type.init()
      made[identity] = object
      return try fill(object, layout, source, copied)
    }
    if let row, row.handle.name == layout.className, !row.handle.hasPrimaryKey {
      return try update(type.managed(row), layout, source)
    }
    return try fill(type.init(), layout, source, copied)
  }

  /// An object that the store has, to which the values are written in the end.
  private func update<T: ObjectBase>(
    _ object: T, _ layout: ObjectLayout, _ source: ValueSource
  ) throws -> T {
    try check(namesOf: source, layout)
    // Before those of the objects in it: values may lead round to the object itself.
    let place = updates.count
    updates.append {}
    let values = try values(of: layout, from: source, for: object)
      .filter { !$0.property.isPrimaryKey }
    updates[place] = { self.assign(values, to: object) }
    return object
  }

  /// Sets the properties of an object that is in no realm.
  func fill<T: ObjectBase>(_ object: T, from any: Any) throws {
    let layout = ObjectLayout.of(T.self == type(of: object) ? T.self : type(of: object))
    guard let source = try ValueSource(any, for: layout) else {
      throw ValueError.noSource(any, layout.className)
    }
    _ = try fill(object, layout, source, nil)
  }

  private func fill<T: ObjectBase>(
    _ object: T, _ layout: ObjectLayout, _ source: ValueSource, _ copied: Identity?
  ) throws -> T {
    if let copied { copies[copied] = object }
    try check(namesOf: source, layout)
    let values = try values(of: layout, from: source, for: object)
    try check(completenessOf: values, for: object, layout)
    assign(values, to: object)
    return object
  }

  /// The values that the source has for properties, converted.
  private func values(
    of layout: ObjectLayout, from source: ValueSource, for object: ObjectBase
  ) throws -> [PropertyValue] {
    var values: [PropertyValue] = []
    for (place, property) in layout.properties.enumerated() where !property.kind.isInverse {
      guard let any = source.value(of: property.name, at: place) else { continue }
      present = policy == .modified ? PresentRows(property, of: object) : .none
      values.append(try value(any, of: property, in: layout))
    }
    return values
  }

  /// A value of any type as the property's own.
  func value(
    _ any: Any, of property: PropertyLayout, in layout: ObjectLayout
  ) throws -> PropertyValue {
    defer { present = .none }
    misfit = nil
    if let value = try property.wrapper.value(from: any, self) {
      return PropertyValue(property: property, value: value)
    }
    guard session != nil, let raw = RawValues.value(any, of: property) else {
      throw ValueError.mismatch(any, property, layout.className, misfit)
    }
    return PropertyValue(property: property, value: nil, raw: raw)
  }

  /// Sets properties of an object. Raw values without a case wait until it has a row.
  private func assign(_ values: [PropertyValue], to object: ObjectBase) {
    for value in values {
      if value.raw != nil, object.row == nil {
        rawValues.append { value.assign(to: object) }
      } else {
        value.assign(to: object)
      }
    }
  }

  /// Writes the raw values without a case, once the objects have been added.
  func finishAdded() {
    for write in rawValues { write() }
    rawValues = []
  }

  // MARK: Primary keys

  private func primaryKey(of layout: ObjectLayout, in source: ValueSource) throws -> Value? {
    guard session != nil,
      let place = layout.properties.firstIndex(where: \.isPrimaryKey),
      let any = source.value(of: layout.properties[place].name, at: place)
    else { return nil }
    let key = try value(any, of: layout.properties[place], in: layout)
    return key.raw ?? Bridge.value(key.value?._dynamic)
  }

  /// The object of the store with that primary key.
  private func stored<T: ObjectBase>(_ type: T.Type, _ key: Value) throws -> T? {
    guard let session else { return nil }
    let handle = try session.handle(for: ObjectLayout.of(type))
    guard let found = handle.table.find(primaryKey: key) else { return nil }
    if policy == .error { throw ValueError.duplicate(key, handle.name) }
    return type.managed(Row(handle: handle, key: found))
  }

  /// What tells an object from others before it is in the store.
  struct Identity: Hashable {
    let className: String
    let key: Value

    init(_ className: String, _ key: Value) {
      self.className = className
      self.key = key
    }
  }
}

/// A property's next value.
struct PropertyValue {
  let property: PropertyLayout
  /// Nil for a raw value that an enumeration has no case for.
  let value: (any _Persistable)?
  /// That raw value.
  var raw: Value?

  func assign(to object: ObjectBase) {
    if let value {
      property.wrapper.assign(value, property.pointer(in: object), object.row)
    } else if let raw, let row = object.row,
      let column = row.handle.position(of: property.name)
    {
      row.handle.set(raw, column, at: row.key)
    }
  }
}
