import CairnArrow
import CairnGDAL
import CairnIO
import CairnParquet
import CairnRequest
import CairnStorage
import CairnSystem

/// The stores that hold what was read from files of data: in memory, or in the folder of ``StoreCache``.
enum DataStores {
  /// Opens a class of a file, which is read first unless a store of it is kept.
  ///
  /// - Parameters:
  ///   - name: The name of the class; nil for the only one.
  ///   - needs: The rows and columns that matter; nil for all. The class may lack others.
  static func open(
    _ file: DataFile, className name: String?, needs: DataNeeds? = nil
  ) throws -> OpenedClass {
    let found = try file.class(name)
    let kept = KeptStore([found], from: found.path)
    let store = try kept?.open() ?? part(of: found, needs, kept: kept) ?? read([found], into: kept)
    return try OpenedClass(store, className: found.name)
  }

  /// Opens a store with all classes of a file or a folder.
  static func open(_ file: DataFile) throws -> Store {
    let classes = try file.classes()
    let kept = KeptStore(classes, from: file.path)
    return try kept?.open() ?? read(classes, into: kept)
  }

  /// The columns of a class, for completions: those of the store that is kept, or those that the first
  /// blocks of the file show. Nil for what is not a file.
  static func schema(_ file: DataFile, className name: String?) throws -> TableSchema? {
    let found = try file.class(name)
    if let store = KeptStore([found], from: found.path)?.open() {
      return try store.snapshot().schema.table(named: found.name)
    }
    guard FileIdentity(of: found.path) != nil else { return nil }
    return try Importer.schema(of: found.path, options: options(for: found))
  }

  /// The path of a store with all classes of some files, which is kept in any case.
  static func path(of files: [DataFile]) throws -> String {
    guard StoreCache.ofUser != nil else {
      throw Failure(
        .noInput,
        message: "files are served from a store in the cache, and CAIRN_CACHE names none; "
          + "import them into a store first")
    }
    let classes = try files.flatMap { try $0.classes() }
    try rejectRepeated(classes)
    guard let kept = KeptStore(classes, from: files[0].path, isRequired: true) else {
      throw Failure(.noInput, message: "only files can be served, which standard input is not")
    }
    guard let store = try kept.open() ?? kept.make() else {
      throw Failure(
        .io, message: "cannot write \(kept.cache.folder): \(System.errorText())")
    }
    return store.path
  }

  private static func rejectRepeated(_ classes: [DataFile.Class]) throws {
    for (index, found) in classes.enumerated() {
      guard let other = classes[..<index].first(where: { $0.name == found.name }) else { continue }
      throw Failure(
        .usage, message: "\(other.path) and \(found.path) both hold a class '\(found.name)'")
    }
  }

  // MARK: Reading

  /// Reads classes into a store that is kept, or into memory if it is nil or has no room.
  private static func read(_ classes: [DataFile.Class], into kept: KeptStore?) throws -> Store {
    do {
      if let store = try kept?.make() { return store }
    } catch let failure as ReadingFailure where failure.isDiskFull {
    } catch let error as StoreError where error.kind == .diskFull {}
    let store = try Self.empty()
    try fill(store, with: classes)
    return store
  }

  /// The rows and columns of a class that a command needs, in memory. Nil if all are read: those of a file
  /// that is kept because it was asked before, and of input that cannot be read twice.
  private static func part(
    of found: DataFile.Class, _ needs: DataNeeds?, kept: KeptStore?
  ) throws -> Store? {
    guard let needs, !parts.areRefused, FileIdentity(of: found.path) != nil else { return nil }
    var options = options(for: found)
    options.pruning = needs.pruning
    options.selection.mentions = needs.mentions
    options.selection.mayLackLocations = needs.mayLackLocations
    let isWanted =
      parts.paths.contains(found.path) || isSmallPart(of: found, options: options)
      || kept?.noteQuestion() != true
    guard isWanted else { return nil }
    parts.paths.insert(found.path)
    let store = try Self.empty()
    try fill(store, with: found, options: options)
    return store
  }

  /// Whether a file states of its rows that most do not matter, so that those that do are always read for
  /// one command alone, which takes less time than to keep all.
  private static func isSmallPart(of found: DataFile.Class, options: ImportOptions) -> Bool {
    guard found.layer == nil,
      DataFile.isParquet(found.path) || DataFile.isParquetFolder(found.path),
      let estimate = try? Importer.estimate(of: found.path, options: options)
    else { return false }
    return estimate.rows <= estimate.totalRows / smallPart
  }

  private static let smallPart = 4

  /// The files that a process reads in part.
  private struct Parts {
    var paths: Set<String> = []
    /// Whether files are read as a whole.
    var areRefused = false
    /// The notes on files that were printed.
    var notes: Set<String> = []
  }

  // Sendable: only the thread that runs the command uses them.
  nonisolated(unsafe) private static var parts = Parts()

  /// Lets files be read in part, or not.
  static func mayReadParts(_ mayBe: Bool) { parts = Parts(areRefused: !mayBe) }

  /// Whether a file was read in part.
  static var hasReadParts: Bool { !parts.paths.isEmpty }

