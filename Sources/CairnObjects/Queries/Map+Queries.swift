extension Map {
  /// Returns whether an entry satisfies the predicate.
  public func contains(
    where predicate: (_ key: Key, _ value: Value) throws -> Bool
  ) rethrows -> Bool {
    for entry in self where try predicate(entry.key, entry.value) { return true }
    return false
  }

  /// The objects in the map that satisfy a condition in the predicate language.
  public func filter(_ format: String, _ arguments: Any?...) -> Results<Value> {
    let results = storedResults
    return results.meeting(results.reading(format, arguments: arguments))
  }

  /// The objects in the map that satisfy the predicate.
  ///
  /// - Throws: ``PredicateError``, with its position, if the predicate does not fit the class.
  public func filter(_ predicate: Predicate) throws -> Results<Value> {
    try storedResults.filter(predicate)
  }

  /// The objects in the map, sorted by a property.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
    storedResults.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// The objects in the map, sorted by several properties in order of precedence.
  public func sorted(by descriptors: some Sequence<SortDescriptor>) -> Results<Value> {
    storedResults.sorted(by: descriptors)
  }
}

extension Map {
  /// The value at the end of a path that begins with a key (`"rex.name"`); nil if the path ends at
  /// null earlier. A path that begins with `@` aggregates all values, as in other collections:
  /// `@count`, `@sum.age`, or `@max.self` for plain values.
  ///
  /// A path that continues after a value without properties is a programming error.
  public func value(forKeyPath keyPath: String) -> Any? {
    if keyPath.hasPrefix("@") { return valuesAsCollection.value(forKeyPath: keyPath) }
    let (key, rest) = KeyPathText.split(keyPath)
    let value = value(forKey: key)
    guard let rest, let value else { return value }
    switch value {
    case let object as ObjectBase: return object.value(forKeyPath: rest)
    case let collection as any ValuesByName: return collection.anyValue(forKeyPath: rest)
    default: programmingError("'\(rest)' of '\(keyPath)' does not follow an object.")
    }
  }

  /// The values: those of the store, or an unmanaged list.
  private var valuesAsCollection: AnyRealmCollection<Value> {
    if let results = _results { return AnyRealmCollection(results) }
    let list = List<Value>()
    list.append(objectsIn: values)
    return AnyRealmCollection(list)
  }
}

extension Map: ValuesByName {
  func anyValue(forKeyPath keyPath: String) -> Any? { value(forKeyPath: keyPath) }

  func setAnyValue(_ value: Any?, forKeyPath keyPath: String) {
    let (key, rest) = KeyPathText.split(keyPath)
    guard let rest else { return setValue(value, forKey: key) }
    guard let present = Bridge.unwrapped(self.value(forKey: key)) else { return }
    switch present {
    case let object as ObjectBase: object.setValue(value, forKeyPath: rest)
    case let collection as any ValuesByName: collection.setAnyValue(value, forKeyPath: rest)
    default: programmingError("'\(rest)' of '\(keyPath)' does not follow an object.")
    }
  }
}
