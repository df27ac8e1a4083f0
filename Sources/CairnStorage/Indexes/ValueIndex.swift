import CairnValues

/// The value index of one property: runs of (value, key) entries.
///
/// It returns candidates, a superset of the result: the entry of a changed row remains until runs
/// merge. So the caller checks the condition against the row again and drops duplicates.
package struct ValueIndex {
  private let runs: [ValueRunReader]
  /// Unindexed older rows.
  private let pending: [Int]
  /// Unindexed rows at the end of the class.
  private let newKeys: Range<Int>

  init(_ runs: [ValueRunReader], pending: [Int], newKeys: Range<Int>) {
    self.runs = runs
    self.pending = pending
    self.newKeys = newKeys
  }

  /// Returns the number of candidates in `range`.
  package func estimate(_ range: ValueRange) -> Int {
    runs.reduce(pending.count + newKeys.count) { $0 + $1.positions(range).count }
  }

  /// Visits the keys of rows whose value may be in `range`, ordered by value within a run, until
  /// `visit` returns false.
  package func candidates(_ range: ValueRange, visit: (Int) -> Bool) {
    guard runCandidates(range, visit: visit) else { return }
    forEachUnindexed(visit)
  }

  /// Visits the keys of the rows that no run holds yet, until `visit` returns false.
  func forEachUnindexed(_ visit: (Int) -> Bool) {
    for key in pending {
      guard visit(key) else { return }
    }
    for key in newKeys {
      guard visit(key) else { return }
    }
  }

  /// Visits the candidates in runs, without unindexed rows. Returns false if `visit` did.
  func runCandidates(_ range: ValueRange, visit: (Int) -> Bool) -> Bool {
    for run in runs {
      for position in run.positions(range) {
        guard visit(run.key(position)) else { return false }
      }
    }
    return true
  }
}

/// A range of values between two bounds, each closed, open or absent.
package struct ValueRange: Sendable {
  /// One end of a range.
  package enum Bound: Sendable {
    /// The range has no limit here.
    case none
    /// The range includes the value.
    case including(Value)
    /// The range extends up to the value, without the value itself.
    case excluding(Value)
  }

  /// The lower bound.
  package let lower: Bound
  /// The upper bound.
  package let upper: Bound

  /// Makes a range between two bounds.
  package init(lower: Bound, upper: Bound) {
    self.lower = lower
    self.upper = upper
  }

  /// Makes the range of a single value.
  package init(equal value: Value) {
    self.init(lower: .including(value), upper: .including(value))
  }
}
