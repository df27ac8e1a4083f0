/// A condition as SQL, between two bounds: the rows that may meet it and the rows that surely do.
///
/// Engines differ from Cairn in the last bits of a distance, in the folding of texts and in much
/// else. The compiler never sends a condition that could select the wrong rows: a part that an
/// engine cannot decide as Cairn does is widened in ``possible`` and narrowed in ``certain``. If the
/// two are the same, the condition ``isExact``. Otherwise, send ``possible``, and decide the rows
/// again with the predicate; or count the rows of ``certain`` where they are, and decide only
/// ``doubtful``.
public struct SQLCondition: Hashable, Sendable {
  /// True for every row that meets the condition, and perhaps for others. Null means false.
  public var possible: SQLFragment
  /// True only for rows that meet the condition, but perhaps not for all of them. Null means false.
  public var certain: SQLFragment
  /// The parts of the condition that the engine does not decide, each with the reason, as messages.
  public var undecided: [String]
  /// The parts that the engine decides in its own way, each with the difference, as messages. Only
  /// ``SQLStyle/idiomatic`` has such parts; both bounds have them as the engine decides them.
  public var differences: [String]

  /// Whether the engine decides the condition: as Cairn does, or with the ``differences``.
  public var isExact: Bool { possible == certain }

  /// The rows that may meet the condition, but not surely. Null means false.
  public var doubtful: SQLFragment {
    isExact ? .false : SQLCondition.all([possible, certain.negated])
  }

  /// Creates a condition that the engine decides as Cairn does.
  init(_ exact: SQLFragment) {
    self.init(possible: exact, certain: exact, undecided: [])
  }

  init(
    possible: SQLFragment, certain: SQLFragment, undecided: [String], differences: [String] = []
  ) {
    self.possible = possible
    self.certain = certain
    self.differences = differences
    self.undecided = possible == certain ? [] : undecided
  }

  /// Creates a condition that the engine decides in its own way, with the difference.
  init(_ idiom: SQLFragment, difference: String) {
    self.init(possible: idiom, certain: idiom, undecided: [], differences: [difference])
  }

  /// Creates a condition that the engine cannot decide, with the reason.
  static func undecided(_ reason: String) -> SQLCondition {
    SQLCondition(possible: .true, certain: .false, undecided: [reason])
  }

  /// The condition that every row meets.
  public static let everyRow = constant(true)

  /// The condition of every row, or of none.
  static func constant(_ value: Bool) -> SQLCondition { SQLCondition(value ? .true : .false) }
}

extension SQLCondition {
  /// The condition that all of the conditions hold.
  static func all(_ parts: [SQLCondition]) -> SQLCondition {
    SQLCondition(
      possible: all(parts.map(\.possible)), certain: all(parts.map(\.certain)),
      undecided: parts.flatMap(\.undecided), differences: differences(parts))
  }

  /// The condition that any of the conditions holds.
  static func any(_ parts: [SQLCondition]) -> SQLCondition {
    SQLCondition(
      possible: any(parts.map(\.possible)), certain: any(parts.map(\.certain)),
      undecided: parts.flatMap(\.undecided), differences: differences(parts))
  }

  /// The condition that holds where this one does not, for nulls too.
  var negated: SQLCondition {
    SQLCondition(
      possible: certain.negated, certain: possible.negated, undecided: undecided,
      differences: differences)
  }

  /// The condition with further differences.
  func differing(_ differences: [String]) -> SQLCondition {
    var condition = self
    condition.differences += differences.filter { !self.differences.contains($0) }
    return condition
  }

  /// The differences of several conditions, each once.
  private static func differences(_ parts: [SQLCondition]) -> [String] {
    parts.flatMap(\.differences).reduce(into: []) { list, difference in
      if !list.contains(difference) { list.append(difference) }
    }
  }

  /// The conjunction of fragments, without constant parts.
  static func all(_ parts: [SQLFragment]) -> SQLFragment {
    if parts.contains(.false) { return .false }
    return joined(parts.filter { $0 != .true }, separator: " AND ", empty: .true)
  }

  /// The disjunction of fragments, without constant parts.
  static func any(_ parts: [SQLFragment]) -> SQLFragment {
    if parts.contains(.true) { return .true }
    return joined(parts.filter { $0 != .false }, separator: " OR ", empty: .false)
  }

  private static func joined(
    _ parts: [SQLFragment], separator: String, empty: SQLFragment
  ) -> SQLFragment {
    switch parts.count {
    case 0: empty
    case 1: parts[0]
    default: "(\(SQLFragment.joined(parts, separator: separator)))"
    }
  }
}

extension SQLFragment {
  /// The condition of every row.
  static let `true`: SQLFragment = "TRUE"
  /// The condition of no row.
  static let `false`: SQLFragment = "FALSE"

  /// The condition that holds where this one is false or null.
  var negated: SQLFragment {
    switch self {
    case .true: .false
    case .false: .true
    default: "((\(self)) \(SQLFragment.isNotTrue))"
    }
  }
}
