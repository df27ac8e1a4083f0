import CairnValues

/// An error in a predicate, with its position in the text.
public struct PredicateError: Error, Hashable, Sendable {
  /// The category of an error.
  public enum Kind: String, Hashable, Sendable {
    /// The text is not in the predicate language.
    case syntax
    /// The text is in the language, but Cairn does not support what it asks for.
    case unsupported
    /// The text is too long or nested too deeply.
    case tooLarge
    /// An argument is missing or of the wrong type.
    case argument
    /// A shape breaks a rule.
    case shape
    /// The class has no such property.
    case unknownProperty
    /// A value is compared with a property of an incompatible type.
    case typeMismatch
  }

  /// The category of the error.
  public let kind: Kind
  /// The message, without the position.
  public let message: String
  /// The predicate's text; empty if the predicate was not parsed from text.
  public let text: String
  /// The offset of the error in the UTF-8 bytes of ``text``; nil if it is unknown.
  public let offset: Int?

  /// Creates an error.
  ///
  /// - Parameter offset: The offset in the UTF-8 bytes of the text.
  package init(_ kind: Kind, message: String, text: String = "", offset: Int? = nil) {
    self.kind = kind
    self.message = message
    self.text = text
    self.offset = offset
  }

  /// The line of the error, counted from 1.
  public var line: Int? { offset.map { TextLocation(text, at: $0).line } }
  /// The column of the error in characters, counted from 1.
  public var column: Int? { offset.map { TextLocation(text, at: $0).column } }
}

extension PredicateError: CustomStringConvertible {
  /// The message, followed by the line of the text with a caret below the error.
  public var description: String {
    let message = PrintableText.escaped(message)
    guard let offset else { return message }
    let location = TextLocation(text, at: offset)
    let position = text.utf8.contains(UInt8(ascii: "\n")) ? "line \(location.line)" : nil
    let heading = position.map { "\(message) (\($0))" } ?? message
    return "\(heading)\n  \(location.excerpt)\n  \(location.caret)"
  }
}

/// A predicate's text and the offsets of its conditions in it.
final class PredicateSource: Sendable {
  /// The offsets of one side of a condition, in UTF-8 bytes.
  struct SidePosition: Hashable, Sendable {
    /// The start of the side.
    var start: Int
    /// The starts of the steps of its path; empty if the path is a single step at `start`.
    var steps: [Int] = []

    /// The start of a step.
    func step(_ number: Int) -> Int {
      steps.indices ~= number ? steps[number] : start
    }
  }

  /// The offsets of one condition.
  struct ConditionPosition: Hashable, Sendable {
    /// The left side.
    var left: SidePosition
    /// The right side.
    var right: SidePosition

    /// The offsets of the condition with its sides swapped.
    var mirrored: ConditionPosition { ConditionPosition(left: right, right: left) }
  }

  let text: String
  /// The offsets in the tree's order of conditions, without constants. The conditions of a subquery
  /// follow the condition that contains it.
  let positions: [ConditionPosition]

  init(text: String, positions: [ConditionPosition]) {
    self.text = text
    self.positions = positions
  }
}

/// A position in a text, and the excerpt that shows it.
struct TextLocation {
  /// The line, counted from 1.
  let line: Int
  /// The column in characters, counted from 1.
  let column: Int
  /// The line, or the part of a long line around the position.
  let excerpt: String
  /// Blanks and a `^` that marks the position when printed below the excerpt.
  let caret: String

  /// The number of characters shown before and behind the position.
  private static let maxContext = 60

  init(_ text: String, at offset: Int) {
    let bytes = Array(text.utf8)
    let location = min(max(offset, 0), bytes.count)
    let start = bytes[..<location].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let end = bytes[location...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    line = bytes[..<location].count { $0 == UInt8(ascii: "\n") } + 1
    let before = String(decoding: bytes[start..<location], as: UTF8.self)
    let behind = String(decoding: bytes[location..<end], as: UTF8.self)
    column = before.count + 1
    let isCut = before.count > TextLocation.maxContext
    let shown = (isCut ? "…" : "") + TextLocation.printable(before.suffix(TextLocation.maxContext))
    let rest = behind.prefix(TextLocation.maxContext)
    excerpt = shown + TextLocation.printable(rest) + (rest.endIndex < behind.endIndex ? "…" : "")
    caret = String(shown.map { $0 == "\t" ? "\t" : " " }) + "^"
  }

  /// The text without characters that could move a terminal's cursor. Tabs are kept, also in the
  /// caret's line.
  private static func printable(_ text: Substring) -> String {
    PrintableText.escaped(String(text), keeping: ["\t"])
  }
}
