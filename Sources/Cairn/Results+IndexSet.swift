import CairnObjects
import Foundation

extension Results {
  /// The objects at these places; a place beyond the results is a programming error.
  public func objects(at indexes: IndexSet) -> [Element] {
    indexes.map { self[$0] }
  }
}
