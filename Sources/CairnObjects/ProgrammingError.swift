/// Ends the program because of a mistake in its own text, such as a misspelt property in a literal
/// or an index out of bounds.
///
/// Every input that can come from outside the program has an API that throws instead.
package func programmingError(_ message: String) -> Never {
  fatalError(message)
}

/// Runs code that throws only for mistakes in the program's own text, and ends the program if it
/// throws.
package func orFatal<Result>(_ body: () throws -> Result) -> Result {
  do { return try body() } catch { programmingError("\(error)") }
}
