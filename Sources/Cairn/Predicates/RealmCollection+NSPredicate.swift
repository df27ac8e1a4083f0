import CairnObjects
import Foundation

extension RealmCollection {
  /// Those objects that also meet the predicate.
  ///
  ///     dogs.filter(NSPredicate(format: "location IN %@", argumentArray: [box]))
  public func filter(_ predicate: NSPredicate) -> Results<Element> {
    storedResults.meeting(condition(of: predicate))
  }

  /// The place of the first object that meets the predicate; nil when none does.
  public func index(matching predicate: NSPredicate) -> Int? {
    storedResults.index(meeting: condition(of: predicate))
  }

  private func condition(of predicate: NSPredicate) -> Predicate {
    predicate.condition { storedResults.reading($0, $1) }
  }
}
