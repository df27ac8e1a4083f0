/// How a sequence came about from an older one, by places. Always exact: the old elements without those at `deletions`,
/// and with the new ones at `insertions`, are the new elements; those at `modifications` are there before and after,
/// and are another value or have changed themselves.
package struct Changes: Hashable, Sendable {
  /// Places in the old sequence, rising.
  package var deletions: [Int] = []
  /// Places in the new sequence, rising.
  package var insertions: [Int] = []
  /// Places in the old sequence, rising; none of them is among the deletions.
  package var modifications: [Int] = []
  /// The keys of the objects at `deletions`; of collections of values empty, as the other keys are.
  package var deletedKeys: [Int] = []
  /// The keys of the objects at `insertions`.
  package var insertedKeys: [Int] = []
  /// The keys of the objects at `modifications`, in the new sequence.
  package var modifiedKeys: [Int] = []

  /// No changes.
  package init() {}

  package var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty
  }

  /// The places of `modifications` in the new sequence.
  package var modificationsInNew: [Int] { modifications.map(newPlace) }

  /// The place in the new sequence of an element that stood at an old place and was not deleted.
  package func newPlace(ofOld place: Int) -> Int {
    // Deletions before it move it up; each insertion at or before where it stands then moves it down again.
    let kept = place - deletions.firstPlace(notBelow: place)
    // The first insertion with more than `kept` kept elements before it is behind the element.
    var low = 0
    var high = insertions.count
    while low < high {
      let middle = (low + high) >> 1
      if insertions[middle] - middle <= kept { low = middle + 1 } else { high = middle }
    }
    return kept + low
  }
}
