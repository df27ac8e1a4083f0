extension RealmCollection {
  /// The value at the end of a path of names from each object; nil where it ends at null before. Or a number made of
  /// all: `@count`, `@sum.price`, `@min.price`, `@max.price`, `@avg.price`, of values `@sum.self`; or
  /// `@unionOfObjects.name`, `@distinctUnionOfObjects.name`, and of collections in the objects
  /// `@unionOfArrays.dogs.name`, `@distinctUnionOfArrays.dogs.name`.
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
    case "@distinctUnionOfObjects": return values(forKeyPath: rest).eachOnce.compactMap { $0 }
    case "@unionOfArrays": return elements(forKeyPath: rest).compactMap { $0 }
    case "@distinctUnionOfArrays": return elements(forKeyPath: rest).eachOnce.compactMap { $0 }
    default: unknownOperator(keyPath)
    }
  }

  /// The value at the end of a path from each object; of a set of objects each value once.
  func values(forKeyPath keyPath: String) -> [Any?] {
    guard keyPath.utf8.contains(UInt8(ascii: ".")) else { return value(forKey: keyPath) }
    let values: [Any?] = map { ($0 as? ObjectBase)?.value(forKeyPath: keyPath) }
    return self is any _SetOfValues ? values.eachOnce : values
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
