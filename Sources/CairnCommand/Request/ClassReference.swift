import CairnPostgres
import CairnRequest
import CairnStorage
import CairnSystem
import CairnValues

/// The name of a class on a command line: a store or a database and one of its classes, or data that is
/// read like a store.
struct ClassReference {
  /// The place of the class.
  let container: Container
  /// The name of the class; nil for the only one of a file of data.
  let className: String?

  /// A holder of classes.
  enum Container {
    case store(String)
    case database(String)
    case data(DataFile)

    /// The text on the command line.
    var text: String {
      switch self {
      case .store(let path): path
      case .database(let url): url
      case .data(let file): file.path
      }
    }
  }

  init(_ container: Container, className: String?) {
    (self.container, self.className) = (container, className)
  }

  /// Takes the words that name a class from the beginning of a list: `STORE CLASS`, `STORE:CLASS`, `FILE`,
  /// `FILE LAYER`, `FILE:LAYER` or `FOLDER CLASS`.
  ///
  /// - Throws: A usage failure if a store is named without a class.
  init(from words: inout ArraySlice<String>) throws {
    let first = words.popFirst() ?? ""
    if let file = DataFile(first) {
      container = .data(file)
      className = try file.takesClass(words.first) ? words.popFirst() : nil
      return
    }
    let isDatabase = PostgresAddress.isURL(first)
    if !isDatabase, let (path, name) = DataFile.split(first) {
      (container, className) = (.store(path), name)
      return
    }
    guard let name = words.popFirst() else { throw try Self.missingClass(of: first) }
    (container, className) = (isDatabase ? .database(first) : .store(first), name)
  }

  /// Reads the words of a class, and a condition after them.
  ///
  /// - Throws: A usage failure for a word too many.
  static func withCondition(
    _ words: [String?]
  ) throws -> (reference: ClassReference, condition: String?) {
    var rest = words.compactMap(\.self)[...]
    let reference = try ClassReference(from: &rest)
    let condition = rest.popFirst()
    if let condition, case .data(let file) = reference.container { try file.rejectName(condition) }
    try rejectRest(rest)
    return (reference, condition)
  }

  /// Throws for words that nothing takes.
  static func rejectRest(_ words: ArraySlice<String>) throws {
    guard let word = words.first else { return }
    throw Failure(.usage, message: "unexpected argument '\(word)'")
  }

  /// The path of the store that a word names, as `STORE` or `STORE:CLASS`; nil for data.
  static func storePath(_ word: String) -> String? {
    DataFile(word) == nil ? DataFile.split(word)?.path ?? word : nil
  }

  /// The right class of a pair: one beside the left one, or one of a file or a store of its own.
  init(from words: inout ArraySlice<String>, beside left: ClassReference) throws {
    guard let first = words.first else {
      throw Failure(.usage, message: "two classes are needed, and \(left.words) is one")
    }
    if try left.hasBeside(first) {
      self.init(left.container, className: words.popFirst())
    } else {
      try self.init(from: &words)
    }
  }

  /// Whether a word names a class beside this one, rather than a file or a store. One that is neither counts
  /// as a class, which is then said to be missing.
  private func hasBeside(_ word: String) throws -> Bool {
    let isFile = System.exists(word) || DataFile.split(word) != nil
    switch container {
    case .database: return true
    case .store(let path):
      guard isFile, let store = try? Store.open(path, mode: .readOnly) else { return !isFile }
      return try store.snapshot().table(word) != nil
    case .data(let file):
      guard file.isFolderOfFiles else { return false }
      return try !isFile || file.classes().contains { $0.name == word }
    }
  }

  /// The class as messages name it.
  private var words: String {
    [container.text, className].compactMap(\.self).joined(separator: " ")
  }

  /// The failure for a store or a database that is named without a class.
  private static func missingClass(of container: String) throws -> Failure {
    let missing = "missing expected argument '<class>'"
    if PostgresAddress.isURL(container) { return Failure(.usage, message: "\(missing), a table") }
    if Failure.isURL(container) { return .cannotOpen(container, instead: "cairn query -") }
    let store = try OpenedClass.open(container, untrusted: false)
    let names = try store.snapshot().schema.tables.map(\.name)
    let some = names.prefix(10).joined(separator: ", ") + (names.count > 10 ? ", …" : "")
    return Failure(
      .usage,
      message: missing
        + (names.isEmpty
          ? "; \(container) has none"
          : "; \(container) has \(some), and 'cairn schema \(container)' shows them"))
  }

