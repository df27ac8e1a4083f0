import CairnValues

/// What is wrong with a predicate, and where.
public struct PredicateError: Error, Hashable, Sendable {
  /// What sort of mistake it is.
  public enum Kind: String, Hashable, Sendable {
    /// The text is not in the predicate language.
    case syntax
    /// The text is in the language, but asks for what Cairn cannot do.
    case unsupported
    /// The text is too long or nested too deeply.
    case tooLarge
    /// An argument is missing or of the wrong kind.
    case argument
    /// A shape breaks a rule.
    case shape
    /// The class has no such property.
    case unknownProperty
    /// A value is held against a property that can't hold it.
    case typeMismatch
  }

  /// What sort of mistake it is.
  public let kind: Kind
  /// What is wrong, in one sentence.
  public let message: String
  /// The predicate's text; empty where it was not made from text.
  public let text: String
  /// Where in the text, in bytes of its UTF-8; nil where no place is known.
  public let offset: Int?

  /// An error; the offset is in bytes of the text's UTF-8.
  package init(_ kind: Kind, _ message: String, text: String = "", offset: Int? = nil) {
    self.kind = kind
    self.message = message
    self.text = text
    self.offset = offset
  }

  /// The line of the place, counted from 1.
  public var line: Int? { offset.map { TextPlace(text, $0).line } }
  /// The column of the place in characters, counted from 1.
  public var column: Int? { offset.map { TextPlace(text, $0).column } }
}

extension PredicateError: CustomStringConvertible {
  /// The message, and under it the line of the text with a caret at the place.
  public var description: String {
    let message = PrintableText.escaped(message)
    guard let offset else { return message }
    let place = TextPlace(text, offset)
    let position = text.utf8.contains(UInt8(ascii: "\n")) ? "line \(place.line)" : nil
    let heading = position.map { "\(message) (\($0))" } ?? message
    return "\(heading)\n  \(place.excerpt)\n  \(place.caret)"
  }
}
