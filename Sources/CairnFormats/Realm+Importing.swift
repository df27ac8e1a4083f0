public import CairnIO
public import CairnObjects
internal import CairnStorage
import CairnSystem

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Imports: files, bytes in memory and streams of bytes become objects, all of them or none.
///
/// An import runs on other threads, in a write transaction of its own, and the caller's task is
/// suspended meanwhile. Other writers wait only while the rows are stored, at the end. After the
/// call the realm reads the new objects, and observers are notified.
///
/// A class that the program declares keeps its properties: columns without a property are left out
/// and named in ``ImportSummary/remarks``, a value that does not fit its property is a rejected
/// row, and a required property that no column fills is an error. Columns have the names of the
/// stored properties, which those of `propertiesMapping` are, or get them by
/// ``ImportOptions/renamedColumns``.
///
/// A cancelled task throws `CancellationError`, and nothing is stored. Once the import has read
/// all of the input and stores it, it no longer takes notice of a cancellation.
///
/// Every method throws ``ImportError`` for the input and the options, and `Realm.Error` for a realm
/// that is frozen, read-only, or in a write transaction.
extension Realm {
  /// Imports a file of any format into the class of a Swift class.
  ///
  ///     let realm = try await Realm.open()
  ///     let summary = try await realm.importFile(file, as: City.self)
  ///     print(summary.inserted)
  ///
  /// - Parameters:
  ///   - file: The file. Its extension and its first bytes tell the format.
  ///   - type: The class.
  ///   - options: The options.
  ///   - progress: Called from time to time, on another thread.
  /// - Returns: The numbers of rows that were added, replaced, skipped and rejected.
  @discardableResult
  public func importFile<T: Object>(
    _ file: URL, as type: T.Type, options: ImportOptions = ImportOptions(),
    _isolation: isolated (any Actor)? = #isolation,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportSummary {
    try await load(
      [file.path], into: try loadTarget(for: type), options: options, _isolation: _isolation,
      progress: progress)
  }

  /// Imports a file of any format into a class by name. A class that does not exist is made, and one
  /// that the program does not declare gets the properties that it lacks.
  ///
  /// - Parameters:
  ///   - file: The file. Its extension and its first bytes tell the format.
  ///   - className: The name of the class.
  ///   - options: The options.
  ///   - progress: Called from time to time, on another thread.
  /// - Returns: The numbers of rows that were added, replaced, skipped and rejected.
  @discardableResult
  public func importFile(
    _ file: URL, into className: String, options: ImportOptions = ImportOptions(),
    _isolation: isolated (any Actor)? = #isolation,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportSummary {
    try await load(
      [file.path], into: try loadTarget(named: className), options: options,
      _isolation: _isolation, progress: progress)
  }
}

extension Realm {
  private func load(
    _ files: [String], into target: LoadTarget, options: ImportOptions,
    _isolation: isolated (any Actor)?, progress: (@Sendable (ImportProgress) -> Void)?
  ) async throws -> ImportSummary {
    try Task.checkCancellation()
    let options = options.filling(target)
    let summary = try await ImportThread.run { (cancellation) throws(ImportError) in
      try Importer.run(
        files: files, into: target.store, options: options, cancellation: cancellation,
        progress: progress ?? { _ in })
    }
    refresh()
    return summary
  }

  /// Imports the bytes of a temporary file.
  func load(
    _ spool: SpoolFile, into target: LoadTarget, options: ImportOptions,
    _isolation: isolated (any Actor)?, progress: (@Sendable (ImportProgress) -> Void)?
  ) async throws -> ImportSummary {
    var options = options
    options.inputName = spool.name
    let path = try spool.finish()
    defer { withExtendedLifetime(spool) {} }
    return try await load(
      [path], into: target, options: options, _isolation: _isolation, progress: progress)
  }

  /// Previews the import of the bytes of a temporary file.
  func preview(
    _ spool: SpoolFile, into target: LoadTarget, options: ImportOptions,
    _isolation: isolated (any Actor)?, progress: (@Sendable (ImportProgress) -> Void)?
  ) async throws -> ImportPreview {
    var options = options
    options.inputName = spool.name
    let path = try spool.finish()
    defer { withExtendedLifetime(spool) {} }
    return try await preview(
      path, into: target, options: options, _isolation: _isolation, progress: progress)
  }

  /// Previews the import of a file.
  func preview(
    _ file: String, into target: LoadTarget, options: ImportOptions,
    _isolation: isolated (any Actor)?, progress: (@Sendable (ImportProgress) -> Void)?
  ) async throws -> ImportPreview {
    let options = options.filling(target)
    return try await ImportThread.run { (cancellation) throws(ImportError) in
      try Importer.preview(
        files: [file], for: target.store, options: options, cancellation: cancellation,
        progress: progress ?? { _ in })
    }
  }
}

extension ImportOptions {
  /// The options for an import into a class of a program.
  fileprivate func filling(_ target: LoadTarget) -> ImportOptions {
    var options = withReaders
    options.className = target.className
    options.declaredClass = target.declared
    options.programClasses = target.classes
    if target.store.isInMemory { options.spoolDirectory = TemporaryFiles.folder }
    return options
  }
}
