extension Predicate {
  /// The same condition with other names for properties of the objects themselves.
  ///
  /// - Parameter way: the properties that a name stands for, one after the other; nil where it stands for itself.
  package func leading(_ way: (String) -> [String]?) -> Predicate {
    Predicate(root.leading(way), source: source)
  }
}

extension Node {
  fileprivate func leading(_ way: (String) -> [String]?) -> Node {
    switch self {
    case .constant: self
    case .and(let parts): .and(parts.map { $0.leading(way) })
    case .or(let parts): .or(parts.map { $0.leading(way) })
    case .not(let part): .not(part.leading(way))
    case .compare(let subject, let operation, let operand, let options):
      .compare(subject.leading(way), operation, operand.leading(way), options)
    case .between(let subject, let lower, let upper):
      .between(subject.leading(way), lower, upper)
    case .isIn(let subject, let values, let options):
      .isIn(subject.leading(way), values, options)
    case .match(let subject, let operation, let operand, let options):
      .match(subject.leading(way), operation, operand.leading(way), options)
    case .within(let path, let shape): .within(path.leading(way), shape)
    }
  }
}

extension Subject {
  /// The condition of a subquery is asked of the elements of a collection, and stays as it is.
  fileprivate func leading(_ way: (String) -> [String]?) -> Subject {
    switch self {
    case .path(let path): .path(path.leading(way))
    case .aggregate(let function, let path, let below):
      .aggregate(function, path.leading(way), of: below)
    case .count(let path, let condition): .count(path.leading(way), where: condition)
    }
  }
}

extension Operand {
  fileprivate func leading(_ way: (String) -> [String]?) -> Operand {
    switch self {
    case .value, .collection: self
    case .subject(let subject): .subject(subject.leading(way))
    }
  }
}

extension PropertyPath {
  /// The same way, where its first step is another name for several.
  package func leading(_ way: (String) -> [String]?) -> PropertyPath {
    guard case .property(let name) = components.first, let steps = way(name) else { return self }
    return PropertyPath(quantifier, steps.map { .property($0) } + components.dropFirst())
  }
}
