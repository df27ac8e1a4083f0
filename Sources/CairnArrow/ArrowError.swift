/// A fault of Arrow's data, or something in it that is not supported.
package struct ArrowError: Error {
  /// The message, without the place in the file.
  package let message: String

  /// Creates an error.
  package init(_ message: String) { self.message = message }
}
