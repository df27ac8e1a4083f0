/// Values of all elements at once, by property name. Elements that are not objects have one value,
/// named `self`.
extension RealmCollection {
  /// The value of a property of each object; without duplicates for a set of objects.
  public func value(forKey key: String) -> [Any?] {
    if key.utf8.contains(UInt8(ascii: ".")) { return values(forKeyPath: key) }
    let values: [Any?] = map { ElementByName.value(key, of: $0) }
    return self is any _SetOfValues ? values.unique : values
  }

  /// Sets a property of every object, or the property at the end of a path of names:
  /// `dogs.setValue(1, forKey: "toy.price")`.
  ///
  /// The column is written chunk by chunk, without an object for each row. An unmanaged object as
  /// the value is added once; a dictionary creates one object for each element. Outside a write
  /// transaction this is a programming error.
  public func setValue(_ value: Any?, forKey key: String) {
    if let results = _results {
      results.found.handle.setValue(
        value, keyPath: key, type: Element.self, at: results.found.allKeys)
    } else {
      for element in self {
        ElementByName.object(element, name: key).setValue(value, forKeyPath: key)
      }
    }
  }
}

/// Access to an element of a collection by property name.
private enum ElementByName {
  static func value<Element: RealmCollectionValue>(_ name: String, of element: Element) -> Any? {
    if name == "self" { return (element as? any _DynamicValue)?._dynamic ?? element }
    return object(element, name: name).value(forKey: name)
  }

  static func object<Element: RealmCollectionValue>(
    _ element: Element, name: String
  ) -> ObjectBase {
    if let object = element as? ObjectBase { return object }
    programmingError("'\(Element.self)' is not a class of objects and has no property '\(name)'.")
  }
}

extension [Any?] {
  /// The values without duplicates, in order of first occurrence.
  var unique: [Any?] {
    var seen = Set<AnyHashable?>()
    return filter { value in
      guard let value else { return seen.insert(nil).inserted }
      return (value as? AnyHashable).map { seen.insert($0).inserted } ?? true
    }
  }
}

extension RealmCollection {
  /// The value at the end of a path of names from each object; nil if the path ends at null
  /// earlier.
  ///
  /// A path that begins with an operator aggregates all elements: `@count`, `@sum.price`,
  /// `@min.price`, `@max.price`, `@avg.price`, and `@sum.self` for plain values.
  /// `@unionOfObjects.name` and `@distinctUnionOfObjects.name` collect values;
  /// `@unionOfArrays.dogs.name` and `@distinctUnionOfArrays.dogs.name` collect those of collections
  /// in the objects.
  public func value(forKeyPath keyPath: String) -> Any? {
    guard keyPath.hasPrefix("@") else {
      return values(forKeyPath: keyPath)
    }
    if keyPath == "@count" { return count }
    let (name, rest) = KeyPathText.split(keyPath)
    guard let rest else { unknownOperator(keyPath) }
    switch name {
    case "@sum": return number(.sum, of: rest)
    case "@min": return number(.min, of: rest)
    case "@max": return number(.max, of: rest)
    case "@avg": return number(.average, of: rest)
    case "@unionOfObjects": return values(forKeyPath: rest).compactMap { $0 }
    case "@distinctUnionOfObjects": return values(forKeyPath: rest).unique.compactMap { $0 }
    case "@unionOfArrays": return elements(forKeyPath: rest).compactMap { $0 }
    case "@distinctUnionOfArrays": return elements(forKeyPath: rest).unique.compactMap { $0 }
    default: unknownOperator(keyPath)
    }
  }

  /// The value at the end of a path from each object; without duplicates for a set of objects.
  func values(forKeyPath keyPath: String) -> [Any?] {
    guard keyPath.utf8.contains(UInt8(ascii: ".")) else { return value(forKey: keyPath) }
    let values: [Any?] = map { ($0 as? ObjectBase)?.value(forKeyPath: keyPath) }
    return self is any _SetOfValues ? values.unique : values
  }

  /// The elements of the collections at the end of a path from each object, in one array.
  private func elements(forKeyPath keyPath: String) -> [Any?] {
    values(forKeyPath: keyPath).flatMap { value -> [Any?] in
      guard let value else { return [] }
      return ValueSource.elements(of: value) ?? [value]
    }
  }

  private func number(_ operation: AggregateName, of name: String) -> Any? {
    let summary = name == "self" ? totals : summary(of: name, operation)
    return switch operation {
    case .min: Bridge.any(summary.minimum)
    case .max: Bridge.any(summary.maximum)
    case .sum: Bridge.any(summary.sum)
    case .average: Bridge.any(summary.average)
    }
  }

  private func unknownOperator(_ keyPath: String) -> Never {
    programmingError("Unsupported KVC collection operator found in key path '\(keyPath)'")
  }
}

/// A collection whose elements have values by name, whatever its element type.
protocol ValuesByName {
  /// The result of `value(forKeyPath:)`.
  func anyValue(forKeyPath keyPath: String) -> Any?
  /// Sets a property of every element.
  func setAnyValue(_ value: Any?, forKeyPath keyPath: String)
}

extension List: ValuesByName {}
extension MutableSet: ValuesByName {}
extension LinkingObjects: ValuesByName {}

extension RealmCollection {
  func anyValue(forKeyPath keyPath: String) -> Any? { value(forKeyPath: keyPath) }

  func setAnyValue(_ value: Any?, forKeyPath keyPath: String) { setValue(value, forKey: keyPath) }
}
