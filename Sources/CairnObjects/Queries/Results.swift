import CairnQuery
import CairnStorage

/// The objects of a class or a collection that satisfy a condition, in an order, or the values of a
/// collection. Results are lazy: they are computed when read, and only as far as needed.
///
/// Results are live: they follow the writes of their realm, and show the new snapshot after a
/// refresh.
public struct Results<Element: RealmCollectionValue> {
  enum Content {
    case objects(ResultCache)
    case values(ValueResultCache)
  }

  let content: Content

  init(_ content: Content) { self.content = content }

  init(handle: ClassHandle) {
    self.init(handle: handle, query: TableQuery(table: handle.name))
  }

  init(handle: ClassHandle, source: ObjectSource = .all, query: TableQuery) {
    self.init(.objects(ResultCache(handle, source: source, query: query)))
  }

  /// Creates results of the elements of a list or a set.
  init(_ reference: CollectionReference) {
    if let target = reference.elements.target {
      self.init(
        handle: target, source: .collection(reference), query: TableQuery(table: target.name))
    } else {
      self.init(.values(ValueResultCache(reference)))
    }
  }

  /// Creates results of the objects that lead to another object.
  init(_ reference: InverseReference) {
    self.init(
      handle: reference.origin, source: .inverse(reference),
      query: TableQuery(table: reference.origin.name))
  }

  /// The query with its class and cached results; results of values are a programming error.
  var found: ResultCache {
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

  /// Results of a modified query.
  func modifyingQuery(_ change: (inout TableQuery) -> Void) -> Results {
    let found = found
    var query = found.query
    change(&query)
    return Results(handle: found.handle, source: found.source, query: query)
  }
}

extension Results {
  /// The results without duplicate objects.
  var unique: Results {
    Results(handle: found.handle, source: found.source.unique, query: found.query)
  }
}

extension Results: RealmCollection {
  /// The realm that the results read from.
  public var realm: Realm? { Realm(session) }

  /// Whether the object that owns the collection was deleted, or the realm was invalidated.
  public var isInvalidated: Bool {
    switch content {
    case .values(let values): values.reference.isInvalidated
    case .objects(let found): found.isInvalidated
    }
  }

  public var _results: Results<Element>? { self }

  /// The number of elements. Objects are counted without being fetched.
  public var count: Int {
    switch content {
    case .objects(let found): found.count
    case .values(let values): values.elements.count
    }
  }

  /// Whether the results have no elements. Searches for at most one.
  public var isEmpty: Bool {
    switch content {
    case .objects(let found): found.first == nil
    case .values(let values): values.elements.count == 0
    }
  }

  /// The element at an index; an index out of bounds is a programming error.
  public subscript(position: Int) -> Element {
    switch content {
    case .objects(let found):
      guard let key = found.key(at: position) else {
        outOfBounds(position, count: found.count)
      }
      return Element._object(at: Row(handle: found.handle, key: key))
    case .values(let values):
      let elements = values.elements
      checkIndex(position, below: elements.count)
      return Element._element(elements, at: position)
    }
  }

  /// The first element. The search ends there.
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

  /// Returns whether both are the same query on the same realm.
  public static func == (a: Results, b: Results) -> Bool {
    switch (a.content, b.content) {
    case (.objects(let x), .objects(let y)):
      x === y
        || x.handle === y.handle && x.source.isSame(as: y.source)
          && x.query.predicate == y.query.predicate && x.query.steps == y.query.steps
    case (.values(let x), .values(let y)): x.reference.isSame(as: y.reference) && x.steps == y.steps
    default: false
    }
  }
}

extension ObjectSource {
  /// Whether the object that owns the collection was deleted.
  var isInvalidated: Bool {
    switch self {
    case .all: false
    case .collection(let reference), .distinct(let reference): reference.isInvalidated
    case .inverse(let reference): reference.isInvalidated
    }
  }
}

/// The source of the objects of results.
enum ObjectSource {
  /// All objects of the class.
  case all
  /// A list or a set of objects.
  case collection(CollectionReference)
  /// A list or a set of objects without duplicates.
  case distinct(CollectionReference)
  /// The objects that lead to another object.
  case inverse(InverseReference)

  /// The rows to query in the present snapshot.
  var rows: TableQuery.Source {
    switch self {
    case .all: .all
    case .collection(let reference): .keys(reference.elements.links)
    case .distinct(let reference): .keys(reference.elements.links.unique)
    case .inverse(let reference): .keys(reference.keys)
    }
  }

  /// Makes the present tracking depend on the source.
  func track() {
    switch self {
    case .all: break
    case .collection(let reference), .distinct(let reference): reference.track()
    case .inverse(let reference): reference.track()
    }
  }

  /// The source without duplicate rows.
  var unique: ObjectSource {
    if case .collection(let reference) = self { .distinct(reference) } else { self }
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
  /// The numbers without duplicates, in order of first occurrence.
  fileprivate var unique: [Int] {
    var seen = Set<Int>()
    return filter { seen.insert($0).inserted }
  }
}
