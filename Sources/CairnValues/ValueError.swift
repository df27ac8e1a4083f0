/// A text that is not the value it was read as.
public struct ValueError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with which text.
  public let description: String

  /// An error that says this.
  package init(_ description: String) {
    self.description = description
  }
}
