import CairnObjects
import Foundation

/// The index set operations that SwiftUI's lists use.
extension List {
  /// Removes the elements at the given indexes.
  public func remove(atOffsets offsets: IndexSet) {
    // Iterates backwards, so that the remaining indexes stay valid.
    for range in offsets.rangeView.reversed() { removeSubrange(range) }
  }

  /// Moves the elements at the given indexes in front of the element at `destination`, and keeps
  /// their order.
  public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
    let moved = offsets.map { $0 }
    // Each element that leaves from before the destination shifts the destination down by one.
    for (number, index) in moved.filter({ $0 < destination }).enumerated() {
      move(from: index - number, to: destination - 1)
    }
    for (number, index) in moved.filter({ $0 >= destination }).enumerated() {
      move(from: index, to: destination + number)
    }
  }
}
