import CairnObjects
import Foundation

/// What lists of user interfaces hand over: sets of places.
extension List {
  /// Removes the elements at these places.
  public func remove(atOffsets offsets: IndexSet) {
    // From the end, so that the places of the rest stay what they are.
    for range in offsets.rangeView.reversed() { removeSubrange(range) }
  }

  /// Moves the elements at these places in front of the one at `destination`, in their order.
  public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
    let moved = offsets.map { $0 }
    // Those in front of the destination make it come nearer as they leave.
    for (number, place) in moved.filter({ $0 < destination }).enumerated() {
      move(from: place - number, to: destination - 1)
    }
    for (number, place) in moved.filter({ $0 >= destination }).enumerated() {
      move(from: place, to: destination + number)
    }
  }
}