  /// The path of the store, for a command that changes or watches it.
  ///
  /// - Throws: A usage failure for a database and for data.
  func requireStore() throws -> String {
    switch container {
    case .store(let path): return path
    case .database(let url): throw Failure(notAStore: url)
    case .data(let file):
      throw Failure(
        .usage,
        message:
          "\(file.path) is data, and this command needs a store: import it into one first, as in "
          + "`cairn import world.cairn \(file.path)`")
    }
  }

  // MARK: Opening

  /// Connects to a database.
  ///
  /// - Parameter leavesOut: Whether rows with a value that cannot be read are left out. Such rows, and values
  ///   that were changed, are reported.
  static func database(_ url: String, leavingOut leavesOut: Bool) throws -> PostgresDatabase {
    try PostgresDatabase(url, leavesOut: leavesOut) { table, summary in
      LeftOutReport(summary.leftOut).print(of: table)
      guard !summary.changes.isEmpty else { return }
      let changes = summary.changes.joined(separator: "; ")
      Console.printMessage(PrintableText.escaped("Note: values of \(table): \(changes)."))
    }
  }

  /// - Throws: A usage failure for a store and for data, where `--on-error` says nothing.
  func requireDatabase() throws {
    switch container {
    case .database: return
    case .store(let path):
      throw Failure(
        .usage, message: "--on-error applies to a database; every row of \(path) can be read")
    case .data(let file):
      throw Failure(
        .usage,
        message: "--on-error applies to a database; for a file, import its other rows, as in "
          + "`cairn import world.cairn \(file.path) --on-error skip`")
    }
  }

  /// Opens the class; a table of a database as one without rows.
  ///
  /// - Parameters:
  ///   - mode: Whether a store is only read.
  ///   - untrusted: Whether a store is checked first.
  ///   - needs: The rows and columns that matter; nil for all. A class of data may lack others.
  ///   - leavesOut: Whether rows of a database with a value that cannot be read are left out.
  func open(
    mode: Store.Mode = .readOnly, untrusted: Bool, needs: DataNeeds? = nil,
    leavingOut leavesOut: Bool = false
  ) throws -> OpenedClass {
    if leavesOut { try requireDatabase() }
    switch container {
    case .store(let path):
      let name = className ?? ""
      if !System.exists(path), System.exists(name) {
        throw Failure(
          .noInput,
          message: "\(path) does not exist; the store comes first, as in '\(name) \(path)'")
      }
      return try OpenedClass(
        OpenedClass.open(path, mode: mode, untrusted: untrusted), className: name)
    case .database(let url):
      return try Self.database(url, leavingOut: leavesOut).class(className ?? "")
    case .data(let file):
      return try DataStores.open(file, className: className, needs: needs)
    }
  }

  /// Opens this class and another one, in one state if they are in the same store.
  ///
  /// - Parameter target: The class that is made of their rows; nil if they are only read.
  func open(
    with other: ClassReference, into target: NewClass?, untrusted: Bool
  ) throws -> (left: OpenedClass, right: OpenedClass) {
    let opened = try open(mode: mode(into: target), untrusted: untrusted)
    guard isInSamePlace(as: other) else {
      return (opened, try other.open(mode: other.mode(into: target), untrusted: untrusted))
    }
    return (opened, try opened.sibling(other.className ?? opened.schema.name))
  }

  /// The mode in which the store of the class is opened.
  private func mode(into target: NewClass?) -> Store.Mode {
    if case .store(let path) = container {
      target?.sourceMode(path) ?? .readOnly
    } else {
      .readOnly
    }
  }

  /// Whether another class is in the same store or database, or is the same class of a file.
  private func isInSamePlace(as other: ClassReference) -> Bool {
    switch (container, other.container) {
    case (.store(let path), .store(let known)):
      path == known || System.isSameFile(path, other: known)
    case (.database, .database): true
    case (.data(let file), .data(let known)):
      // Standard input can be read once.
      file.path == known.path && file.layer == known.layer && className == other.className
    default: false
    }
  }
}
