package import CairnValues

/// What an import did.
package struct ImportSummary: Sendable {
  /// A property as it was made.
  package struct Column: Sendable, Equatable {
    package let name: String
    package let type: ValueType
  }

  package var className = ""
  package var columns: [Column] = []
  package var inserted = 0
  /// Rows that the class has now, where it was there before; nil: it is new.
  package var rowsInClass: Int?
  package var replaced = 0
  /// Rows left out because their key was there already.
  package var conflictsSkipped = 0
  /// Rows left out because they could not be stored.
  package var refused = 0
  /// The first few of them, in the order of the files: file, line and reason.
  package var refusals: [String] = []
  /// How many were left out for which reason, the commonest first.
  package var refusedByReason: [(reason: String, count: Int)] = []
  /// Bytes of input.
  package var bytes: Int64 = 0
  /// What was made of the files that their owner should know, such as columns of one name.
  package var notes: [String] = []
  /// What became of the class that was there, such as `population: int -> double`.
  package var widened: [String] = []
  /// The coordinate systems that were brought to WGS 84, as PROJ names them.
  package var systems: [String] = []

  package init() {}
}

/// How far an import is; told now and then, from the thread that called it.
package struct ImportProgress: Sendable {
  package enum Phase: Sendable {
    /// Copying what cannot be read in place: standard input, packed files, text that is no UTF-8.
    case unpacking
    /// Looking for types; nothing is stored.
    case inspecting
    case importing
    /// Sorting and indexing what was read.
    case indexing
  }

  package var phase: Phase
  /// Bytes of input read in this phase, and in all files; while unpacking those of one file, 0 where nobody knows.
  package var bytesRead: Int64
  package var bytesTotal: Int64
  package var rows: Int
}
