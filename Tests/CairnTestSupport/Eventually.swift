import Foundation

/// A condition that did not hold within the limit.
public struct NeverHeld: Error, CustomStringConvertible {
  /// The place of the call, the condition, and the value at the last look.
  public let description: String

  fileprivate init(_ claim: String, _ limit: Duration, seen: Any?, _ file: String, _ line: Int) {
    let value = seen.map { "; seen last: \($0)" } ?? ""
    description = "\(file):\(line): not within \(limit.components.seconds) s: \(claim)\(value)"
  }
}

/// Waits until a value is as expected, looking every few milliseconds, and returns it.
///
/// This is the only way in which tests wait for something that does not wake them. The limit is far
/// beyond what a busy machine needs, so only a fault reaches it.
///
///     try await eventually("all items have arrived") { receiver.ids.count } until: { $0 == 36 }
///
/// - Parameters:
///   - claim: The condition in words, for the error.
///   - limit: The time after which the wait ends with an error.
///   - look: Returns the present value.
///   - holds: Whether a value is as expected.
/// - Throws: ``NeverHeld`` with the last value if the limit is reached; errors of the closures; and
///   `CancellationError` if the task is cancelled.
@discardableResult
public func eventually<Value>(
  _ claim: String, within limit: Duration = .seconds(300), file: String = #fileID,
  line: Int = #line, isolation: isolated (any Actor)? = #isolation,
  look: () async throws -> Value, until holds: (Value) throws -> Bool
) async throws -> Value {
  let end = ContinuousClock.now + limit
  while true {
    // The last look comes after the end, however late this thread runs.
    let isLast = ContinuousClock.now >= end
    let value = try await look()
    if try holds(value) { return value }
    if isLast { throw NeverHeld(claim, limit, seen: value, file, line) }
    try await Task.sleep(for: .milliseconds(2))
  }
}

/// Waits until a condition holds, looking every few milliseconds.
///
/// - Parameter seen: A value that the error shows if the condition does not hold in the end.
/// - Throws: As the form with a value does.
public func eventually(
  _ claim: String, within limit: Duration = .seconds(300),
  seen: @autoclosure () throws -> Any? = nil, file: String = #fileID, line: Int = #line,
  isolation: isolated (any Actor)? = #isolation, condition: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + limit
  while true {
    let isLast = ContinuousClock.now >= end
    if try await condition() { return }
    if isLast { throw NeverHeld(claim, limit, seen: try seen(), file, line) }
    try await Task.sleep(for: .milliseconds(2))
  }
}

/// Waits until a value is as expected, and blocks the thread meanwhile, for code without tasks.
///
/// - Throws: ``NeverHeld`` with the last value if the limit is reached; errors of the closures.
// Without the attribute, closures without `await` would choose this form in tasks too.
@_disfavoredOverload
@discardableResult
public func eventually<Value>(
  _ claim: String, within limit: Duration = .seconds(300), file: String = #fileID,
  line: Int = #line, look: () throws -> Value, until holds: (Value) throws -> Bool
) throws -> Value {
  let end = ContinuousClock.now + limit
  while true {
    let isLast = ContinuousClock.now >= end
    let value = try look()
    if try holds(value) { return value }
    if isLast { throw NeverHeld(claim, limit, seen: value, file, line) }
    usleep(2000)
  }
}

/// Waits until a condition holds, and blocks the thread meanwhile, for code without tasks.
///
/// - Parameter seen: A value that the error shows if the condition does not hold in the end.
/// - Throws: ``NeverHeld`` if the limit is reached; errors of the closures.
@_disfavoredOverload
public func eventually(
  _ claim: String, within limit: Duration = .seconds(300),
  seen: @autoclosure () throws -> Any? = nil, file: String = #fileID, line: Int = #line,
  condition: () throws -> Bool
) throws {
  let end = ContinuousClock.now + limit
  while true {
    let isLast = ContinuousClock.now >= end
    if try condition() { return }
    if isLast { throw NeverHeld(claim, limit, seen: try seen(), file, line) }
    usleep(2000)
  }
}
