import CairnQuery

extension Results {
  /// Returns an iterator over the elements of the present snapshot, which are found as the loop
  /// proceeds.
  ///
  /// In a write transaction, all elements are found before the first is returned, so that a loop
  /// that changes them visits those of its beginning.
  public func makeIterator() -> ResultsIterator<Element> {
    switch content {
    case .values(let values): ResultsIterator(values)
    case .objects(let found): ResultsIterator(found)
    }
  }
}

/// An iterator over results.
@frozen
public struct ResultsIterator<Element: RealmCollectionValue>: IteratorProtocol {
  /// The class; nil for values.
  @usableFromInline let handle: ClassHandle?
  /// The keys fetched last, followed by the index of the next one.
  @usableFromInline var keys: [Int] = []
  @usableFromInline var nextIndex = 0
  @usableFromInline let rest: RestOfResults<Element>

  init(_ found: ResultCache) {
    handle = found.handle
    if found.handle.session.transaction == nil {
      rest = RestOfResults(found.handle.session, cursor: found.makeCursor())
    } else {
      rest = RestOfResults(found.handle.session, cursor: nil)
      keys = found.allKeys
    }
  }

  init(_ found: ValueResultCache) {
    handle = nil
    let elements = found.elements
    let isWriting = found.session.transaction != nil
    rest = RestOfResults(
      found.session, cursor: nil,
      values: RealmCollectionIterator(isWriting ? elements.unchanging : elements))
  }

  /// The next element.
  @inlinable
  public mutating func next() -> Element? {
    if nextIndex == keys.count {
      guard let handle else { return rest.nextValue() }
      guard let more = rest.nextKeys() else { return nil }
      keys = more
      nextIndex = 1
      return Element._object(at: Row(handle: handle, key: keys[0]))
    }
    guard let handle else { return nil }
    nextIndex += 1
    return Element._object(at: Row(handle: handle, key: keys[nextIndex - 1]))
  }
}

/// The source of the elements that an iterator fetches next.
@usableFromInline
final class RestOfResults<Element: RealmCollectionValue> {
  private let session: Session
  private var cursor: KeyCursor?
  private var values: RealmCollectionIterator<Element>?

  init(
    _ session: Session, cursor: KeyCursor?, values: RealmCollectionIterator<Element>? = nil
  ) {
    self.session = session
    self.cursor = cursor
    self.values = values
  }

  /// The next keys, at least one; nil after the last.
  @usableFromInline
  func nextKeys() -> [Int]? {
    session.checkThread()
    return cursor?.nextPortion()
  }

  /// The next value; nil after the last.
  @usableFromInline
  func nextValue() -> Element? { values?.next() }
}
