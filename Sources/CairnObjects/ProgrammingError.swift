/// Ends the program over a mistake in its own text: a misspelt property in a literal, an index out of bounds.
///
/// Whatever can come from outside the program has a way that throws instead.
package func programmingError(_ message: String) -> Never {
  fatalError(message)
}

/// Runs what throws only for mistakes in the program's own text.
package func trapping<Result>(_ body: () throws -> Result) -> Result {
  do { return try body() } catch { programmingError("\(error)") }
}
