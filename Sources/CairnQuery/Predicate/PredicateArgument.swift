import CairnGeometry
import CairnValues

/// What a `%@`, `%K`, `%d` or `$0` stands for.
package enum PredicateArgument: Hashable, Sendable {
  /// A constant; for `%K` the path of a property, as text.
  case value(Value)
  /// The constants of an `IN` or the two of a `BETWEEN`.
  case list([Value])
  /// What a location is to lie within.
  case shape(Shape)
}
