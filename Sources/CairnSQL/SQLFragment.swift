/// A piece of SQL whose names are not quoted yet, and whose values are apart from the text.
///
/// Fragments are written as interpolated texts:
///
///     let condition: SQLFragment = "\(name: "age") > \(value: .int(5))"
///     condition.statement(.postgis).text  // "age" > $1::bigint
public struct SQLFragment: Hashable, Sendable {
  enum Segment: Hashable, Sendable {
    case text(String)
    case name(String)
    case value(SQLValue)
    /// A value that is a literal even in a dialect with parameters.
    case literal(SQLValue)
  }

  private(set) var segments: [Segment]

  init(segments: [Segment]) {
    self.segments = segments
  }

  /// Creates a fragment of text that is SQL already.
  public init(sql text: String) {
    segments = text.isEmpty ? [] : [.text(text)]
  }

  /// Whether the fragment has no text.
  public var isEmpty: Bool { segments.isEmpty }

  /// Appends another fragment.
  public mutating func append(_ other: SQLFragment) {
    segments += other.segments
  }

  /// Returns the fragments with a separator between them.
  public static func joined(_ fragments: [SQLFragment], separator: String) -> SQLFragment {
    var result = SQLFragment(sql: "")
    for (index, fragment) in fragments.enumerated() {
      if index > 0 { result.append(SQLFragment(sql: separator)) }
      result.append(fragment)
    }
    return result
  }
}

extension SQLFragment: ExpressibleByStringInterpolation {
  /// The parts of a fragment that is written as an interpolated text.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var segments: [Segment] = []

    /// Creates an empty interpolation.
    public init(literalCapacity: Int, interpolationCount: Int) {
      segments.reserveCapacity(2 * interpolationCount + 1)
    }

    /// Appends text that is SQL.
    public mutating func appendLiteral(_ text: String) {
      if !text.isEmpty { segments.append(.text(text)) }
    }

    /// Appends another fragment.
    public mutating func appendInterpolation(_ fragment: SQLFragment) {
      segments += fragment.segments
    }

    /// Appends the name of a table or a column, which the dialect puts in quotes.
    public mutating func appendInterpolation(name: String) {
      segments.append(.name(name))
    }

    /// Appends a value, which becomes a parameter in dialects that have parameters.
    public mutating func appendInterpolation(value: SQLValue) {
      segments.append(.value(value))
    }

    /// Appends a value, which becomes a literal in every dialect.
    public mutating func appendInterpolation(literal: SQLValue) {
      segments.append(.literal(literal))
    }

    /// Appends a number.
    public mutating func appendInterpolation(number: Int) {
      appendLiteral(String(number))
    }
  }

  /// Creates a fragment of text that is SQL.
  public init(stringLiteral text: String) {
    self.init(sql: text)
  }

  /// Creates a fragment from an interpolated text.
  public init(stringInterpolation: StringInterpolation) {
    segments = stringInterpolation.segments
  }
}

extension SQLFragment {
  /// Returns the fragment as a statement with parameters. In a dialect without parameters, the
  /// values are literals.
  public func statement(_ dialect: SQLDialect) -> SQLStatement {
    var statement = SQLStatement(dialect: dialect, text: "", parameters: [])
    for segment in segments {
      switch segment {
      case .value(let value) where dialect.hasParameters:
        statement.parameters.append(value)
        statement.text += value.placeholder(statement.parameters.count, dialect: dialect)
      case .value(let value), .literal(let value): statement.text += value.literal(dialect)
      case .name(let name): statement.text += dialect.quoted(name)
      case .text(let text): statement.text += text
      }
    }
    return statement
  }

  /// Returns the fragment as text whose values are literals, so that it runs as it is.
  public func text(_ dialect: SQLDialect) -> String {
    segments.reduce(into: "") { text, segment in
      switch segment {
      case .value(let value), .literal(let value): text += value.literal(dialect)
      case .name(let name): text += dialect.quoted(name)
      case .text(let part): text += part
      }
    }
  }
}

/// SQL for an engine, and the values of its parameters.
public struct SQLStatement: Hashable, Sendable {
  /// The dialect of the text.
  public let dialect: SQLDialect
  /// The SQL, with a parameter `$1`, `$2` and so on for each value.
  public internal(set) var text: String
  /// The values of the parameters; empty in a dialect without parameters.
  public internal(set) var parameters: [SQLValue]
}
