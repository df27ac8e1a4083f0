import CairnFormats
import CairnStorage

/// One import: opens the store, or makes it, and leaves none behind where it made one in vain.
struct ImportRun {
  let store: String
  let files: [String]
  let options: ImportOptions

  func run(_ progress: any ProgressReporter) throws -> ImportSummary {
    try checkFiles()
    let isNew = !System.exists(store)
    do {
      let summary = try load(progress)
      guard System.exists(store) else {
        throw Failure(.io, "\(store) was removed while it was written")
      }
      return summary
    } catch {
      progress.clear()
      if isNew { removeIfEmpty() }
      throw error
    }
  }

  /// What an import would make; no store is made for it.
  func preview(_ progress: any ProgressReporter) throws -> ImportPreview {
    try checkFiles()
    let store = try System.exists(store) ? open(.readOnly) : nil
    defer { progress.clear() }
    return try Importer.preview(
      files: files, for: store, options: options, progress: { progress.show(WorkProgress($0)) })
  }

  private func open(_ mode: Store.Mode) throws -> Store {
    do {
      return try Source.reading(store) { () throws(StoreError) in try Store.open(store, mode) }
    } catch let error as StoreError where error.kind == .notFound && !System.exists(folder) {
      throw Failure(.noInput, "\(store) cannot be made: its folder does not exist")
    }
  }

  /// The folder of the store.
  private var folder: String {
    store.lastIndex(of: "/").map { String(store[...$0]) } ?? "."
  }

  private func load(_ progress: any ProgressReporter) throws -> ImportSummary {
    let store = try open(.create)
    let summary = try Importer.run(
      files: files, into: store, options: options
    ) { progress.show(WorkProgress($0)) }
    progress.clear()
    return summary
  }

  /// Fails before a store is made where a file is not there.
  private func checkFiles() throws {
    guard !store.isEmpty else {
      throw Failure(.noInput, "the name of the store is empty; give the path of a file")
    }
    if store == "-" {
      throw Failure(
        .usage, "a store is a file, and cannot be standard input; a file named - is ./-")
    }
    for file in files where file != "-" {
      guard System.isReadable(file) else {
        throw Failure(.noInput, "cannot open \(file): \(System.errorText())")
      }
      for name in [store, store + "-lock"] where System.isSameFile(file, name) {
        throw Failure(
          .usage,
          "\(file) is \(name == store ? "the store itself" : "the store's lock file"), and cannot be imported into it"
        )
      }
    }
    if files.contains("-"), !StandardStreams.hasInput {
      throw Failure(.noInput, "standard input is closed")
    }
    if files.count(where: { $0 == "-" }) > 1 {
      throw Failure(.usage, "standard input, -, is named twice")
    }
  }

  /// Takes away the store that this import made, unless another one has put a class into it since.
  private func removeIfEmpty() {
    guard let opened = try? Store.open(store, .readWrite),
      // While the writer's lock is held, nobody can fill the store.
      let transaction = try? opened.beginWrite()
    else { return }
    if transaction.schema.tables.isEmpty {
      System.remove(store)
      System.remove(store + "-lock")
    }
    transaction.rollback()
  }
}

extension WorkProgress {
  fileprivate init(_ progress: ImportProgress) {
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
