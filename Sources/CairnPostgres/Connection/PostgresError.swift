/// An error of PostgreSQL, of the connection to it, or of values that do not fit.
public struct PostgresError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error.
  public enum Kind: Sendable, Hashable {
    /// libpq is not installed.
    case library
    /// The address or a name is wrong.
    case usage
    /// The server cannot be reached, or has closed the connection.
    case connection
    /// The server has refused a statement.
    case server
    /// A value does not fit the type on the other side.
    case data
    /// The caller, or the user, has cancelled the statement.
    case cancelled
    /// The system cannot start a thread.
    case noThread
  }

  /// The kind of the error.
  public let kind: Kind
  /// The server's message, or what is wrong otherwise. It contains no password.
  public internal(set) var message: String
  /// The severity of a message of the server, such as `ERROR` or `FATAL`.
  public internal(set) var severity: String?
  /// The five characters of SQLSTATE, if the server has sent them.
  public internal(set) var sqlState: String?
  /// The server's details.
  public internal(set) var detail: String?
  /// The server's advice.
  public internal(set) var hint: String?
  /// The row with a value that cannot be read; nil for other errors.
  package private(set) var row: UnreadableRow?

  /// Makes an error.
  package init(_ kind: Kind, message: String) {
    self.kind = kind
    self.message = message
  }

  /// Makes the error for a value that cannot be read.
  init(_ row: UnreadableRow) {
    self.init(.data, message: row.description)
    self.row = row
  }

  /// The message with the code, the details and the advice of the server, in one line.
  public var description: String {
    let code = sqlState.map { " (SQLSTATE \($0))" } ?? ""
    return ([message + code] + [detail, hint].compactMap { $0 }.map(Self.withoutStop))
      .joined(separator: "; ")
  }

  /// The error with words before its message, such as the server that it came from.
  func prefixed(_ words: String) -> PostgresError {
    var error = self
    error.message = "\(words): \(message)"
    return error
  }

  private static func withoutStop(_ sentence: String) -> String {
    sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
  }
}

extension PostgresError {
  /// Reads the error of a result.
  ///
  /// - Parameters:
  ///   - isAlive: Whether the connection still works.
  ///   - fallback: The message of the connection, for errors that libpq itself has found.
  init(_ library: PostgresLibrary, result: OpaquePointer?, isAlive: Bool, fallback: String) {
    func field(_ code: Unicode.Scalar) -> String? {
      library.errorField(result, Int32(code.value)).map { OneLine.text(String(cString: $0)) }
    }
    let state = field("C")
    let severity = field("V") ?? field("S")
    // The server ends the connection after such an error, which libpq may not have noticed yet.
    let isEnd = !isAlive || severity == "FATAL" || severity == "PANIC"
    let kind: Kind = state == "57014" ? .cancelled : isEnd ? .connection : .server
    let message = field("M") ?? (fallback.isEmpty ? "the server closed the connection" : fallback)
    self.init(kind, message: message)
    self.severity = severity
    sqlState = state
    detail = field("D")
    hint = field("H")
  }
}

/// Text of the server in one line.
enum OneLine {
  /// Replaces line breaks and tabs by spaces, and drops spaces at both ends.
  static func text(_ text: String) -> String {
    text.split(whereSeparator: { $0.isNewline || $0 == "\t" })
      .map { line in
        String(line.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }
      .filter { !$0.isEmpty }
      .joined(separator: " ")
  }
}
