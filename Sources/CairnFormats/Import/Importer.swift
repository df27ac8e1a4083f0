package import CairnStorage
package import CairnValues

/// Imports files into a class of a store, all or nothing.
package enum Importer {
  /// Reads the files (`-` for standard input), infers the types over all of them, and creates or
  /// extends the class.
  ///
  /// - Parameter progress: Called from time to time on the calling thread.
  package static func run(
    files: [String], into store: Store, options: ImportOptions,
    progress: (ImportProgress) -> Void = { _ in }
  ) throws(ImportError) -> ImportSummary {
    try escaping(progress) { (progress) throws(ImportError) in
      try ImportRun(files: files, store: store, options: options, progress: progress)
        .run(into: store)
    }
  }

  /// Reads the files as `run` does and returns the result that an import would have, without
  /// storing anything.
  ///
  /// - Parameter store: The store that may already have the class; nil if it does not exist yet.
  package static func preview(
    files: [String], for store: Store?, options: ImportOptions,
    progress: (ImportProgress) -> Void = { _ in }
  ) throws(ImportError) -> ImportPreview {
    try escaping(progress) { (progress) throws(ImportError) in
      try ImportRun(files: files, store: store, options: options, progress: progress).preview()
    }
  }

  private static func escaping<R>(
    _ progress: (ImportProgress) -> Void,
    body: (@escaping (ImportProgress) -> Void) throws(ImportError) -> R
  ) throws(ImportError) -> R {
    let outcome = withoutActuallyEscaping(progress) { progress -> Result<R, ImportError> in
      Result { () throws(ImportError) in try body(progress) }
    }
    return try outcome.get()
  }
}

/// The result that an import would have.
package struct ImportPreview: Sendable {
  /// A property and the values that it would hold.
  package struct Column: Sendable {
    package let name: String
    package let type: ValueType
    package let isKey: Bool
    package let isIndexed: Bool
    /// The number of nulls.
    package var nulls = 0
    /// The least value, or nil when all values are null. For locations and geometries, the
    /// south-western corner.
    package var least: Value?
    /// The greatest value, or nil when all values are null. For locations and geometries, the
    /// north-eastern corner.
    package var most: Value?
  }

  /// The summary of the import; `inserted` counts all rows, including those whose keys already
  /// exist.
  package var summary = ImportSummary()
  /// Whether the class already exists.
  package var extendsClass = false
  /// The properties in order.
  package var columns: [Column] = []
  /// The first rows of the files.
  package var firstRows: [[Value]] = []
}

/// The result of an import.
package struct ImportSummary: Sendable {
  /// A property of the class.
  package struct Column: Sendable, Equatable {
    package let name: String
    package let type: ValueType
  }

  /// The name of the class.
  package var className = ""
  /// The properties that the import filled.
  package var columns: [Column] = []
  /// The number of rows added.
  package var inserted = 0
  /// The rows of the class after the import; nil for a new class.
  package var rowsInClass: Int?
  /// The number of rows that replaced a row with the same key.
  package var replaced = 0
  /// Rows left out because their key already existed.
  package var conflictsSkipped = 0
  /// Rows skipped because they do not meet the condition.
  package var unmatched = 0
  /// Rows skipped because they are too close to an earlier one.
  package var duplicates = 0
  /// Rows left out because they could not be stored.
  package var rejected = 0
  /// The first few rejected records, in the order of the files: file, line and reason.
  package var rejects: [ImportMessage] = []
  /// The number of rejected records by reason, the most frequent first.
  package var rejectedByReason: [(reason: String, count: Int)] = []
  /// The size of the input in bytes.
  package var bytes: Int64 = 0
  /// Notes on the files for the user, such as columns with the same name.
  package var notes: [ImportMessage] = []
  /// Changes to an existing class, such as `population: int -> double`.
  package var widened: [String] = []
  /// The coordinate systems that were converted to WGS 84, by their names in PROJ.
  package var systems: [String] = []

  package init() {}

  /// Adds the rows that the blocks skipped.
  mutating func add(_ skipped: [SkippedRows]) {
    for part in skipped {
      unmatched += part.unmatched
      duplicates += part.duplicates
    }
  }
}

/// The progress of an import, reported from time to time on the calling thread.
package struct ImportProgress: Sendable {
  /// A phase of an import.
  package enum Phase: Sendable {
    /// Copying input that cannot be read in place: standard input, packed files, text that is not
    /// UTF-8.
    case unpacking
    /// Inferring types; nothing is stored.
    case inspecting
    /// Parsing the files and storing the rows.
    case importing
    /// Sorting and indexing the rows.
    case indexing
  }

  /// The current phase.
  package var phase: Phase
  /// Bytes of input read in this phase.
  package var bytesRead: Int64
  /// Bytes of all files. While unpacking, those of one file, or 0 if unknown.
  package var bytesTotal: Int64
  /// The number of rows read.
  package var rows: Int
}
