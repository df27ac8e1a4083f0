package import CairnStorage

/// Imports files into a class of a store: whole, or not at all.
package enum Importer {
  /// Reads the files (`-`: standard input), infers the types over all of them, and makes or extends
  /// the class.
  ///
  /// - Parameter progress: called now and then on the calling thread.
  package static func run(
    files: [String], into store: Store, options: ImportOptions,
    progress: (ImportProgress) -> Void = { _ in }
  ) throws(ImportError) -> ImportSummary {
    try escaping(progress) { (progress) throws(ImportError) in
      try ImportRun(files: files, store: store, options: options, progress: progress)
        .run(into: store)
    }
  }

  /// Reads the files as `run` does, and tells what it would make, storing nothing.
  ///
  /// - Parameter store: where the class may be already; nil: there is no store yet.
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
    _ body: (@escaping (ImportProgress) -> Void) throws(ImportError) -> R
  ) throws(ImportError) -> R {
    let outcome = withoutActuallyEscaping(progress) { progress -> Result<R, ImportError> in
      Result { () throws(ImportError) in try body(progress) }
    }
    return try outcome.get()
  }
}
