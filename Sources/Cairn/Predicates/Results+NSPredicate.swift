import CairnObjects
import Foundation

extension Results {
  /// Those objects that also meet the predicate.
  ///
  ///     dogs.filter(NSPredicate(format: "location IN %@", argumentArray: [box]))
  public func filter(_ predicate: NSPredicate) -> Results {
    meeting(condition(of: predicate))
  }

  /// The place of the first object that meets the predicate; nil when none does.
  public func index(matching predicate: NSPredicate) -> Int? {
    index(meeting: condition(of: predicate))
  }

  private func condition(of predicate: NSPredicate) -> Predicate {
    predicate.condition { reading($0, $1) }
  }
}
