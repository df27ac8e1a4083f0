import CairnStorage

/// An iterator over the elements that a collection had when the iteration began.
public struct RealmCollectionIterator<Element: RealmCollectionValue>: IteratorProtocol {
  private enum Source {
    case unmanaged([Element])
    case stored(StoredElements)
  }

  private let source: Source
  private let count: Int
  private var index = 0

  init(_ unmanaged: [Element]) {
    source = .unmanaged(unmanaged)
    count = unmanaged.count
  }

  init(_ stored: StoredElements) {
    source = .stored(stored)
    count = stored.count
  }

  /// The next element.
  public mutating func next() -> Element? {
    guard index < count else { return nil }
    defer { index += 1 }
    switch source {
    case .unmanaged(let elements): return elements[index]
    case .stored(let elements):
      elements.session.checkQuickly()
      return Element._element(elements, at: index)
    }
  }
}

/// Ends the program if the index is out of bounds.
@inline(__always)
func checkIndex(_ index: Int, below count: Int) {
  if index < 0 || index >= count { outOfBounds(index, count: count) }
}

/// Ends the program with the message for an index out of bounds.
@inline(never)
func outOfBounds(_ index: Int, count: Int) -> Never {
  programmingError("Index \(index) is out of bounds (must be less than \(count)).")
}
