import Foundation
import Testing

/// Programming errors and the ends of the processes in which `cairn-misuse` makes them.
///
/// The program starts once for all tests of a process and commits each error in a fork of its own. A
/// test names a case of its table:
///
///     let message = Misuse.trap("list: reading beyond the end")
///     #expect(message.contains("Index 0 is out of bounds"))
public enum Misuse {
  /// The end of a case.
  public struct Outcome: Codable, Sendable {
    /// How its process ended.
    public let end: ProcessEnd
    /// The text that it wrote to standard error.
    public let errors: String

    /// Creates an outcome.
    public init(end: ProcessEnd, errors: String) {
      self.end = end
      self.errors = errors
    }
  }

  /// The exit code of a case that throws an error instead of ending the process.
  public static let errorCode: Int32 = 70

  /// Expects that a case ends by a trap, as `fatalError` and `preconditionFailure` do, and returns the
  /// text that it wrote to standard error.
  @discardableResult
  public static func trap(
    _ name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) -> String {
    do {
      guard let outcome = try outcomes.get()[name] else {
        Issue.record("cairn-misuse has no case '\(name)'", sourceLocation: sourceLocation)
        return ""
      }
      // The instruction of a trap differs between processors.
      if ![.signal(SIGTRAP), .signal(SIGILL)].contains(outcome.end) {
        Issue.record(
          "'\(name)' ended by \(outcome.end): \(outcome.errors)", sourceLocation: sourceLocation)
      }
      return outcome.errors
    } catch {
      Issue.record(error, "cairn-misuse failed", sourceLocation: sourceLocation)
      return ""
    }
  }

  private static let outcomes = Result {
    // Processes that crash leave their files behind, so they get a folder that is deleted.
    let scratch = try TemporaryFolder(inMemory: true)
    let run = try Command.launch(
      Command.misuse, [], input: nil,
      environment: ["TMPDIR": scratch.path, "SWIFT_BACKTRACE": "enable=no"], folder: nil)
    guard run.code == 0 else {
      throw Command.Failure(description: "exit code \(run.code): \(run.errors)")
    }
    return try JSONDecoder().decode([String: Outcome].self, from: Data(run.output.utf8))
  }
}
