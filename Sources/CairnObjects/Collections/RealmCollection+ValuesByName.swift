/// Values of all elements at once, by the names of properties; values that are no objects have one by the name `self`.
extension RealmCollection {
  /// The value of a property of each object; of a set of objects each value once.
  public func value(forKey key: String) -> [Any?] {
    if key.utf8.contains(UInt8(ascii: ".")) { return values(forKeyPath: key) }
    let values: [Any?] = map { ElementByName.value(key, of: $0) }
    return self is any _SetOfValues ? values.eachOnce : values
  }

  /// Sets a property of every object, or the one at the end of a path of names: `dogs.setValue(1, forKey: "toy.price")`.
  ///
  /// The column is written chunk by chunk, without an object for each row. An object in no realm that is set is added
  /// once; a dictionary becomes an object for each. Outside a write transaction it is a programming error.
  public func setValue(_ value: Any?, forKey key: String) {
    if let results = _results {
      results.found.handle.setValue(value, key, Element.self, at: results.found.allKeys)
    } else {
      for element in self { ElementByName.object(element, key).setValue(value, forKeyPath: key) }
    }
  }
}

/// An element of a collection by names.
private enum ElementByName {
  static func value<Element: RealmCollectionValue>(_ name: String, of element: Element) -> Any? {
    if name == "self" { return (element as? any _DynamicValue)?._dynamic ?? element }
    return object(element, name).value(forKey: name)
  }

  static func object<Element: RealmCollectionValue>(
    _ element: Element, _ name: String
  ) -> ObjectBase {
    if let object = element as? ObjectBase { return object }
    programmingError("'\(Element.self)' is no class of objects, and has no property '\(name)'.")
  }
}

/// What holds each value once.
protocol _SetOfValues {}

extension MutableSet: _SetOfValues {}

extension [Any?] {
  /// The values, each where it first stands.
  var eachOnce: [Any?] {
    var seen = Set<AnyHashable?>()
    return filter { value in
      guard let value else { return seen.insert(nil).inserted }
      return (value as? AnyHashable).map { seen.insert($0).inserted } ?? true
    }
  }
}
