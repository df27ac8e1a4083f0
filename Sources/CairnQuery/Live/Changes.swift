import CairnStorage

/// The changes from an older sequence to a newer one, by index. They are always exact: the old
/// elements without those at `deletions`, and with the new ones at `insertions`, are the new
/// elements. The elements at `modifications` are in both sequences, with another value or with
/// changes of their own.
package struct Changes: Hashable, Sendable {
  /// Indexes in the old sequence, in ascending order.
  package var deletions: [Int] = []
  /// Indexes in the new sequence, in ascending order.
  package var insertions: [Int] = []
  /// Indexes in the old sequence, in ascending order. They do not overlap with the deletions.
  package var modifications: [Int] = []
  /// The keys of the objects at `deletions`. For collections of values this and the other arrays of
  /// keys are empty.
  package var deletedKeys: [Int] = []
  /// The keys of the objects at `insertions`.
  package var insertedKeys: [Int] = []
  /// The keys of the objects at `modifications`, in the new sequence.
  package var modifiedKeys: [Int] = []

  /// Creates an empty set of changes.
  package init() {}

  /// Whether nothing changed.
  package var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty
  }

  /// The indexes of `modifications` in the new sequence.
  package var modificationsInNew: [Int] { modifications.map(newIndex) }

  /// The index in the new sequence of an element that was not deleted.
  package func newIndex(ofOld index: Int) -> Int {
    // Deletions before the element move it up; each insertion at or before its new index moves it
    // down again.
    let kept = index - deletions.firstIndex(notBelow: index)
    // The first insertion behind the element is the first with more than `kept` kept elements
    // before it.
    var low = 0
    var high = insertions.count
    while low < high {
      let middle = (low + high) >> 1
      if insertions[middle] - middle <= kept { low = middle + 1 } else { high = middle }
    }
    return kept + low
  }
}

extension Changes {
  /// Computes the changes from one sequence of equatable elements to another.
  ///
  /// - Parameter pairs: Whether a deleted and an inserted element in the same gap between two kept
  ///   ones count as one modification.
  package init<T: Hashable>(from old: [T], to new: [T], pairs: Bool) {
    var numbers: [T: Int] = [:]
    let number = { (element: T) -> Int in
      if let number = numbers[element] { return number }
      numbers[element] = numbers.count
      return numbers.count - 1
    }
    let before = old.map(number)
    self.init(numbers: before, to: new.map(number), pairs: pairs)
  }

  /// Computes the changes between sequences whose elements are already numbered.
  init(numbers old: [Int], to new: [Int], pairs: Bool) {
    var oldIndex = 0
    var newIndex = 0
    let close = { (changes: inout Changes, oldEnd: Int, newEnd: Int) in
      let shared = pairs ? min(oldEnd - oldIndex, newEnd - newIndex) : 0
      changes.modifications += oldIndex..<oldIndex + shared
      changes.deletions += oldIndex + shared..<oldEnd
      changes.insertions += newIndex + shared..<newEnd
    }
    for (keptOld, keptNew) in SequenceDifference(old, new: new).kept {
      close(&self, keptOld, keptNew)
      oldIndex = keptOld + 1
      newIndex = keptNew + 1
    }
    close(&self, old.count, new.count)
  }

  /// Computes the changes from one list of objects to another. Each occurrence of an object counts
  /// separately.
  ///
  /// - Parameters:
  ///   - old: The keys, without those of objects that were not live.
  ///   - modified: The objects that changed themselves.
  ///   - pairs: Whether an object that replaces another is a modification, as in lists. Otherwise,
  ///     as in results, it is a deletion and an insertion.
  package init(ofKeys old: [Int], to new: [Int], modified: KeyRangeSet, pairs: Bool) {
    self.init()
    if old == new {
      if !modified.isEmpty { modifications = old.indices.filter { modified.contains(old[$0]) } }
    } else {
      self.init(numbers: old, to: new, pairs: pairs)
      if !modified.isEmpty { addModified(modified, old: old) }
    }
    deletedKeys = deletions.map { old[$0] }
    insertedKeys = insertions.map { new[$0] }
    modifiedKeys = modificationsInNew.map { new[$0] }
  }

  private mutating func addModified(_ modified: KeyRangeSet, old: [Int]) {
    let gone = Set(deletions + modifications)
    let stayed = old.indices.filter { modified.contains(old[$0]) && !gone.contains($0) }
    modifications = (modifications + stayed).sorted()
  }

  /// Computes the changes from one list of values to another, comparing stored elements.
  package init(ofList old: StoredCollection, to new: StoredCollection) {
    self.init(old, to: new, pairs: true)
  }

  /// Computes the changes from one set of values to another. The result has no modifications.
  package init(ofSet old: StoredCollection, to new: StoredCollection) {
    self.init(old, to: new, pairs: false)
  }

  private init(_ old: StoredCollection, to new: StoredCollection, pairs: Bool) {
    let most = min(old.count, new.count)
    var start = 0
    while start < most, old.isSame(at: start, as: new, at: start) { start += 1 }
    var end = 0
    while end < most - start, old.isSame(at: old.count - 1 - end, as: new, at: new.count - 1 - end)
    {
      end += 1
    }
    self.init(
      from: (start..<old.count - end).map(old.storedElement),
      to: (start..<new.count - end).map(new.storedElement), pairs: pairs)
    guard start > 0 else { return }
    deletions = deletions.map { $0 + start }
    insertions = insertions.map { $0 + start }
    modifications = modifications.map { $0 + start }
  }
}

/// The changes from an older map to a newer one, by key.
package struct MapChanges: Hashable, Sendable {
  /// The keys that only the old map has, in the order of their UTF-8 bytes.
  package var deletions: [String] = []
  /// The keys that only the new map has.
  package var insertions: [String] = []
  /// The keys that both maps have, with different values.
  package var modifications: [String] = []

  /// Whether nothing changed.
  package var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty
  }

  /// Creates an empty set of changes.
  package init() {}

  /// Computes the changes from one map to another, comparing stored entries.
  ///
  /// - Parameter isModified: Whether the entry at that index of the new map counts as changed
  ///   although the value is the same, because it is an object that changed or was deleted.
  package init(
    from old: StoredCollection, to new: StoredCollection,
    isModified: (Int) -> Bool = { _ in false }
  ) {
    var before = 0
    var after = 0
    while before < old.count || after < new.count {
      let order =
        before == old.count
        ? 1 : after == new.count ? -1 : byteOrder(old.key(at: before), and: new.key(at: after))
      if order < 0 {
        deletions.append(old.keyText(at: before))
      } else if order > 0 {
        insertions.append(new.keyText(at: after))
      } else if !old.isSame(at: before, as: new, at: after) || isModified(after) {
        modifications.append(new.keyText(at: after))
      }
      if order <= 0 { before += 1 }
      if order >= 0 { after += 1 }
    }
  }
}

/// The bytes of an element.
private struct ElementBytes: Hashable {
  let bytes: [UInt8]?
}

extension StoredCollection {
  /// Whether an element is stored as the same bytes as an element of another collection of that
  /// type.
  fileprivate func isSame(at index: Int, as other: StoredCollection, at otherIndex: Int) -> Bool {
    let isNull = isNull(at: index)
    guard isNull == other.isNull(at: otherIndex) else { return false }
    return isNull || bytesEqual(bytes(at: index), and: other.bytes(at: otherIndex))
  }

  fileprivate func storedElement(at index: Int) -> ElementBytes {
    ElementBytes(bytes: isNull(at: index) ? nil : Array(bytes(at: index)))
  }
}
