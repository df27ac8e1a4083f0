import CairnSystem
import CairnValues

/// A compiled regular expression, which tests whole texts.
///
/// The time for a text grows with its length only: an automaton reads it once, without going back.
package final class RegularExpression: Sendable {
  private let program: PatternProgram
  private let alphabet: PatternAlphabet
  /// The automata that no thread uses at the moment.
  private let idle = Mutex<[PatternAutomaton]>([])
  /// The bytes that every match begins with, as far as that is obvious.
  let prefix: [UInt8]

  /// Compiles a regular expression.
  ///
  /// - Parameter options: The differences to ignore.
  /// - Throws: ``PatternError``.
  package init(_ pattern: String, options: StringOptions) throws(PatternError) {
    let node = try PatternParser.parse(pattern, options: options)
    program = try PatternProgram(node, options: options)
    alphabet = PatternAutomaton.alphabet(of: program)
    var text = ""
    text.unicodeScalars.append(contentsOf: node.prefix.compactMap { Unicode.Scalar($0) })
    prefix = Array(text.utf8)
  }

  /// Whether the whole text matches.
  package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    withAutomaton { $0.matches(text) }
  }

  /// Calls `body` with an automaton, which the caller may use for many texts until it returns.
  func withAutomaton<Result>(_ body: (PatternAutomaton) -> Result) -> Result {
    let automaton =
      idle.withLock { $0.popLast() } ?? PatternAutomaton(program, alphabet: alphabet)
    defer { idle.withLock { $0.append(automaton) } }
    return body(automaton)
  }
}
