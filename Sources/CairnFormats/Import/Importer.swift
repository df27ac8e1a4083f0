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
    let outcome = withoutActuallyEscaping(progress) {
      progress -> Result<ImportSummary, ImportError> in
      Result { () throws(ImportError) in
        try ImportRun(files: files, store: store, options: options, progress: progress).run()
      }
    }
    return try outcome.get()
  }
}
