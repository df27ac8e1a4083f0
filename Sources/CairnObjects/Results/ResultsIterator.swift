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
@frozen
public struct ResultsIterator<Element: RealmCollectionValue>: IteratorProtocol {
  /// The class; nil for values.
  @usableFromInline let handle: ClassHandle?
  /// The keys at hand, and the next of them.
  @usableFromInline var keys: [Int] = []
  @usableFromInline var place = 0
  @usableFromInline let rest: RestOfResults<Element>

  init(_ found: FoundKeys) {
    handle = found.handle
    if found.handle.session.transaction == nil {
      rest = RestOfResults(found.handle.session, found.makeCursor())
    } else {
      rest = RestOfResults(found.handle.session, nil)
      keys = found.allKeys
    }
  }

  init(_ found: FoundValues) {
    handle = nil
    let elements = found.elements
    let isWriting = found.session.transaction != nil
    rest = RestOfResults(
      found.session, nil, RealmCollectionIterator(isWriting ? elements.unchanging : elements))
  }

  /// The next element.
  @inlinable
  public mutating func next() -> Element? {
    if place == keys.count {
      guard let handle else { return rest.nextValue() }
      guard let more = rest.nextKeys() else { return nil }
      keys = more
      place = 1
      return Element._object(at: Row(handle: handle, key: keys[0]))
    }
    guard let handle else { return nil }
    place += 1
    return Element._object(at: Row(handle: handle, key: keys[place - 1]))
  }
}

/// Where an iterator gets what follows.
@usableFromInline
final class RestOfResults<Element: RealmCollectionValue> {
  private let session: Session
  private var cursor: KeyCursor?
  private var values: RealmCollectionIterator<Element>?

  init(
    _ session: Session, _ cursor: KeyCursor?, _ values: RealmCollectionIterator<Element>? = nil
  ) {
    self.session = session
    self.cursor = cursor
    self.values = values
  }

  /// The keys that follow, one at least; nil when none do.
  @usableFromInline
  func nextKeys() -> [Int]? {
    session.checkThread()
    return cursor?.nextPortion()
  }

  /// The value that follows.
  @usableFromInline
  func nextValue() -> Element? { values?.next() }
}
