extension Map {
  /// The value at the end of a path that begins with a key: `"rex.name"`; nil where the path ends at null before. Or a
  /// number made of all values, as of other collections: `@count`, `@sum.age`, of plain values `@max.self`.
  ///
  /// A path that goes on behind a value without properties is a programming error.
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

  /// The values: those of the store, or a list in no realm.
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
