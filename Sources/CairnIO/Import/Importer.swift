public import CairnObjects
package import CairnStorage
package import CairnValues

/// Imports files into a class of a store, all or nothing.
package enum Importer {
  /// Reads the files (`-` for standard input), infers the types over all of them, and creates or
  /// extends the class.
  ///
  /// - Parameters:
  ///   - cancellation: Ends the import from another thread, as long as no row is stored.
  ///   - progress: Called from time to time on the calling thread.
  package static func run(
    files: [String], into store: Store, options: ImportOptions,
    cancellation: Cancellation = Cancellation(),
    progress: (ImportProgress) -> Void = { _ in }
  ) throws(ImportError) -> ImportSummary {
    try escaping(progress) { (progress) throws(ImportError) in
      try ImportRun(
        files: files, store: store, options: options, cancellation: cancellation,
        progress: progress
      ).run(into: store)
    }
  }

  /// Reads the files as `run` does and returns the result that an import would have, without
  /// storing anything.
  ///
  /// - Parameter store: The store that may already have the class; nil if it does not exist yet.
  package static func preview(
    files: [String], for store: Store?, options: ImportOptions,
    cancellation: Cancellation = Cancellation(),
    progress: (ImportProgress) -> Void = { _ in }
  ) throws(ImportError) -> ImportPreview {
    try escaping(progress) { (progress) throws(ImportError) in
      try ImportRun(
        files: files, store: store, options: options, cancellation: cancellation,
        progress: progress
      ).preview()
    }
  }

  /// Returns the columns that a class would have, by the first blocks of a file.
  package static func schema(
    of path: String, options: ImportOptions
  ) throws(ImportError) -> TableSchema {
    let run = try ImportRun(
      files: [path], store: nil, options: options, cancellation: Cancellation(),
      progress: { _ in })
    do throws(ParseAbort) {
      let (schema, isComplete) = try run.firstSchema()
      return try run.plan(schema.inferred, isComplete: isComplete).schema(named: run.className)
    } catch { throw run.describe(error) }
  }

  /// Returns the name of the class into which a file is imported, unless the options name another one.
  package static func className(of path: String) -> String { ImportSource.className(of: path) }

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
public struct ImportPreview: Sendable {
  /// A property and the values that it would hold.
  public struct Column: Sendable {
    /// The name of the property.
    public let name: String
    package let type: ValueType
    /// Whether the property is the primary key.
    public let isKey: Bool
    /// Whether the property has a value index.
    public let isIndexed: Bool
    /// Whether the property has a full-text index.
    public let isFullText: Bool
    /// The number of nulls.
    public package(set) var nulls = 0
    /// The least value, or nil when all values are null. For locations and geometries, the
    /// south-western corner.
    package var least: Value?
    /// The greatest value, or nil when all values are null. For locations and geometries, the
    /// north-eastern corner.
    package var most: Value?

    /// The type of the property.
    public var propertyType: PropertyType { PropertyType(type) }
  }

  /// The summary of the import; `inserted` counts all rows, including those whose keys already
  /// exist.
  public package(set) var summary = ImportSummary()
  /// Whether the class already exists.
  public package(set) var extendsClass = false
  /// The properties in order.
  public package(set) var columns: [Column] = []
  /// The first rows of the files.
  package var firstRows: [[Value]] = []
}

/// The result of an import.
public struct ImportSummary: Sendable {
  /// A property of the class.
  public struct Column: Sendable, Equatable {
    /// The name of the property.
    public let name: String
    package let type: ValueType

    /// The type of the property.
    public var propertyType: PropertyType { PropertyType(type) }
  }

  /// The number of records that were rejected for one reason.
  public typealias ReasonCount = (reason: String, count: Int)

  /// The name of the class.
  public package(set) var className = ""
  /// The properties that the import filled.
  public package(set) var columns: [Column] = []
  /// The number of rows added.
  public package(set) var inserted = 0
  /// The rows of the class after the import; nil for a new class.
  public package(set) var rowsInClass: Int?
  /// The number of rows that replaced a row with the same key.
  public package(set) var replaced = 0
  /// The number of rows that were to replace an equal row with the same key. They were not written.
  public package(set) var unchanged = 0
  /// Rows left out because their key already existed.
  public package(set) var conflictsSkipped = 0
  /// The property by whose values rows of the class were found and changed; nil if rows were added.
  public package(set) var updateKey: String?
  /// The rows of the class that were changed.
  public package(set) var updated = 0
  /// The rows of the files that were to change rows, but whose value no row of the class has.
  public package(set) var unpaired = 0
  /// Rows skipped because they do not meet the condition, or are in none of the boxes.
  public package(set) var unmatched = 0
  /// Rows skipped because they are too close to an earlier one.
  public package(set) var duplicates = 0
  /// Rows left out because they could not be stored.
  public package(set) var rejected = 0
  /// The first ten rejected records, in the order of the files.
  public package(set) var rejects: [RejectedRow] = []
  /// The number of rejected records by reason, the most frequent first.
  public package(set) var rejectedByReason: [ReasonCount] = []
  /// The size of the input in bytes.
  public package(set) var bytes: Int64 = 0
  /// Notes on the files for the user, such as columns with the same name.
  package var notes: [ImportMessage] = []
  /// Changes to an existing class, such as `population: int -> double`.
  public package(set) var widened: [String] = []
  /// The coordinate systems that were converted to WGS 84, by their names in PROJ.
  public package(set) var systems: [String] = []

  package init() {}

  /// Remarks on the files, such as on columns that the class has no property for, or on dates
  /// without a time zone.
  public var remarks: [String] { notes.map(\.description) }

  /// Takes over the numbers of stored rows.
  mutating func add(_ stored: BulkSummary) {
    guard updateKey == nil else {
      (updated, unpaired) = (stored.replaced, stored.skipped)
      return
    }
    (inserted, replaced) = (stored.inserted, stored.replaced)
    (unchanged, conflictsSkipped) = (stored.unchanged, stored.skipped)
  }

  /// Adds the rows that were not read, and those that the blocks skipped.
  mutating func add(_ skipped: [SkippedRows], _ selection: RowSelection) {
    unmatched += selection.unmatched
    for part in skipped {
      unmatched += part.unmatched
      duplicates += part.duplicates
    }
  }
}

/// The progress of an import.
public struct ImportProgress: Sendable {
  /// A phase of an import.
  public enum Phase: Sendable {
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
  public package(set) var phase: Phase
  /// Bytes of input read in this phase.
  public package(set) var bytesRead: Int64
  /// Bytes of all files. While unpacking, those of one file, or 0 if unknown.
  public package(set) var bytesTotal: Int64
  /// The number of rows read.
  public package(set) var rows: Int
}
