import CairnValues

/// A part of a regular expression.
indirect enum PatternNode: Sendable {
  /// Consecutive code points, and the differences to ignore.
  case literal([UInt32], StringOptions)
  /// Any one code point of a set.
  case set(CodePointSet)
  /// A condition on the position, which reads nothing.
  case assertion(PatternAssertion)
  /// One part after the other.
  case sequence([PatternNode])
  /// One of the parts.
  case alternatives([PatternNode])
  /// A part at least and at most so many times; nil without a limit.
  case repetition(PatternNode, atLeast: Int, atMost: Int?)
}

/// A condition on a position in the text.
enum PatternAssertion: Sendable {
  /// `^`: the beginning of the text.
  case start
  /// `$`: the end of the text.
  case end
  /// `\b`: between a word character and another character, or the beginning or end of a word.
  case wordBoundary
  /// `\B`: anywhere else.
  case noWordBoundary
}

extension PatternNode {
  /// The text that every match begins with, as far as it is obvious.
  var prefix: [UInt32] {
    switch self {
    case .literal(let units, let options): options.isEmpty ? units : []
    case .sequence(let parts): PatternNode.prefix(of: parts)
    case .set, .assertion, .alternatives, .repetition: []
    }
  }

  private static func prefix(of parts: [PatternNode]) -> [UInt32] {
    var prefix: [UInt32] = []
    for part in parts {
      if case .assertion = part { continue }
      prefix += part.prefix
      guard case .literal = part else { break }
    }
    return prefix
  }
}

/// An error in a regular expression.
package struct PatternError: Error, Hashable {
  /// The message, without the position and a full stop.
  package let message: String
  /// The number of the character at which the error is, counted from 1; nil if it is the whole
  /// expression.
  package let position: Int?
}
