import CairnGDAL
import CairnIO
import CairnRequest
import CairnStorage
import CairnSystem

/// One import. It opens or creates the store, and removes a store that it created if the import
/// fails.
struct ImportSession {
  let store: String
  let files: [String]
  let options: ImportOptions

  func run(_ progress: any ProgressReporter) throws -> ImportSummary {
    try checkFiles()
    let isNew = !System.exists(store)
    // A store that the import has created is removed before a signal ends the process.
    if isNew { Interruption.prepare() }
    do {
      let summary = try load(progress)
      guard System.exists(store) else {
        throw Failure(.io, message: "\(store) was removed during the import")
      }
      return summary
    } catch {
      progress.clear()
      if isNew { NewStore.removeIfEmpty(store) }
      Interruption.endProcess()
      throw error
    }
  }

  /// A preview of the import. It creates no store.
  func preview(_ progress: any ProgressReporter) throws -> ImportPreview {
    try checkFiles()
    let store = try System.exists(store) ? NewStore.open(store, mode: .readOnly) : nil
    defer { progress.clear() }
    return try Importer.preview(
      files: files, for: store, options: options, progress: { progress.show(WorkProgress($0)) })
  }

  /// The names of the layers of the only file that are not empty.
  func layers() throws -> [String] {
    try checkFiles()
    let file = try LayerFile(files[0], options: options)
    guard !file.filled.isEmpty else {
      throw Failure(.badData, message: "\(files[0]): the file has no layer with rows")
    }
    return file.filled.map(\.name)
  }

  private func load(_ progress: any ProgressReporter) throws -> ImportSummary {
    let store = try NewStore.open(store, mode: .create)
    let summary = try Importer.run(
      files: files, into: store, options: options,
      cancellation: Cancellation { Interruption.isPending }
    ) { progress.show(WorkProgress($0)) }
    progress.clear()
    return summary
  }

  /// Fails before a store is created if an input file is missing.
  private func checkFiles() throws {
    guard !store.isEmpty else {
      throw Failure(.noInput, message: "the path of the store is empty; give the path of a file")
    }
    if store == "-" {
      throw Failure(
        .usage, message: "a store must be a file, not standard input; for a file named -, write ./-"
      )
    }
    for file in files where file != "-" {
      guard System.isReadable(file) else {
        throw Failure.cannotOpen(file, instead: "cairn import \(store) -")
      }
      for name in [store, store + "-lock"] where System.isSameFile(file, other: name) {
        let kind = name == store ? "the store itself" : "the store's lock file"
        throw Failure(
          .usage, message: "\(file) is \(kind), and cannot be imported into the store")
      }
    }
    if files.contains("-"), !StandardStreams.hasInput {
      throw Failure(.noInput, message: "standard input is closed")
    }
    if files.count(where: { $0 == "-" }) > 1 {
      throw Failure(.usage, message: "standard input (-) is given twice")
    }
  }

}

extension WorkProgress {
  init(_ progress: ImportProgress) {
    let phase =
      switch progress.phase {
      case .unpacking: "unpacking"
      case .inspecting: "reading types"
      case .importing: "importing"
      case .indexing: "indexing"
      }
    self.init(
      phase: phase, bytes: Int(progress.bytesRead), bytesTotal: Int(progress.bytesTotal),
      rows: progress.rows)
  }
}
