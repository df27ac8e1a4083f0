import CairnQuery

/// The way from an object to what a query asks about.
struct QueryPath {
  /// The steps of the way.
  private(set) var steps: [PropertyPath.Component] = []
  /// Where one becomes many: how many steps lie before each such place, rising.
  private(set) var forks: [Int] = []
  /// Whether the last step takes what a map holds under a key.
  private(set) var endsInMapKey = false
  /// Whether any step does.
  private(set) var passesMapKey = false

  /// Goes on by a step, behind which there are many when it is a fork.
  mutating func append(_ step: PropertyPath.Component, isFork: Bool = false) {
    steps.append(step)
    endsInMapKey = false
    if isFork { forks.append(steps.count) }
  }

  /// Takes what the map at the end holds under a key: of many one again.
  mutating func appendMapKey(_ key: String) {
    if forks.last == steps.count { forks.removeLast() }
    append(.key(key))
    endsInMapKey = true
    passesMapKey = true
  }

  /// Whether the way leads to many.
  var isMany: Bool { !forks.isEmpty }

  /// Whether the last step is itself a collection.
  var endsInCollection: Bool { !steps.isEmpty && forks.last == steps.count }

  /// The way as it stands in a tree, without the steps that a subquery has taken already.
  func lowered(dropping dropped: Int) -> PropertyPath {
    // A subquery is asked of the values of a map anyway.
    let rest = dropped > 0 ? steps.dropFirst(dropped).drop { $0 == .allValues } : steps[...]
    guard !rest.isEmpty else {
      programmingError(
        dropped == 0
          ? "A condition speaks of a property of the objects, not of the objects themselves."
          : "Subqueries ask about properties of objects; '\(PropertyPath(steps))' holds values.")
    }
    let isMany = forks.contains { $0 > dropped }
    return PropertyPath(isMany ? .any : .one, Array(rest))
  }

  /// The way to the last collection, and the one from there; nil where there is no collection.
  func split(dropping dropped: Int) -> (collection: PropertyPath, below: PropertyPath?)? {
    let forks = forks.filter { $0 > dropped }
    guard let fork = forks.last else { return nil }
    // The values of a map are what an aggregate is made of anyway.
    let below = steps[fork...].drop { $0 == .allValues }
    let collection = PropertyPath(forks.count > 1 ? .any : .one, Array(steps[dropped..<fork]))
    return (collection, below.isEmpty ? nil : PropertyPath(Array(below)))
  }

  /// The collection at the end, which may be reached through others.
  func counted(dropping dropped: Int) -> PropertyPath {
    let isMany = forks.contains { $0 > dropped && $0 < steps.count }
    return PropertyPath(isMany ? .any : .one, Array(steps[dropped...]))
  }
}
