/// Goes through the elements of a collection as they were when it began.
public struct RealmCollectionIterator<Element: RealmCollectionValue>: IteratorProtocol {
  private enum Source {
    case loose([Element])
    case stored(StoredElements)
  }

  private let source: Source
  private let count: Int
  private var place = 0

  init(_ loose: [Element]) {
    source = .loose(loose)
    count = loose.count
  }

  init(_ stored: StoredElements) {
    source = .stored(stored)
    count = stored.count
  }

  /// The next element.
  public mutating func next() -> Element? {
    guard place < count else { return nil }
    defer { place += 1 }
    switch source {
    case .loose(let elements): return elements[place]
    case .stored(let elements):
      elements.session.checkQuickly()
      return Element._element(elements, place)
    }
  }
}

/// Ends the program over a place that a collection does not have.
@inline(__always)
func checkIndex(_ index: Int, below count: Int) {
  if index < 0 || index >= count { outOfBounds(index, count) }
}

@inline(never)
private func outOfBounds(_ index: Int, _ count: Int) -> Never {
  programmingError("Index \(index) is out of bounds (must be less than \(count)).")
}
