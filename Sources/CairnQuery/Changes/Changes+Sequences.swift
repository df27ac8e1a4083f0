import CairnStorage

extension Changes {
  /// What makes one row of equal or unequal elements of another.
  ///
  /// - Parameter pairs: whether an element that is gone, and one that is new in the same gap between two that stayed,
  ///   count as one that was replaced: a modification.
  package init<T: Hashable>(from old: [T], to new: [T], pairs: Bool) {
    var numbers: [T: Int] = [:]
    let number = { (element: T) -> Int in
      if let known = numbers[element] { return known }
      numbers[element] = numbers.count
      return numbers.count - 1
    }
    let before = old.map(number)
    self.init(numbers: before, to: new.map(number), pairs: pairs)
  }

  /// The same of elements that are numbers already.
  init(numbers old: [Int], to new: [Int], pairs: Bool) {
    var oldPlace = 0
    var newPlace = 0
    let close = { (changes: inout Changes, oldEnd: Int, newEnd: Int) in
      let shared = pairs ? min(oldEnd - oldPlace, newEnd - newPlace) : 0
      changes.modifications += oldPlace..<oldPlace + shared
      changes.deletions += oldPlace + shared..<oldEnd
      changes.insertions += newPlace + shared..<newEnd
    }
    for (keptOld, keptNew) in SequenceDifference(old, new).kept {
      close(&self, keptOld, keptNew)
      oldPlace = keptOld + 1
      newPlace = keptNew + 1
    }
    close(&self, old.count, new.count)
  }

  /// What makes one list of objects of another: of an object that stands several times each place counts for itself.
  ///
  /// - Parameters:
  ///   - old: the keys, without those of objects that did not live.
  ///   - modified: objects that changed themselves.
  ///   - pairs: whether one object in the place of another is a modification, as in lists; else, as in results,
  ///     it is a deletion and an insertion.
  package init(ofKeys old: [Int], to new: [Int], modified: KeyRuns, pairs: Bool) {
    self.init()
    if old == new {
      if !modified.isEmpty { modifications = old.indices.filter { modified.contains(old[$0]) } }
    } else {
      self.init(numbers: old, to: new, pairs: pairs)
      if !modified.isEmpty { addModified(modified, old) }
    }
    deletedKeys = deletions.map { old[$0] }
    insertedKeys = insertions.map { new[$0] }
    modifiedKeys = modificationsInNew.map { new[$0] }
  }

  private mutating func addModified(_ modified: KeyRuns, _ old: [Int]) {
    let gone = Set(deletions + modifications)
    let stayed = old.indices.filter { modified.contains(old[$0]) && !gone.contains($0) }
    modifications = (modifications + stayed).sorted()
  }

  /// What makes one list of values of another, by its elements as they are stored.
  package init(ofList old: StoredCollection, to new: StoredCollection) {
    self.init(old, to: new, pairs: true)
  }

  /// What makes one set of values of another: an element is there or it is not.
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

/// How a map came about from an older one, by keys.
package struct MapChanges: Hashable, Sendable {
  /// Keys that the old map had and the new one has not, rising by their UTF-8 bytes.
  package var deletions: [String] = []
  /// Keys that the new map has and the old one had not.
  package var insertions: [String] = []
  /// Keys that both have, with other values.
  package var modifications: [String] = []

  package var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty
  }

  /// No changes.
  package init() {}

  /// What makes one map of another, by its entries as they are stored.
  ///
  /// - Parameter isModified: whether what the new map has at a place counts as changed, though it is the same value: an
  ///   object that changed itself, or was deleted.
  package init(
    from old: StoredCollection, to new: StoredCollection,
    isModified: (Int) -> Bool = { _ in false }
  ) {
    var before = 0
    var after = 0
    while before < old.count || after < new.count {
      let order =
        before == old.count
        ? 1 : after == new.count ? -1 : byteOrder(old.key(at: before), new.key(at: after))
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

/// An element as its bytes.
private struct ElementBytes: Hashable {
  let bytes: [UInt8]?
}

extension StoredCollection {
  /// Whether an element is stored as the same bytes as one of another collection of that type.
  fileprivate func isSame(at place: Int, as other: StoredCollection, at otherPlace: Int) -> Bool {
    let isNull = isNull(at: place)
    guard isNull == other.isNull(at: otherPlace) else { return false }
    return isNull || bytesEqual(bytes(at: place), other.bytes(at: otherPlace))
  }

  fileprivate func storedElement(at place: Int) -> ElementBytes {
    ElementBytes(bytes: isNull(at: place) ? nil : Array(bytes(at: place)))
  }
}
