import CairnQuery

/// Where the objects of results come from.
enum ObjectSource {
  /// All objects of the class.
  case all
  /// A list or a set of objects.
  case collection(CollectionPlace)
  /// The same, of which those that stand there several times count once.
  case distinct(CollectionPlace)
  /// The objects that lead to another.
  case inverse(InversePlace)

  /// The rows to ask in the present state.
  var rows: TableQuery.Source {
    switch self {
    case .all: .all
    case .collection(let place): .keys(place.elements.links)
    case .distinct(let place): .keys(place.elements.links.eachOnce)
    case .inverse(let place): .keys(place.keys)
    }
  }

  /// The source with every row once.
  var eachOnce: ObjectSource {
    if case .collection(let place) = self { .distinct(place) } else { self }
  }

  var isAll: Bool { if case .all = self { true } else { false } }

  func isSame(as other: ObjectSource) -> Bool {
    switch (self, other) {
    case (.all, .all): true
    case (.collection(let a), .collection(let b)), (.distinct(let a), .distinct(let b)):
      a.isSame(as: b)
    case (.inverse(let a), .inverse(let b)): a === b
    default: false
    }
  }
}

extension [Int] {
  /// The numbers, each where it first stands.
  fileprivate var eachOnce: [Int] {
    var seen = Set<Int>()
    return filter { seen.insert($0).inserted }
  }
}
