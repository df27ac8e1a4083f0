import CairnQuery

extension Results {
  /// The elements of the state at this moment, one after the other, found as the loop goes on.
  ///
  /// In a write transaction they are all found before the first is given, so that a loop that changes them
  /// goes over those of its beginning.
  public func makeIterator() -> ResultsIterator<Element> {
    switch content {
    case .values(let values): ResultsIterator(values)
    case .objects(let found): ResultsIterator(found)
    }
  }
}

/// Goes through results.
public struct ResultsIterator<Element: RealmCollectionValue>: IteratorProtocol {
  private let handle: ClassHandle?
  /// The keys at hand, and the next of them.
  private var keys: [Int] = []
  private var place = 0
  /// Gives the keys that follow.
  private var cursor: KeyCursor?
  private var values: RealmCollectionIterator<Element>?

  init(_ found: FoundKeys) {
    handle = found.handle
    if found.handle.session.transaction == nil {
      cursor = found.makeCursor()
    } else {
      keys = found.allKeys
    }
  }

  init(_ found: FoundValues) {
    handle = nil
    let elements = found.elements
    values = RealmCollectionIterator(
      found.session.transaction == nil ? elements : elements.unchanging)
  }

  /// The next element.
  @inline(__always)
  public mutating func next() -> Element? {
    if place == keys.count, !findMore() { return values?.next() }
    guard let handle else { return nil }
    place += 1
    return Element._object(at: Row(handle: handle, key: keys[place - 1]))
  }

  @inline(never)
  private mutating func findMore() -> Bool {
    guard var cursor, let portion = cursor.nextPortion() else { return false }
    self.cursor = cursor
    keys = portion
    place = 0
    return true
  }
}
