extension Map {
  /// Whether an entry fits.
  public func contains(
    where predicate: (_ key: Key, _ value: Value) throws -> Bool
  ) rethrows -> Bool {
    for entry in self where try predicate(entry.key, entry.value) { return true }
    return false
  }

  /// The objects in the map that meet a condition in the predicate language.
  public func filter(_ format: String, _ arguments: Any?...) -> Results<Value> {
    let results = asked
    return results.meeting(results.reading(format, arguments))
  }

  /// The objects in the map that meet the condition.
  ///
  /// - Throws: `PredicateError` with the place, where the class cannot be asked this.
  public func filter(_ predicate: Predicate) throws -> Results<Value> {
    try asked.filter(predicate)
  }

  /// The objects in the map by the values of a property.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
    asked.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// The objects in the map by several properties, the first of which counts most.
  public func sorted(by descriptors: some Sequence<SortDescriptor>) -> Results<Value> {
    asked.sorted(by: descriptors)
  }
}

extension Map where Value: SortableType {
  /// The values in their order.
  public func sorted(ascending: Bool = true) -> Results<Value> {
    asked.sorted(ascending: ascending)
  }
}
