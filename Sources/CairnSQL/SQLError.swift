/// An error for a query that cannot be compiled to SQL: a message that says why.
public struct SQLError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The message.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
