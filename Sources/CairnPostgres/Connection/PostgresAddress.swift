/// The address of a database: a URL or a connection string of libpq, which reads service files, the
/// password file and the settings of TLS itself.
public struct PostgresAddress: Sendable, CustomStringConvertible {
  /// The address as it was given, which may contain a password.
  let text: String

  /// Makes an address, such as `postgres://user@host:5432/database?sslmode=verify-full`.
  public init(_ text: String) { self.text = text }

  /// Whether a text is a URL of PostgreSQL.
  public static func isURL(_ text: String) -> Bool {
    text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
  }

  /// The address for messages: a URL without its password, or `the database` for a connection
  /// string, whose password may be anywhere.
  public var description: String {
    guard Self.isURL(text), !hasUnclearPassword, let start = text.firstRange(of: "://")?.upperBound
    else { return "the database" }
    let end = text[start...].firstIndex { $0 == "?" } ?? text.endIndex
    // A password may contain an @ that was not encoded, so the last one ends it.
    var rest = text[start..<end]
    var user = ""
    if let mark = rest.lastIndex(of: "@") {
      user = rest[..<mark].prefix { $0 != ":" } + "@"
      rest = rest[rest.index(after: mark)...]
    }
    return text[..<start] + user + rest
  }

  /// Whether a URL may have a password with a character that libpq takes for the end of the server's
  /// name: the port is not a number, or an `@` comes after a question mark.
  private var hasUnclearPassword: Bool {
    guard Self.isURL(text), let start = text.firstRange(of: "://")?.upperBound else { return false }
    let rest = text[start...]
    if let query = rest.firstIndex(of: "?"), rest[query...].contains("@") { return true }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let servers = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    return servers.split(separator: ",").contains { server in
      guard !server.hasSuffix("]"), let colon = server.lastIndex(of: ":") else { return false }
      return !server[server.index(after: colon)...].allSatisfy(\.isNumber)
    }
  }

  /// Throws if libpq cannot read the address, or would not read a password as one. Its own message may quote a password, so it is used
  /// only for an address without one.
  func check(_ library: PostgresLibrary) throws(PostgresError) {
    var failure: UnsafeMutablePointer<CChar>?
    let options = library.parse(text, &failure)
    defer {
      library.freeOptions(options)
      library.free(failure)
    }
    guard options == nil || hasUnclearPassword else { return }
    let isOpen =
      !hasUnclearPassword && !text.contains("@") && !text.lowercased().contains("password")
    let reason = failure.map { OneLine.text(String(cString: $0)) }
    throw PostgresError(
      .usage,
      message: "the address of the database cannot be read"
        + (isOpen
          ? reason.map { ": \($0)" } ?? "" : "; expected postgres://user@host:port/database"))
  }
}
