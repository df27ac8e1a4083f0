import CairnIO
import CairnPostgres
import CairnRequest
import CairnStorage
import CairnSystem
import CairnValues

/// The class that a command makes of its rows: `--into CLASS`, in the same store, or
/// `--into STORE:CLASS`, in another one, which it creates if it does not exist.
struct NewClass {
  /// The path of the store.
  let path: String
  /// The name of the class.
  let name: String

  /// Reads the option.
  ///
  /// - Parameter source: The store or the file of the rows, as the command line names it.
  init(_ text: String, besides source: String) throws {
    if let colon = text.lastIndex(of: ":") {
      self.path = String(text[..<colon])
      name = String(text[text.index(after: colon)...])
    } else {
      guard let path = ClassReference.storePath(source) else {
        throw Failure(
          .usage,
          message: "--into \(text) is a class beside that of the rows, which are in \(source); "
            + "name a store, as in --into world.cairn:\(text)")
      }
      self.path = path
      name = text
    }
    guard !name.isEmpty, !self.path.isEmpty else {
      throw Failure(.usage, message: "--into '\(text)': expected CLASS or STORE:CLASS")
    }
    if PostgresAddress.isURL(self.path) {
      throw Failure(
        .usage,
        message: "--into makes a class of a store: --into STORE:\(name); 'cairn push' copies it")
    }
  }

  /// The mode in which the store of the rows is opened.
  func sourceMode(_ source: String) -> Store.Mode {
    guard let other = ClassReference.storePath(source) else { return .readOnly }
    return path == other || System.isSameFile(path, other: other) ? .readWrite : .readOnly
  }

  /// Makes the class of what `body` writes, all or nothing, and reports it.
  ///
  /// - Parameters:
  ///   - columns: The columns of the rows.
  ///   - origin: Returns the stored column that an output column shows unchanged.
  ///   - hasKey: Whether each row comes once, so that the primary key stays one.
  ///   - progress: Receives the summary.
  ///   - more: More for the summary.
  func fill(
    _ columns: [OutputColumn], from origin: (OutputColumn) -> ColumnSchema?, hasKey: Bool,
    progress: any ProgressReporter, adding more: WorkSummary? = nil,
    _ body: (RowWriter) throws -> Void
  ) throws {
    let start = MonotonicClock.seconds
    let isNew = !System.exists(path)
    if isNew { Interruption.prepare() }
    do {
      let store = try NewStore.open(path, mode: .create)
      let encoder = try ClassEncoder(
        name, of: store, columns: columns, from: origin, hasKey: hasKey,
        cancellation: Cancellation { Interruption.isPending })
      let writer = try RowWriter(
        columns, to: encoder, measuringOn: ColumnChoice.ellipsoid(for: columns))
      try body(writer)
      try writer.finish()
      progress.finish(summary(rows: writer.rowCount, since: start).adding(more))
    } catch {
      if isNew { NewStore.removeIfEmpty(path) }
      Interruption.endProcess()
      throw error
    }
  }

  private func summary(rows: Int, since start: Double) -> WorkSummary {
    let seconds = MonotonicClock.seconds - start
    return WorkSummary(
      text: PrintableText.escaped(
        "\(Quantity.counted(rows, noun: "row")) written into \(name) of \(path), "
          + "in \(Quantity.seconds(seconds))"),
      members: [
        "store": JSONBuilder.string(path), "class": JSONBuilder.string(name), "rows": "\(rows)",
        "seconds": "\((seconds * 1000).rounded() / 1000)",
      ])
  }
}
