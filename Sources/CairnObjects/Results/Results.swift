import CairnQuery
import CairnStorage

/// The objects of a class that fit a condition, in an order: found when they are asked for, and only as many.
///
/// Results are live: once their realm is refreshed they are those of the new state.
public struct Results<Element: RealmCollectionValue> {
  let handle: ClassHandle
  let query: TableQuery
  let found: FoundKeys

  init(handle: ClassHandle) {
    self.init(handle: handle, query: TableQuery(table: handle.name))
  }

  init(handle: ClassHandle, query: TableQuery) {
    self.handle = handle
    self.query = query
    found = FoundKeys(handle, query)
  }

  /// The same with another query on the class.
  func asking(_ change: (inout TableQuery) -> Void) -> Results {
    if query.limit != nil || query.offset > 0 {
      programmingError(
        "Results with a limit cannot be narrowed or ordered further; put the limit last.")
    }
    var query = query
    change(&query)
    return Results(handle: handle, query: query)
  }
}

extension Results {
  /// The object at a place of the results; a place beyond them is a programming error.
  public subscript(position: Int) -> Element {
    guard let key = found.key(at: position) else {
      programmingError(
        "Index \(position) is out of bounds (must be less than \(found.count)).")
    }
    return element(key)
  }

  /// The first object; no more is looked for.
  public var first: Element? {
    found.first.map(element)
  }

  /// The last object.
  public var last: Element? {
    count == 0 ? nil : self[count - 1]
  }

  private func element(_ key: Int) -> Element {
    Element._object(at: Row(handle: handle, key: key))
  }
}

extension Results: RandomAccessCollection, LazyCollectionProtocol {
  /// How many objects there are; they are counted, not fetched.
  public var count: Int { found.count }
  /// Always 0.
  public var startIndex: Int { 0 }
  /// How many objects there are.
  public var endIndex: Int { found.count }
  /// Whether there is no object; one is looked for at most.
  public var isEmpty: Bool { found.first == nil }

  /// The objects of the state at this moment, one after the other, found as the loop goes on.
  public func makeIterator() -> ResultsIterator<Element> {
    ResultsIterator(handle, found.makeCursor())
  }
}

extension Results where Element == DynamicObject {
  /// The place of an object in the results; nil when it is not among them.
  public func index(of object: DynamicObject) -> Int? {
    guard let row = object.row, row.handle === handle else { return nil }
    return found.place(of: row.key)
  }
}

/// Goes through results.
public struct ResultsIterator<Element: RealmCollectionValue>: IteratorProtocol {
  private let handle: ClassHandle
  private var cursor: KeyCursor

  init(_ handle: ClassHandle, _ cursor: KeyCursor) {
    self.handle = handle
    self.cursor = cursor
  }

  /// The next object.
  public mutating func next() -> Element? {
    guard let key = cursor.next() else { return nil }
    return Element._object(at: Row(handle: handle, key: key))
  }
}

extension Results: CustomStringConvertible {
  /// The objects, a hundred at most.
  public var description: String {
    let shown = prefix(100).enumerated().map { place, object in
      "\t[\(place)] " + "\(object)".split(separator: "\n").joined(separator: "\n\t")
    }
    let rest = count > 100 ? ["\t... \(count - 100) objects skipped."] : []
    return "Results<\(handle.name)> (\n\((shown + rest).joined(separator: ",\n"))\n)"
  }
}
