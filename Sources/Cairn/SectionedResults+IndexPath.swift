import CairnObjects
import Foundation

extension SectionedResults {
  /// The element at a path of two places: that of the section, and that in the section.
  public subscript(indexPath: IndexPath) -> SectionElement {
    guard indexPath.count == 2 else {
      programmingError("An index path into sections has two places, not \(indexPath.count).")
    }
    return self[indexPath[0]][indexPath[1]]
  }
}
