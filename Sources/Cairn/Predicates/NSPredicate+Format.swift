#if !canImport(Darwin)
import CairnObjects
import Foundation

// Foundation's own initialisers are declared on Linux, but unavailable; these are called in their place.
extension NSPredicate {
  /// Reads a condition in the predicate language, with arguments for its `%@`, `%K`, `%d` and `$0`.
  ///
  /// A mistake in the text ends the program; `Predicate(_:_:)` throws the same sentence.
  public convenience init(format: String, _ arguments: Any?...) {
    self.init(format, arguments)
  }

  /// The same with the arguments in an array.
  public convenience init(format: String, argumentArray: [Any]?) {
    self.init(format, argumentArray ?? [])
  }

  private convenience init(_ format: String, _ arguments: [Any?]) {
    let wording = PredicateWording(format: format, arguments: arguments)
    wording.check()
    self.init { object, _ in wording.answer(object) }
  }
}

/// The text and the arguments of a predicate, which Foundation's class has no place for on Linux: its block
/// keeps them, and gives them to a reader that is passed as the object.
///
/// Sendable as far as its arguments are; `NSPredicate` itself asks no more.
struct PredicateWording: @unchecked Sendable {
  let format: String
  let arguments: [Any?]

  /// Gives the wording to whoever asks.
  final class Reader {
    var wording: PredicateWording?
  }

  /// Ends the program over a mistake in the text.
  func check() {
    _ = trapping { try Predicate(format: format, argumentArray: arguments) }
  }

  /// Whether an object meets the condition.
  func answer(_ object: Any?) -> Bool {
    switch object {
    case let reader as Reader:
      reader.wording = self
      return true
    case let object as ObjectBase:
      return object.meets(format, arguments)
    default:
      programmingError("Only objects of a realm can be asked whether they meet a predicate.")
    }
  }
}
#endif
