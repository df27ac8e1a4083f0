import CairnStorage

/// Mutations. A list in a realm needs a write transaction for them; an index out of bounds is a
/// programming error.
extension List {
  /// Appends an element.
  @inlinable
  public func append(_ object: Element) {
    if isUnmanaged { unmanaged.append(object) } else { append(objectsIn: CollectionOfOne(object)) }
  }

  /// Appends elements.
  @inlinable
  public func append<S: Sequence>(objectsIn objects: S) where S.Element == Element {
    if isUnmanaged { unmanaged.append(contentsOf: objects) } else { appendStored(Array(objects)) }
  }

  @usableFromInline
  func appendStored(_ objects: [Element]) {
    guard let reference else { return }
    let stored = reference.stored(objects)
    reference.editList { $0.list.append(contentsOf: stored) }
  }

  /// Inserts an element before the one at an index, or at the end.
  public func insert(_ object: Element, at index: Int) {
    insert(contentsOf: CollectionOfOne(object), at: index)
  }

  /// Inserts elements before the one at an index, or at the end.
  public func insert<C: Collection>(contentsOf newElements: C, at index: Int)
  where C.Element == Element {
    checkIndex(index, below: count + 1)
    replaceSubrange(index..<index, with: newElements)
  }

  /// Replaces the element at an index.
  public func replace(index: Int, object: Element) {
    checkIndex(index, below: count)
    replaceSubrange(index..<index + 1, with: CollectionOfOne(object))
  }

  /// Replaces the elements in a range of indices with any number of others.
  public func replaceSubrange<C: Collection, R: RangeExpression>(
    _ subrange: R, with newElements: C
  ) where C.Element == Element, R.Bound == Int {
    let range = checked(subrange)
    guard let reference else { return unmanaged.replaceSubrange(range, with: newElements) }
    let stored = reference.stored(Array(newElements))
    reference.editList { draft in
      let old = Array(draft.list[range])
      draft.list.replaceSubrange(range, with: stored)
      reference.removeEmbedded(old)
    }
  }

  /// Moves an element to another index, which is counted after its removal.
  public func move(from: Int, to: Int) {
    checkIndex(from, below: count)
    checkIndex(to, below: count)
    guard from != to else { return }
    guard let reference else { return unmanaged.insert(unmanaged.remove(at: from), at: to) }
    reference.editList { $0.list.insert($0.list.remove(at: from), at: to) }
  }

  /// Exchanges two elements.
  public func swapAt(_ index1: Int, _ index2: Int) {
    checkIndex(index1, below: count)
    checkIndex(index2, below: count)
    guard let reference else { return unmanaged.swapAt(index1, index2) }
    reference.editList { $0.list.swapAt(index1, index2) }
  }
}

extension List {
  /// Removes the element at an index. An object remains in the realm, unless it is embedded.
  public func remove(at index: Int) {
    checkIndex(index, below: count)
    removeSubrange(index..<index + 1)
  }

  /// Removes the elements in a range of indices.
  public func removeSubrange<R: RangeExpression>(_ bounds: R) where R.Bound == Int {
    replaceSubrange(bounds, with: EmptyCollection())
  }

  /// Removes the first elements.
  public func removeFirst(_ number: Int = 1) {
    checkNumber(number)
    removeSubrange(0..<number)
  }

  /// Removes the last elements.
  public func removeLast(_ number: Int = 1) {
    checkNumber(number)
    removeSubrange(count - number..<count)
  }

  /// Removes all elements.
  ///
  /// - Parameter keepingCapacity: has no effect; present for compatibility with arrays.
  public func removeAll(keepingCapacity: Bool = false) { removeSubrange(0..<count) }

  private func checkNumber(_ number: Int) {
    guard number >= 0 else { programmingError("Cannot remove a negative number of elements.") }
    guard number <= count else {
      programmingError(
        "It is not possible to remove more objects (\(number)) from a collection than it already "
          + "contains (\(count))."
      )
    }
  }

  private func checked<R: RangeExpression>(_ range: R) -> Range<Int> where R.Bound == Int {
    let range = range.relative(to: 0..<count)
    checkIndex(range.lowerBound, below: count + 1)
    checkIndex(range.upperBound, below: count + 1)
    return range
  }
}

/// The conformance that sorts, reverses and shuffles a list in place, as it does an array.
extension List: MutableCollection {
  /// The elements in a range of indices. The new elements are copied first, so they may be those of
  /// the list itself.
  public subscript(bounds: Range<Int>) -> Slice<List> {
    get { Slice(base: self, bounds: bounds) }
    set { replaceSubrange(bounds, with: Array(newValue)) }
  }
}

extension CollectionReference {
  /// The stored form of elements. Unmanaged objects among them are added.
  func stored<Element: RealmCollectionValue>(_ elements: [Element]) -> [StoredElement] {
    checkWriting()
    let owner = owner
    return elements.map { $0._element(in: owner) }
  }

  /// Deletes embedded objects that were removed from their collection.
  func removeEmbedded(_ old: [StoredElement]) {
    guard owner.embedding != nil, let target = elements.target else { return }
    let writer = session.writer(of: target)
    orFatal {
      for case .int(let key) in old.map(\.value) where target.table.isLive(Int(key)) {
        try session.deletingRows([Int(key)], from: target) { try writer.delete(Int(key)) }
      }
    }
  }
}
