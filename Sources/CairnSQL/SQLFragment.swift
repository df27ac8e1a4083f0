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
    /// The name of a column of the result.
    case title(String)
    /// The test behind a condition that is false or null.
    case isNotTrue
  }

  private(set) var segments: [Segment]

  init(segments: [Segment]) {
    self.segments = segments
  }

  /// Creates a fragment of text that is SQL already.
  public init(sql text: String) {
    segments = text.isEmpty ? [] : [.text(text)]
  }

  /// The test behind a condition that is false or null. Snowflake has no `IS NOT TRUE`.
  static let isNotTrue = SQLFragment(segments: [.isNotTrue])

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

    /// Appends the name of a column of the result, as the dialect writes it.
    mutating func appendInterpolation(title: String) {
      segments.append(.title(title))
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
      default: statement.text += segment.text(dialect)
      }
    }
    return statement
  }

  /// Returns the fragment as text whose values are literals, so that it runs as it is.
  public func text(_ dialect: SQLDialect) -> String {
    segments.reduce(into: "") { $0 += $1.text(dialect) }
  }
}

extension SQLFragment.Segment {
  /// The text of the segment, with a literal for a value.
  fileprivate func text(_ dialect: SQLDialect) -> String {
    switch self {
    case .value(let value), .literal(let value): value.literal(dialect)
    case .name(let name): dialect.quoted(name)
    case .title(let name): dialect.quoted(dialect.title(name))
    case .isNotTrue: dialect == .snowflake ? "IS DISTINCT FROM TRUE" : "IS NOT TRUE"
    case .text(let text): text
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
