import CairnQuery
import CairnStorage
import CairnValues

// What comes from outside the program, and may be wrong: each call here throws where the one of the program's own text ends it.

extension ObjectBase {
  /// The value of a property by a name from outside, as the subscript gives it.
  ///
  /// - Throws: `Realm.Error`: the class has no such property, or a required location was not set.
  public final func value(validatingKey key: String) throws -> Any? {
    try checkProperty(key)
    return value(forKey: key)
  }

  /// Sets a property by a name from outside to a value of any type, as the subscript does.
  ///
  /// An object in a realm needs a write transaction, as ever.
  ///
  /// - Throws: `Realm.Error` that names the property: the class does not have it, or the value does not fit. Then nothing is
  ///   set.
  public final func setValue(validating value: Any?, forKey key: String) throws {
    if let dynamic = self as? DynamicObject { return try dynamic.store(validating: value, key) }
    let layout = ObjectLayout.of(type(of: self))
    guard let property = layout.property(named: key), !property.kind.isInverse else {
      throw unknown(key, among: layout.properties.filter { !$0.kind.isInverse }.map(\.name))
    }
    let intake = ValueIntake(row?.handle.session)
    let converted = try intake.value(value as Any, of: property, in: layout)
    intake.finish()
    converted.assign(to: self)
    intake.finishAdded()
  }

  private final func checkProperty(_ name: String) throws {
    if self is DynamicObject {
      guard let schema = row?.handle.table.schema else { return }
      if schema.column(named: name) != nil || schema.inverse(named: name) != nil { return }
      throw unknown(name, among: schema.properties.map(\.name))
    }
    let layout = ObjectLayout.of(type(of: self))
    guard let property = layout.property(named: name) else {
      throw unknown(name, among: layout.properties.map(\.name))
    }
    if property.isMissing(in: self) {
      throw Realm.Error(.fail, RequiredLocation.unset(layout.name(of: property)))
    }
  }

  private final func unknown(_ name: String, among names: [String]) -> Realm.Error {
    let className = row?.handle.name ?? ObjectLayout.of(type(of: self)).className
    return Realm.Error(.fail, ValueError.unknown(name, className, among: names))
  }
}

extension DynamicObject {
  /// - Throws: `Realm.Error`: the class has no such property, or the value does not fit.
  fileprivate func store(validating any: Any?, _ property: String) throws {
    let handle = managedRow.handle
    guard let position = handle.position(of: property) else {
      throw Realm.Error(
        .fail,
        ValueError.unknown(
          property, handle.name, among: handle.table.schema.properties.map(\.name)))
    }
    try DynamicCell(managedRow, handle.table.schema.columns[position]).set(any)
  }
}

extension Realm {
  /// Adds an object whose values come from outside, and all that it leads to.
  ///
  /// - Parameter update: what to do where the store has an object with the primary key already.
  /// - Throws: `Realm.Error`: under `.error` the primary key is there already, or two of the objects have the same; a required
  ///   location was not set. Then nothing is added.
  public func add(validating object: Object, update: UpdatePolicy = .error) throws {
    var check = AddingCheck(writing, update)
    try check.check(object)
    add(object, update: update)
  }

  /// All objects of a class by a name from outside.
  ///
  /// - Throws: `Realm.Error` for a class that the store does not have.
  public func dynamicObjects(validating className: String) throws -> Results<DynamicObject> {
    Results(handle: try handle(validating: className))
  }

  /// The object with a primary key, of a class by a name from outside; nil where there is no such object.
  ///
  /// - Throws: `Realm.Error` for a class that the store does not have, or that has no primary key.
  public func dynamicObject(
    validatingType className: String, forPrimaryKey key: Any?
  ) throws -> DynamicObject? {
    let handle = try handle(validating: className)
    guard handle.hasPrimaryKey else {
      throw Realm.Error(.fail, "'\(className)' does not have a primary key.")
    }
    return handle.row(primaryKey: key as Any).map { DynamicObject._object(at: $0) }
  }

  private func handle(validating className: String) throws -> ClassHandle {
    let session = checked
    if let handle = session.handle(className) { return handle }
    throw Realm.Error(.fail, session.unknownClass(className))
  }

  /// Moves on to the latest state of the store, as `refresh()` does.
  ///
  /// - Throws: `Realm.Error`: the store cannot be read, or another program has altered its classes so that this one's do not
  ///   fit any more.
  @discardableResult
  public func refreshValidating() throws -> Bool { try checked.refresh() }
}

extension Session {
  /// The sentence for a class that the store does not have.
  func unknownClass(_ name: String) -> String {
    let nearest = NearestName.of(name, among: classNames).map { " Did you mean '\($0)'?" } ?? ""
    return "Object type '\(name)' is not managed by the Realm.\(nearest)"
  }
}

extension RealmCollection {
  /// The objects by properties whose names come from outside, the first of which counts most.
  ///
  /// - Throws: `Realm.Error`: a key path leads to nothing that has an order.
  public func sorted(
    validating descriptors: some Sequence<SortDescriptor>
  ) throws -> Results<Element> {
    let descriptors = Array(descriptors)
    for descriptor in descriptors { try check(descriptor.keyPath, for: "sort") }
    return sorted(by: descriptors)
  }

  /// The first of the objects that are equal in properties whose names come from outside.
  ///
  /// - Throws: `Realm.Error`: a key path leads to nothing that can be compared.
  public func distinct(validating keyPaths: some Sequence<String>) throws -> Results<Element> {
    let keyPaths = Array(keyPaths)
    for keyPath in keyPaths { try check(keyPath, for: "distinct") }
    return distinct(by: keyPaths)
  }

  /// What the values of a property come to whose name comes from outside.
  ///
  /// - Throws: the class has no such property, or it holds a collection.
  public func aggregate(validating property: String) throws -> Aggregate {
    Aggregate(try stored.found.boundExecution().summary(of: property))
  }

  /// The objects in groups of equal values, by properties whose names come from outside.
  ///
  /// - Throws: the class has no such property, or it holds a collection.
  public func aggregate(
    validating properties: [String], by keyPaths: [String]
  ) throws -> [AggregateGroup] {
    let groups = try stored.found.boundExecution().groups(by: keyPaths, summarising: properties)
    return groups.map { AggregateGroup($0, keyPaths, properties) }
  }

  private func check(_ keyPath: String, for operation: String) throws {
    let results = stored
    guard case .objects(let found) = results.content else {
      if keyPath == "self" { return }
      throw Realm.Error(
        .fail,
        "Cannot \(operation) on key path '\(keyPath)': values can only be sorted on 'self'.")
    }
    let path = PropertyKeyPath(keyPath, of: Element.self)
    if let fault = path.fault(for: operation, from: found.handle.table) {
      throw Realm.Error(.fail, fault)
    }
  }
}
