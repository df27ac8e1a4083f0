import CairnGeometry
import CairnValues

/// The predicate tree: every condition stands on two-valued logic, so that `not` always turns the answer.
///
/// What nulls and NaN give is said at each case; `Value.equals` and `Value.order` are the rule for
/// constants. Where a link on the way is null the condition is asked of null. `Predicate.bound(to:in:)` gives
/// constants the type of their property and leaves out what can't be: see there.
package indirect enum Node: Hashable, Sendable {
  /// `TRUEPREDICATE`, `FALSEPREDICATE`.
  case constant(Bool)
  /// All of them; two or more, none of which is itself an `and` when it comes from the parser.
  case and([Node])
  /// Any of them; two or more, none of which is itself an `or` when it comes from the parser.
  case or([Node])
  case not(Node)
  /// `age > 5`, `weight > height`. An order with null or NaN on either side is false; `== null` matches
  /// nulls, `!= 5` matches everything but 5, nulls and NaN included. Of two properties nulls are equal to one
  /// another, and so are NaN.
  case compare(Subject, ComparisonOperator, Operand, StringOptions)
  /// `age BETWEEN {5, 10}`: both ends included.
  case between(Subject, Value, Value)
  /// `age IN {1, 2, nil}`: equal to one of them; nothing is in an empty list.
  case isIn(Subject, [Value], StringOptions)
  /// `name BEGINSWITH[c] 'a'` and its like against a text or data, or another property. A null property
  /// matches nothing. An empty or null operand matches nothing, but for `LIKE`: `LIKE ''` is the empty
  /// text, `LIKE nil` the null.
  case match(Subject, MatchOperator, Operand, StringOptions)
  /// `location GEOWITHIN shape`: a point, or an embedded object that is a location. Null is in no shape;
  /// `ALL` of no locations is false here.
  case within(PropertyPath, Shape)
}

/// What stands between the two sides of a comparison.
package enum ComparisonOperator: String, Hashable, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="

  /// The operator that says the same with the sides changed over.
  package var mirrored: ComparisonOperator {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  /// Whether the operator asks for an order, not for equality.
  package var isOrder: Bool { self != .equal && self != .notEqual }
}

/// The operators that look into a text.
package enum MatchOperator: String, Hashable, Sendable, CaseIterable {
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case contains = "CONTAINS"
  /// `*` is any run of characters, `?` one code point; the whole text has to fit.
  case like = "LIKE"
}

/// Which differences between texts do not count.
public struct StringOptions: OptionSet, Hashable, Sendable {
  /// One bit an option.
  public let rawValue: UInt8

  /// The options of those bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// `[c]`: upper and lower case are the same, in all of Unicode.
  public static let caseInsensitive = StringOptions(rawValue: 1)
  /// `[d]`: letters with and without marks are the same.
  public static let diacriticInsensitive = StringOptions(rawValue: 2)
}
