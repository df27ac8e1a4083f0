import CairnQuery
import CairnStorage

/// The objects of a class or a collection that fit a condition, in an order, or the values of a collection:
/// found when they are asked for, and only as many.
///
/// Results are live: they follow what is written to their realm, and once it is refreshed they are those of the new
/// state.
public struct Results<Element: RealmCollectionValue> {
  enum Content {
    case objects(FoundKeys)
    case values(FoundValues)
  }

  let content: Content

  init(_ content: Content) { self.content = content }

  init(handle: ClassHandle) {
    self.init(handle: handle, query: TableQuery(table: handle.name))
  }

  init(handle: ClassHandle, source: ObjectSource = .all, query: TableQuery) {
    self.init(.objects(FoundKeys(handle, source, query)))
  }

  /// The elements of a list or a set.
  init(_ place: CollectionPlace) {
    if let target = place.elements.target {
      self.init(
        handle: target, source: .collection(place), query: TableQuery(table: target.name))
    } else {
      self.init(.values(FoundValues(place)))
    }
  }

  /// The objects that lead to another.
  init(_ place: InversePlace) {
    self.init(
      handle: place.origin, source: .inverse(place), query: TableQuery(table: place.origin.name))
  }

  /// The query, its class and its results; values are not asked.
  var found: FoundKeys {
    guard case .objects(let found) = content else {
      programmingError("Querying is currently only implemented for arrays of Realm Objects")
    }
    return found
  }

  var handle: ClassHandle { found.handle }
  var query: TableQuery { found.query }

  var session: Session {
    switch content {
    case .objects(let found): found.handle.session
    case .values(let values): values.session
    }
  }

  /// The same with another query on the class.
  func asking(_ change: (inout TableQuery) -> Void) -> Results {
    let found = found
    var query = found.query
    change(&query)
    return Results(handle: found.handle, source: found.source, query: query)
  }
}

extension Results {
  /// The same with every object once.
  var eachOnce: Results {
    Results(handle: found.handle, source: found.source.eachOnce, query: found.query)
  }
}

extension Results: RealmCollection {
  /// The realm that the results read.
  public var realm: Realm? { Realm(session) }

  /// Whether the object was deleted whose collection the results are of, or the realm was invalidated.
  public var isInvalidated: Bool {
    switch content {
    case .values(let values): values.place.isInvalidated
    case .objects(let found): found.isInvalidated
    }
  }

  public var _results: Results<Element>? { self }

  /// How many elements there are; objects are counted, not fetched.
  public var count: Int {
    switch content {
    case .objects(let found): found.count
    case .values(let values): values.elements.count
    }
  }

  /// Whether there is no element; one is looked for at most.
  public var isEmpty: Bool {
    switch content {
    case .objects(let found): found.first == nil
    case .values(let values): values.elements.count == 0
    }
  }

  /// The element at a place of the results; a place beyond them is a programming error.
  public subscript(position: Int) -> Element {
    switch content {
    case .objects(let found):
      guard let key = found.key(at: position) else {
        programmingError(
          "Index \(position) is out of bounds (must be less than \(found.count)).")
      }
      return Element._object(at: Row(handle: found.handle, key: key))
    case .values(let values):
      let elements = values.elements
      checkIndex(position, below: elements.count)
      return Element._element(elements, position)
    }
  }

  /// The first element; no more is looked for.
  public var first: Element? {
    switch content {
    case .objects(let found):
      found.first.map { Element._object(at: Row(handle: found.handle, key: $0)) }
    case .values: isEmpty ? nil : self[0]
    }
  }

  /// The last element.
  public var last: Element? {
    guard case .objects(let found) = content else { return isEmpty ? nil : self[count - 1] }
    return found.last.map { Element._object(at: Row(handle: found.handle, key: $0)) }
  }

  /// Whether both ask the same of the same realm.
  public static func == (a: Results, b: Results) -> Bool {
    switch (a.content, b.content) {
    case (.objects(let x), .objects(let y)):
      x === y
        || x.handle === y.handle && x.source.isSame(as: y.source)
          && x.query.predicate == y.query.predicate && x.query.steps == y.query.steps
    case (.values(let x), .values(let y)): x.place.isSame(as: y.place) && x.steps == y.steps
    default: false
    }
  }
}

extension ObjectSource {
  /// Whether the object was deleted whose collection the rows come from.
  var isInvalidated: Bool {
    switch self {
    case .all: false
    case .collection(let place), .distinct(let place): place.isInvalidated
    case .inverse(let place): place.isInvalidated
    }
  }
}
