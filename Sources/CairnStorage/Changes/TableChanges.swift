/// What happened to the rows of one class between two states.
package struct TableChanges: Hashable, Sendable {
  /// Rows that live in the newer state and did not in the older one.
  package internal(set) var inserted = KeyRuns()
  /// Rows that lived in the older state and do not in the newer one.
  package internal(set) var deleted = KeyRuns()
  /// Rows that live in both and of which something was set, by what was.
  ///
  /// A row may stand in several groups: what was set of it are the columns of all of them.
  package internal(set) var modified: [ModifiedRows] = []

  /// Nothing.
  package init() {}

  package var isEmpty: Bool { inserted.isEmpty && deleted.isEmpty && modified.isEmpty }

  /// Rows that live in both states and of which a column was set that the test names, by the number of the column.
  package func modified(where test: (UInt16) -> Bool) -> KeyRuns {
    let runs = modified.filter { $0.columns.contains(where: test) }.map(\.keys)
    return runs.count == 1 ? runs[0] : KeyRuns(runs.flatMap(\.runs))
  }
}

/// Rows of which the same columns were set.
package struct ModifiedRows: Hashable, Sendable {
  /// The numbers of the columns, rising; those that the store keeps for itself among them.
  package let columns: [UInt16]
  package let keys: KeyRuns
}

extension TableChanges {
  /// What several commits one after the other did to a class. No key is ever given twice, so their order says nothing.
  init(merging steps: [TableChanges]) {
    guard steps.count != 1 else {
      self = steps[0]
      return
    }
    let born = KeyRuns(steps.flatMap(\.inserted.runs))
    let died = KeyRuns(steps.flatMap(\.deleted.runs))
    inserted = born.subtracting(died)
    deleted = died.subtracting(born)
    var groups: [[UInt16]: [Range<Int>]] = [:]
    for group in steps.lazy.flatMap(\.modified) {
      groups[group.columns, default: []] += group.keys.runs
    }
    for (columns, runs) in groups.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let keys = KeyRuns(runs).subtracting(born).subtracting(died)
      if !keys.isEmpty { modified.append(ModifiedRows(columns: columns, keys: keys)) }
    }
  }
}
