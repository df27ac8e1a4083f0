import CairnQuery
import CairnStorage
import CairnValues

// APIs for input from outside the program, which may be wrong. Each throws where its counterpart
// for the program's own text ends the program.

extension ObjectBase {
  /// Returns the value of a property whose name comes from outside, as the subscript does.
  ///
  /// - Throws: `Realm.Error` if the class has no such property, or if a required location was not
  ///   set.
  public final func value(validatingKey key: String) throws -> Any? {
    try checkProperty(key)
    return value(forKey: key)
  }

  /// Sets a property whose name comes from outside to a value of any type, as the subscript does.
  ///
  /// For a managed object, this requires a write transaction.
  ///
  /// - Throws: `Realm.Error` that names the property, if the class does not have it or the value
  ///   does not fit. In that case nothing is set.
  public final func setValue(validating value: Any?, forKey key: String) throws {
    if let dynamic = self as? DynamicObject { return try dynamic.store(validating: value, key) }
    let layout = ObjectLayout.of(type(of: self))
    guard let property = layout.property(named: key), !property.kind.isInverse else {
      throw unknown(key, among: layout.properties.filter { !$0.kind.isInverse }.map(\.name))
    }
    let decoder = ValueDecoder(row?.handle.session)
    let converted = try decoder.value(value as Any, of: property, in: layout)
    decoder.finish()
    converted.assign(to: self)
    decoder.finishAdded()
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
      throw Realm.Error(.fail, description: RequiredLocation.unset(layout.name(of: property)))
    }
  }

  private final func unknown(_ name: String, among names: [String]) -> Realm.Error {
    let className = row?.handle.name ?? ObjectLayout.of(type(of: self)).className
    return Realm.Error(
      .fail, description: InvalidValue.unknown(name, className: className, among: names))
  }
}

extension DynamicObject {
  /// Sets a property of the store's class.
  ///
  /// - Throws: `Realm.Error` if the class has no such property or the value does not fit.
  fileprivate func store(validating any: Any?, _ property: String) throws {
    let handle = managedRow.handle
    guard let position = handle.position(of: property) else {
      throw Realm.Error(
        .fail,
        description: InvalidValue.unknown(
          property, className: handle.name, among: handle.table.schema.properties.map(\.name)))
    }
    try DynamicCell(managedRow, column: handle.table.schema.columns[position]).set(any)
  }
}

extension Realm {
  /// Adds an object whose values come from outside, and every object it leads to.
  ///
  /// - Parameters:
  ///   - object: An unmanaged object.
  ///   - update: The policy for an object whose primary key the store already has.
  /// - Throws: `Realm.Error` if, under `.error`, the primary key exists already or two of the
  ///   objects share one, or if a required location was not set. In that case nothing is added.
  public func add(validating object: Object, update: UpdatePolicy = .error) throws {
    var check = AddingCheck(writing, policy: update)
    try check.check(object)
    add(object, update: update)
  }

  /// Returns all objects of a class whose name comes from outside.
  ///
  /// - Throws: `Realm.Error` if the store has no such class.
  public func dynamicObjects(validating className: String) throws -> Results<DynamicObject> {
    Results(handle: try handle(validating: className))
  }

  /// Returns the object with a primary key, or nil if it does not exist. The name of the class
  /// comes from outside.
  ///
  /// - Throws: `Realm.Error` if the store has no such class, or the class has no primary key.
  public func dynamicObject(
    validatingType className: String, forPrimaryKey key: Any?
  ) throws -> DynamicObject? {
    let handle = try handle(validating: className)
    guard handle.hasPrimaryKey else {
      throw Realm.Error(.fail, description: "'\(className)' does not have a primary key.")
    }
    return handle.row(primaryKey: key as Any).map { DynamicObject._object(at: $0) }
  }

  private func handle(validating className: String) throws -> ClassHandle {
    let session = checked
    if let handle = session.handle(className) { return handle }
    throw Realm.Error(.fail, description: session.unknownClass(className))
  }

  /// Advances to the latest snapshot of the store, as `refresh()` does.
  ///
  /// - Returns: Whether the snapshot changed.
  /// - Throws: `Realm.Error` if the store cannot be read, or if another program has altered its
  ///   classes so that they no longer match.
  @discardableResult
  public func refreshValidating() throws -> Bool { try checked.refresh() }
}

extension Session {
  /// Returns the message for a class that the store does not have.
  func unknownClass(_ name: String) -> String {
    let nearest = NearestName.of(name, among: classNames).map { " Did you mean '\($0)'?" } ?? ""
    return "Object type '\(name)' is not managed by the Realm.\(nearest)"
  }
}

extension RealmCollection {
  /// Returns the objects sorted by properties whose names come from outside; the first property
  /// takes precedence.
  ///
  /// - Throws: `Realm.Error` if a key path does not lead to a sortable value.
  public func sorted(
    validating descriptors: some Sequence<SortDescriptor>
  ) throws -> Results<Element> {
    let descriptors = Array(descriptors)
    for descriptor in descriptors { try check(descriptor.keyPath, for: "sort") }
    return sorted(by: descriptors)
  }

  /// Returns the first of the objects that are equal in properties whose names come from outside.
  ///
  /// - Throws: `Realm.Error` if a key path does not lead to a comparable value.
  public func distinct(validating keyPaths: some Sequence<String>) throws -> Results<Element> {
    let keyPaths = Array(keyPaths)
    for keyPath in keyPaths { try check(keyPath, for: "distinct") }
    return distinct(by: keyPaths)
  }

  /// Returns the aggregates of a property whose name comes from outside.
  ///
  /// - Throws: An error if the class has no such property or the property holds a collection.
  public func aggregate(validating property: String) throws -> Aggregate {
    Aggregate(try stored.found.boundExecution(reading: [property]).summary(of: property))
  }

  /// Returns the aggregates of properties for each group of objects with equal values. The names of
  /// all properties come from outside.
  ///
  /// - Parameters:
  ///   - properties: The properties to aggregate.
  ///   - keyPaths: The properties to group by.
  /// - Throws: An error if the class has no such property or the property holds a collection.
  public func aggregate(
    validating properties: [String], by keyPaths: [String]
  ) throws -> [AggregateGroup] {
    let groups = try stored.found.boundExecution(reading: keyPaths + properties)
      .groups(by: keyPaths, summarising: properties)
    return groups.map { AggregateGroup($0, keyPaths: keyPaths, properties: properties) }
  }

  private func check(_ keyPath: String, for operation: String) throws {
    let results = stored
    guard case .objects(let found) = results.content else {
      if keyPath == "self" { return }
      throw Realm.Error(
        .fail,
        description:
          "Cannot \(operation) on key path '\(keyPath)': values can only be sorted on 'self'.")
    }
    let path = PropertyKeyPath(keyPath, of: Element.self)
    if let fault = path.fault(for: operation, from: found.handle.table) {
      throw Realm.Error(.fail, description: fault)
    }
  }
}
