// What a user of the library meets without importing more: shapes, identifiers, decimals, predicates.
@_exported import CairnGeometry
@_exported import CairnQuery
@_exported import CairnValues

/// A condition on the objects of a class.
///
/// Named again here, so that it is this one in files that import Foundation, which has another.
public typealias Predicate = CairnQuery.Predicate

extension Predicate {
  /// What is wrong with a predicate, and where: the name to use in files that import Foundation, which has a
  /// `PredicateError` of its own.
  public typealias Error = PredicateError
}