  /// Reads files as a whole from now on, if the command has failed with a part of one, in which a name of
  /// the command line may be missing.
  ///
  /// - Returns: Whether the command may run again.
  static func refuseParts(after error: any Error) -> Bool {
    guard !parts.areRefused, !parts.paths.isEmpty, Failure(error)?.code == .usage else {
      return false
    }
    parts.areRefused = true
    return true
  }

  /// A new store in memory.
  static func empty() throws -> Store {
    // A store in memory is shared by all who open its name, so each gets a name of its own.
    try Store.openInMemory(identifier: "data \(UInt64.random(in: 0 ... .max))")
  }

  /// Reads classes into a store.
  fileprivate static func fill(_ store: Store, with classes: [DataFile.Class]) throws {
    for found in classes { try fill(store, with: found, options: options(for: found)) }
  }

  private static func options(for found: DataFile.Class) -> ImportOptions {
    var options = ImportOptions.withReaders
    options.className = found.name
    options.layer = found.layer
    options.mayLackLocations = true
    options.geometries.allowsMissing = true
    options.spoolDirectory = TemporaryFiles.folder
    return options
  }

  private static func fill(
    _ store: Store, with found: DataFile.Class, options: ImportOptions
  ) throws {
    try requireReadable(found.path)
    let progress: any ProgressReporter =
      Console.isInteractive ? ProgressLine() : SilentProgress(hasSummary: false)
    defer { progress.clear() }
    do {
      let summary = try Importer.run(files: [found.path], into: store, options: options) {
        progress.show(WorkProgress($0))
      }
      progress.clear()
      for note in summary.notes { printOnce(note.shellText(reading: found.path)) }
    } catch let error as ImportError {
      throw ReadingFailure(cause: error, path: found.path)
    }
  }

  /// Prints a note on a file, unless it was printed when the file was read before.
  private static func printOnce(_ note: String) {
    if parts.notes.contains(note) { return }
    parts.notes.insert(note)
    Console.printMessage("Note: \(note).")
  }

  /// Registers a file that is about to be read.
  ///
  /// - Throws: `noInput` if it cannot be read.
  static func requireReadable(_ path: String) throws {
    guard path != "-" else {
      guard StandardStreams.hasInput else {
        throw Failure(.noInput, message: "standard input is closed")
      }
      return Supervisor.noteWork()
    }
    guard System.isReadable(path) else { throw Failure.cannotOpen(path) }
    UsedFiles.note(path)
  }
}

/// The rows and columns of a file of data that a command reads.
struct DataNeeds {
  /// The rows.
  var pruning: RowPruning
  /// The texts that name the columns; nil for all columns.
  var mentions: [String]?
  /// Whether locations and geometries may be left out too, unless a text names them.
  var mayLackLocations = false
}

/// The store that is kept of classes of files in their present state.
private struct KeptStore {
  let cache: StoreCache
  private let classes: [DataFile.Class]
  private let states: [FileIdentity]
  /// The file or the folder as the command line names it.
  private let source: String
  private let path: String

  /// The size from which files are kept. Smaller ones are read in less time than a person notices.
  private static let leastSize = 1 << 20

  /// - Parameter isRequired: Whether small files are kept too, and those that have just been written, as soon
  ///   as they are at rest.
  /// - Returns: Nil if the classes are not kept, as those on standard input, or without a cache.
  init?(_ classes: [DataFile.Class], from source: String, isRequired: Bool = false) {
    func look() -> [FileIdentity] { classes.compactMap { FileIdentity(of: $0.path) } }
    let states = isRequired ? FileIdentity.settle(look) : look()
    guard let cache = StoreCache.ofUser, states.count == classes.count else { return nil }
    let isLarge = states.reduce(0) { $0 + $1.size } >= Self.leastSize
    guard isRequired || isLarge && states.allSatisfy(\.isSettled) else { return nil }
    // Another version may read a file in another way.
    let reading =
      "\(CairnTool.version)\u{0}"
      + classes.map { "\($0.name)\u{0}\($0.layer ?? "")" }.joined(separator: "\u{0}\u{0}")
    (self.cache, self.classes, self.states, self.source) = (cache, classes, states, source)
    path = cache.path(for: source, digest: FileIdentity.digest(states, reading: reading))
  }

  /// The store, if it is there.
  func open() -> Store? {
    for found in classes { UsedFiles.note(found.path) }
    return cache.open(path)
  }

  /// Notes that the files are read in part.
  ///
  /// - Returns: Whether they were before.
  func noteQuestion() -> Bool { cache.noteQuestion(to: path) }

  /// Reads the files into the store. Nil if the folder cannot be written.
  func make() throws -> Store? {
    let store = try cache.make(path) {
      classes.map { FileIdentity(of: $0.path) } == states
    } fill: {
      try DataStores.fill($0, with: classes)
    }
    // A store that is not kept takes longer to make than a part.
    if store?.path != path { cache.forgetQuestion(to: path) }
    if store?.path == path, Console.isInteractive {
      Console.printMessage("Note: \(source) is kept as a store; 'cairn cache' lists such stores.")
    }
    return store
  }
}

extension ImportOptions {
  /// Options that detect everything, with the readers of all formats.
  static var withReaders: ImportOptions {
    var options = ImportOptions()
    options.gdalReader = System.executable
    options.readers = [ParquetReader(), ArrowReader(), GDALReader()]
    return options
  }
}
