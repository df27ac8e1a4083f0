extension RealmCollection where Element: ObjectBase {
  /// The value at the end of a path of names from each object; nil where it ends at null before. Or a number made of
  /// all: `@count`, `@sum.price`, `@min.price`, `@max.price`, `@avg.price`.
  public func value(forKeyPath keyPath: String) -> Any? {
    guard keyPath.hasPrefix("@") else {
      return values(forKeyPath: keyPath)
    }
    if keyPath == "@count" { return count }
    let parts = keyPath.dropFirst().split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { unknownOperator(keyPath) }
    switch parts[0] {
    case "sum": return aggregate(of: parts[1]).sum
    case "min": return aggregate(of: parts[1]).min
    case "max": return aggregate(of: parts[1]).max
    case "avg": return aggregate(of: parts[1]).average
    case "unionOfObjects": return values(forKeyPath: parts[1]).compactMap { $0 }
    case "distinctUnionOfObjects": return distinct(values(forKeyPath: parts[1]))
    default: unknownOperator(keyPath)
    }
  }

  private func values(forKeyPath keyPath: String) -> [Any?] {
    map { $0.value(forKeyPath: keyPath) }
  }

  private func distinct(_ values: [Any?]) -> [Any] {
    var seen = Set<AnyHashable>()
    return values.compactMap { $0 }.filter { value in
      (value as? AnyHashable).map { seen.insert($0).inserted } ?? true
    }
  }

  private func unknownOperator(_ keyPath: String) -> Never {
    programmingError("Unsupported KVC collection operator found in key path '\(keyPath)'")
  }
}
