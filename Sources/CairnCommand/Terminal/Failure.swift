import CairnGeometry
import CairnIO
import CairnPostgres
import CairnQuery
import CairnRequest
import CairnSQL
import CairnStorage
import CairnTiles
import CairnValues

/// The exit code and message with which a command fails.
struct Failure: Error, CustomStringConvertible {
  enum Code: Int32 {
    /// Any other failure.
    case other = 1
    /// A wrong option or predicate, or an unknown class or column.
    case usage = 64
    /// Invalid content of a file, or an invalid polygon.
    case badData = 65
    /// A missing file.
    case noInput = 66
    /// An I/O error, a full disk, or a locked or damaged store.
    case io = 74
  }

  let code: Code
  let description: String

  /// A failure of one sentence. Line breaks and control characters, which may come from names and
  /// values, are escaped.
  init(_ code: Code, message: String) {
    self.init(code, lines: PrintableText.escaped(message))
  }

  /// A failure whose message has several lines, such as a predicate with a marker under the error.
  init(_ code: Code, lines: String) {
    self.code = code
    description = lines
  }
}

extension Failure {
  /// The failure for a file that cannot be opened, with the reason in `errno`.
  ///
  /// - Parameter command: The command that reads the file from standard input.
  static func cannotOpen(_ path: String, instead command: String? = nil) -> Failure {
    let reason = System.errorText()
    guard isURL(path) else {
      return Failure(.noInput, message: "cannot open \(path): \(reason)")
    }
    let fetch = "curl -L '\(path)'"
    return Failure(
      .noInput,
      message: "\(path) is a URL, which Cairn does not fetch; "
        + (command.map { "pipe it in: \(fetch) | \($0)" } ?? "fetch it: \(fetch) -o FILE"))
  }

  /// Whether a path is the URL of a file.
  static func isURL(_ path: String) -> Bool {
    ["http://", "https://", "ftp://"].contains { path.lowercased().hasPrefix($0) }
  }

  /// The failure for the address of a database where a store is needed.
  init(notAStore url: String) {
    self.init(
      .usage,
      message:
        "\(PostgresAddress(url)) is a database, which query, count, stats, join, export and "
        + "schema read; push and pull copy classes and tables")
  }

  /// The exit code and message for an error of the libraries; nil for any other error.
  init?(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as StoreError: self.init(error)
    case let error as UnknownClass: self.init(error)
    case let error as ImportError: self.init(error, message: error.text.shellText)
    case let error as ReadingFailure:
      self.init(error.cause, message: error.cause.text.shellText(reading: error.path))
    case let error as OutputError: self.init(error)
    case let error as GeometryError: self.init(error)
    case let error as TileError: self.init(error)
    case let error as PredicateError:
      self.init(error.kind == .shape ? .badData : .usage, lines: PredicateAdvice.text(of: error))
    case let error as FormulaError:
      self.init(.badData, message: "\(error.message), in the row with key \(error.key)")
    case let error as PostgresError: self.init(error)
    case let error as SQLError: self.init(.usage, message: error.description)
    case let error as QueryError: self.init(.usage, message: error.description)
    default: return nil
    }
  }

  /// Whether a process of another container has the store open under the number of this process.
  static func isNumberTaken(_ error: any Error) -> Bool {
    let storeError = error as? StoreError ?? (error as? ImportError)?.storeError
    return storeError?.kind == .numberTaken
  }

  private init(_ error: StoreError) {
    self.init(Code(error.kind), message: error.message)
  }

  private init(_ error: ImportError, message: String) {
    let code: Code =
      switch error.kind {
      case .usage: .usage
      case .data: .badData
      case .noInput: .noInput
      case .io: .io
      case .library, .cancelled: .other
      case .store: error.storeError.map { Code($0.kind) } ?? .io
      }
    self.init(code, message: message)
  }

  private init(_ error: OutputError) {
    switch error {
    case .closed: self.init(.other, message: "the output was closed")
    case .diskFull: self.init(.io, message: "cannot write the output: the disk is full")
    case .io(let code):
      self.init(.io, message: "cannot write the output: \(System.outputErrorText(code))")
    case .outsideSystem(let why):
      self.init(.badData, message: "\(why); --bbox W,S,E,N excludes such rows")
    case .unnamedSystem(let why): self.init(.usage, message: "--crs: \(why)")
    case .tooManyRows(let limit):
      self.init(
        .usage,
        message:
          "--colour-by and --size-by show at most \(limit) rows; choose fewer with a condition or --limit"
      )
    case .tooDeep:
      self.init(
        .badData,
        message:
          "a row nests more than 512 objects and collections; leave that column out with --select"
      )
    case .file(let problem, let message):
      let code: Code =
        switch problem {
        case .usage: .usage
        case .data: .badData
        case .library: .other
        case .output: .io
        }
      self.init(code, message: message)
    case .noLocation:
      self.init(
        .usage,
        message: "the format needs a location, and the class has none; choose another --format")
    }
  }

  private init(_ error: PostgresError) {
    let code: Code =
      switch error.kind {
      case .usage: .usage
      case .data: .badData
      case .connection: .io
      case .library, .server, .cancelled, .noThread: .other
      }
    let advice =
      error.row == nil
      ? ""
      : "; --on-error skip of query, count, stats, join, export and pull leaves such rows out"
    self.init(code, message: error.description + advice)
  }

  private init(_ error: TileError) {
    let code: Code =
      switch error.kind {
      case .invalidTile, .usage: .usage
      case .data: .badData
      case .io: .io
      case .library: .other
      }
    self.init(code, message: error.message)
  }

  init(_ error: GeometryError) {
    switch error.kind {
    case .missingLibrary, .library: self.init(.other, message: error.message)
    default: self.init(.badData, message: error.message)
    }
  }
}

extension Failure.Code {
  init(_ kind: StoreError.Kind) {
    self =
      switch kind {
      case .notFound: .noInput
      case .schemaMismatch, .duplicateKey, .invalidValue: .badData
      case .notAStore, .truncated, .newerVersion, .damaged, .locked, .diskFull, .io, .full,
        .readOnly, .exists, .inUse, .replaced, .numberTaken:
        .io
      case .misuse: .other
      }
  }
}
