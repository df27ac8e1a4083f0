import CairnObjects
import CairnQuery
import Foundation

extension NSPredicate {
  /// The condition of the predicate; a block, which no store can be asked, is a programming error.
  ///
  /// - Parameter read: reads the text of a part with its arguments.
  func condition(_ read: (String, [Any?]) -> Predicate) -> Predicate {
    if let compound = self as? NSCompoundPredicate { return compound.joined(read) }
    #if canImport(Darwin)
    return read(predicateFormat, [])
    #else
    if self == NSPredicate(value: true) { return .true }
    if self == NSPredicate(value: false) { return Predicate(Node.constant(false)) }
    let reader = PredicateWording.Reader()
    _ = evaluate(with: reader)
    guard let wording = reader.wording else {
      programmingError("Only predicates with a format can be asked of a realm, not blocks.")
    }
    return read(wording.format, wording.arguments)
    #endif
  }
}

extension NSCompoundPredicate {
  fileprivate func joined(_ read: (String, [Any?]) -> Predicate) -> Predicate {
    // Darwin has them as Any.
    let parts = (subpredicates as [Any]).map { part in
      guard let predicate = part as? NSPredicate else {
        programmingError("A compound predicate is made of predicates.")
      }
      return predicate.condition(read).root
    }
    switch compoundPredicateType {
    case .and: return Predicate(Node.all(parts))
    case .or: return Predicate(Node.any(parts))
    case .not: return Predicate(Node.not(.all(parts)))
    @unknown default: programmingError("A compound predicate of an unknown type cannot be asked.")
    }
  }
}
