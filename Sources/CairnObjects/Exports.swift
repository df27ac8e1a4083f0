// The types that users of the library need without further imports: shapes, identifiers, decimals
// and predicates.
@_exported import CairnGeometry
@_exported import CairnQuery
@_exported import CairnValues

/// A condition on the objects of a class.
///
/// Declared again here, so that the name refers to Cairn's type in files that also import
/// Foundation, which has its own.
public typealias Predicate = CairnQuery.Predicate

extension Predicate {
  /// The error of an invalid predicate and its position in the text. Use this name in files that
  /// import Foundation, which has a `PredicateError` of its own.
  public typealias Error = PredicateError
}
