import CairnObjects
import Foundation

/// Values by name in the form that programs for Apple platforms expect.
extension RealmCollection {
  /// The value of a property of each object, as objects: numbers as `NSNumber`, texts as `NSString`,
  /// and null as `NSNull`.
  @_disfavoredOverload
  public func value(forKey key: String) -> [AnyObject] {
    let values: [Any?] = value(forKey: key)
    return values.map { $0.map { $0 as AnyObject } ?? NSNull() }
  }
}
