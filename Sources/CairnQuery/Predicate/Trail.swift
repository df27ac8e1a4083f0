/// A path as it is read, with the collection operator on it.
struct Trail {
  /// A collection operator that ends in a number.
  enum Collector {
    case count
    case aggregate(AggregateFunction)
  }

  private(set) var components: [PropertyPath.Component] = []
  private(set) var collector: Collector?
  /// What follows the operator.
  private(set) var below: [PropertyPath.Component] = []
  /// Where each step begins, those behind the operator too.
  private(set) var steps: [Int] = []

  /// Whether nothing may follow.
  var isEnded: Bool {
    if case .count = collector { true } else { false }
  }

  mutating func append(_ component: PropertyPath.Component, at place: Int) {
    steps.append(place)
    if collector == nil { components.append(component) } else { below.append(component) }
  }

  mutating func collect(_ collector: Collector) { self.collector = collector }

  var subject: Subject {
    let path = PropertyPath(components)
    switch collector {
    case nil: return .path(path)
    case .count: return .count(path, where: nil)
    case .aggregate(let function):
      return .aggregate(function, path, of: below.isEmpty ? nil : PropertyPath(below))
    }
  }

  func place(from start: Int) -> PredicateSource.Place {
    steps == [start] ? PredicateSource.Place(start: start) : .init(start: start, steps: steps)
  }
}
