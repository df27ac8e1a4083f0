import CairnObjects
import Foundation

extension RealmKeyedCollection {
  /// The objects in the map that meet the predicate.
  public func filter(_ predicate: NSPredicate) -> Results<Value> {
    storedResults.filter(predicate)
  }
}
