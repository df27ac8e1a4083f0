import CairnRequest
import CairnStorage
import CairnSystem
import CairnValues

/// A change of a store by one command: one transaction, which `--dry-run` does not commit.
struct StoreChange {
  /// The report on a change, in the words of a command that made it or of a dry run.
  struct Summary {
    /// The subject: `12 rows`.
    let subject: String
    /// The participle: `deleted`.
    let verb: String
    /// The rest of the sentence: `from cities`.
    let rest: String

    fileprivate var done: String { "\(subject) \(verb) \(rest)" }
    fileprivate var planned: String { "\(subject) would be \(verb) \(rest)" }
  }

  let store: Store
  let options: ChangeOptions

  init(_ store: Store, options: ChangeOptions) {
    self.store = store
    self.options = options
  }

  /// Opens a store for a change of its classes.
  init(_ path: String, options: ChangeOptions) throws {
    try self.init(
      OpenedClass.open(path, mode: .readWrite, untrusted: false), options: options)
  }

  /// Runs `body` in a transaction, and commits its changes unless this is a dry run.
  ///
  /// - Parameters:
  ///   - body: Makes the changes, and returns the summary.
  ///   - detail: Returns more for the summary, after the commit.
  func run(
    _ body: (WriteTransaction) throws -> Summary, detail: () throws -> String = { "" }
  ) throws {
    let start = MonotonicClock.seconds
    let transaction = try store.beginWrite()
    defer { transaction.rollback() }
    let summary = try body(transaction)
    if options.dryRun {
      let text = PrintableText.escaped(summary.planned)
      return try OutputTarget.print("\(text); nothing was written\n")
    }
    try transaction.commit()
    if options.quiet { return }
    let seconds = Quantity.seconds(MonotonicClock.seconds - start)
    Console.printMessage(try "\(summary.done)\(detail()), in \(seconds)")
  }
}

extension WriteTransaction {
  /// The class of that name for editing.
  ///
  /// - Throws: A failure that suggests the nearest class if the class does not exist.
  func writer(_ name: String, of store: Store) throws -> TableWriter {
    guard let writer = table(name) else {
      throw UnknownClass(name: name, schema: schema, path: store.path)
    }
    return writer
  }
}
