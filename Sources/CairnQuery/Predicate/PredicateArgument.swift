import CairnGeometry
import CairnValues

/// What a `%@`, `%K`, `%d` or `$0` stands for.
package enum PredicateArgument: Hashable, Sendable {
  /// A constant, which may be an object (`.link`); for `%K` the path of a property, as text.
  case value(Value)
  /// The constants of an `IN` or the two of a `BETWEEN`.
  case list([Value])
  /// The ends of a range, for `IN` and `BETWEEN`; of a half-open one the upper is not part.
  case range(Value, Value, isClosed: Bool)
  /// What a location is to lie within.
  case shape(Shape)
}
