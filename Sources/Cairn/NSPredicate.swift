import CairnObjects
import CairnQuery
import Foundation

#if !canImport(Darwin)
// Foundation declares its own initializers on Linux but marks them unavailable; these replace them.
extension NSPredicate {
  /// Parses a condition in the predicate language, with arguments for its `%@`, `%K`, `%d` and
  /// `$0`.
  ///
  /// A mistake in the format ends the program; `Predicate(_:_:)` throws the same message.
  public convenience init(format: String, _ arguments: Any?...) {
    self.init(format, arguments: arguments)
  }

  /// Parses a condition in the predicate language, with its arguments in an array.
  public convenience init(format: String, argumentArray: [Any]?) {
    self.init(format, arguments: argumentArray ?? [])
  }

  private convenience init(_ format: String, arguments: [Any?]) {
    let captured = CapturedPredicate(format: format, arguments: arguments)
    captured.check()
    self.init { object, _ in captured.evaluate(object) }
  }
}

/// The format and the arguments of a predicate. On Linux `NSPredicate` cannot store them, so its
/// block captures them and passes them to a ``Reader`` that is evaluated as the object.
struct CapturedPredicate: @unchecked Sendable {
  // Sendable: it never changes. The sender of a predicate answers for its arguments, as on Darwin, where
  // `NSPredicate` takes arguments of any type too.
  let format: String
  let arguments: [Any?]

  /// An object whose evaluation retrieves the format and the arguments from a predicate's block.
  final class Reader {
    var captured: CapturedPredicate?
  }

  /// Ends the program if the format has a mistake.
  func check() {
    _ = orFatal { try Predicate(format: format, argumentArray: arguments) }
  }

  /// Returns whether an object meets the condition.
  func evaluate(_ object: Any?) -> Bool {
    switch object {
    case let reader as Reader:
      reader.captured = self
      return true
    case let object as ObjectBase:
      return object.meets(format, arguments: arguments)
    default:
      programmingError("A predicate can only be evaluated with an object of a realm.")
    }
  }
}
#endif

extension NSPredicate {
  /// Returns the condition that the predicate expresses. A block predicate is a programming error,
  /// because a store cannot evaluate one.
  ///
  /// - Parameter read: Parses the format of a simple predicate with its arguments.
  func condition(_ read: (String, [Any?]) -> Predicate) -> Predicate {
    if let compound = self as? NSCompoundPredicate { return compound.joined(read) }
    #if canImport(Darwin)
    return read(predicateFormat, [])
    #else
    if self == NSPredicate(value: true) { return .true }
    if self == NSPredicate(value: false) { return Predicate(PredicateNode.constant(false)) }
    let reader = CapturedPredicate.Reader()
    _ = evaluate(with: reader)
    guard let captured = reader.captured else {
      programmingError("A store can evaluate predicates with a format, but not block predicates.")
    }
    return read(captured.format, captured.arguments)
    #endif
  }
}

extension NSCompoundPredicate {
  fileprivate func joined(_ read: (String, [Any?]) -> Predicate) -> Predicate {
    // On Darwin the elements are `Any`.
    let parts = (subpredicates as [Any]).map { part in
      guard let predicate = part as? NSPredicate else {
        programmingError("A compound predicate can only contain predicates.")
      }
      return predicate.condition(read).root
    }
    switch compoundPredicateType {
    case .and: return Predicate(PredicateNode.all(parts))
    case .or: return Predicate(PredicateNode.any(parts))
    case .not: return Predicate(PredicateNode.not(.all(parts)))
    @unknown default:
      programmingError("A compound predicate of an unknown type cannot be evaluated.")
    }
  }
}

extension RealmCollection {
  /// Returns the objects that also match the predicate.
  ///
  ///     dogs.filter(NSPredicate(format: "location IN %@", argumentArray: [box]))
  public func filter(_ predicate: NSPredicate) -> Results<Element> {
    let results = storedResults
    return results.meeting(predicate.condition { results.reading($0, arguments: $1) })
  }

  /// Returns the index of the first object that matches the predicate, or nil if no object does.
  public func index(matching predicate: NSPredicate) -> Int? {
    index(meeting: predicate.condition { condition($0, arguments: $1) })
  }
}

extension RealmKeyedCollection {
  /// Returns the objects in the map that match the predicate.
  public func filter(_ predicate: NSPredicate) -> Results<Value> {
    storedResults.filter(predicate)
  }
}
