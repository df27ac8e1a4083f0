import CairnStorage

/// Changes. Of a list in a realm they need a write transaction; a place beyond the list is a programming error.
extension List {
  /// Adds an element at the end.
  @inlinable
  public func append(_ object: Element) {
    if isLoose { loose.append(object) } else { append(objectsIn: CollectionOfOne(object)) }
  }

  /// Adds elements at the end.
  @inlinable
  public func append<S: Sequence>(objectsIn objects: S) where S.Element == Element {
    if isLoose { loose.append(contentsOf: objects) } else { appendStored(Array(objects)) }
  }

  @usableFromInline
  func appendStored(_ objects: [Element]) {
    guard let place else { return }
    let stored = place.stored(objects)
    place.editList { $0.list.append(contentsOf: stored) }
  }

  /// Puts an element in front of the one at a place, or behind the last.
  public func insert(_ object: Element, at index: Int) {
    insert(contentsOf: CollectionOfOne(object), at: index)
  }

  /// Puts elements in front of the one at a place, or behind the last.
  public func insert<C: Collection>(contentsOf newElements: C, at index: Int)
  where C.Element == Element {
    checkIndex(index, below: count + 1)
    replaceSubrange(index..<index, with: newElements)
  }

  /// Puts an element in the place of another.
  public func replace(index: Int, object: Element) {
    checkIndex(index, below: count)
    replaceSubrange(index..<index + 1, with: CollectionOfOne(object))
  }

  /// Puts elements in the place of others, as many as there are.
  public func replaceSubrange<C: Collection, R: RangeExpression>(
    _ subrange: R, with newElements: C
  ) where C.Element == Element, R.Bound == Int {
    let range = checked(subrange)
    guard let place else { return loose.replaceSubrange(range, with: newElements) }
    let stored = place.stored(Array(newElements))
    place.editList { draft in
      let old = Array(draft.list[range])
      draft.list.replaceSubrange(range, with: stored)
      place.removeEmbedded(old)
    }
  }

  /// Moves an element to another place, which is counted without it.
  public func move(from: Int, to: Int) {
    checkIndex(from, below: count)
    checkIndex(to, below: count)
    guard from != to else { return }
    guard let place else { return loose.insert(loose.remove(at: from), at: to) }
    place.editList { $0.list.insert($0.list.remove(at: from), at: to) }
  }

  /// Changes over two elements.
  public func swapAt(_ index1: Int, _ index2: Int) {
    checkIndex(index1, below: count)
    checkIndex(index2, below: count)
    guard let place else { return loose.swapAt(index1, index2) }
    place.editList { $0.list.swapAt(index1, index2) }
  }
}

extension List {
  /// Removes the element at a place; of a list of objects the object stays in the realm.
  public func remove(at index: Int) {
    checkIndex(index, below: count)
    removeSubrange(index..<index + 1)
  }

  /// Removes the elements of a range of places.
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
  /// - Parameter keepingCapacity: is there for likeness with arrays, and does nothing.
  public func removeAll(keepingCapacity: Bool = false) { removeSubrange(0..<count) }

  private func checkNumber(_ number: Int) {
    guard number >= 0 else { programmingError("Cannot remove a negative number of elements.") }
    guard number <= count else {
      programmingError(
        "It is not possible to remove more objects (\(number)) from a collection than it already contains (\(count))."
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

/// A list is sorted, reversed and shuffled in place as arrays are.
extension List: MutableCollection {
  /// The elements of a range of places; those that are put in their place are taken at once, also of the list itself.
  public subscript(bounds: Range<Int>) -> Slice<List> {
    get { Slice(base: self, bounds: bounds) }
    set { replaceSubrange(bounds, with: Array(newValue)) }
  }
}

extension CollectionPlace {
  /// What is stored for elements; objects among them that are in no store are added.
  func stored<Element: RealmCollectionValue>(_ elements: [Element]) -> [StoredElement] {
    checkWriting()
    let owner = owner
    return elements.map { $0._element(in: owner) }
  }

  /// Deletes embedded objects that their collection holds no more.
  func removeEmbedded(_ old: [StoredElement]) {
    guard owner.embedding != nil, let target = elements.target else { return }
    let writer = session.writer(of: target)
    trapping {
      for case .int(let key) in old.map(\.value) where target.table.isLive(Int(key)) {
        try writer.delete(Int(key))
      }
    }
  }
}
