import CairnStorage
import CairnValues

/// What a bound condition speaks of, and what is known of its values.
struct Target {
  let subject: Subject
  /// The type of the values; of mixed ones whatever they hold.
  let type: ValueType
  /// The class of values that are objects.
  let table: TableSchema?
  /// A number of elements and a sum are never null.
  let canBeNull: Bool
  /// The path as messages show it.
  let name: String

  /// What messages call it.
  var words: String {
    if case .path = subject { return "property '\(name)' of type '\(type.name)'" }
    return "'\(name)' of type '\(type.name)'"
  }

  /// The condition that is never met: false, but of ALL met where there is nothing.
  var never: Node {
    subject.quantifier == .all ? .isIn(subject, [], []) : .constant(false)
  }

  /// The condition that is always met: true, but of ANY not met where there is nothing.
  var always: Node {
    guard subject.quantifier == .any else { return .constant(true) }
    return .not(.isIn(subject.with(.all), [], []))
  }
}
