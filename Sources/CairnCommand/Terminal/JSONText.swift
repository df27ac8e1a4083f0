import CairnIO
import CairnValues

/// Builds small nested JSON texts, which the row writers cannot do.
enum JSONBuilder {
  /// An object such as `{"a":1,"b":[…]}`. The values must be JSON.
  static func object(_ members: KeyValuePairs<String, String>) -> String {
    "{" + members.map { string($0.key) + ":" + $0.value }.joined(separator: ",") + "}"
  }

  /// An array with one value a line. The values must be JSON.
  static func array(_ values: [String], indent: String = "") -> String {
    guard !values.isEmpty else { return "[]" }
    let lines = values.map { "\n" + indent + "  " + $0 }
    return "[" + lines.joined(separator: ",") + "\n" + indent + "]"
  }

  /// A quoted text, or `null`.
  static func string(_ text: String?) -> String { text.map { string($0) } ?? "null" }

  /// A quoted text. Characters that are unsafe on a terminal become JSON escapes, so that the text
  /// reads back unchanged.
  static func string(_ text: String) -> String {
    JSONString.quoted(text, escaping: PrintableText.isUnsafe)
  }
}

/// Single values as text for people and as JSON for programs.
enum ValueText {
  /// A value as text; whole numbers have no decimal point.
  static func text(_ value: Value) -> String {
    switch value {
    case .null: ""
    case .double(let number): text(number)
    case .float(let number): text(Double(number.description) ?? Double(number))
    case .date(let seconds): ISODate.format(seconds)
    case .int(let number): number.description
    case .string(let text): text
    case .bool(let flag): flag ? "true" : "false"
    default: "\(value)"
    }
  }

  /// A number with as many digits as it needs, at most 15.
  static func text(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15
      ? "\(Int(number))" : ShortNumber.text(number)
  }

  /// A number or a date as JSON; `null` for anything else.
  static func json(_ value: Value) -> String {
    switch value {
    case .int(let number): "\(number)"
    case .double(let number): number.isFinite ? "\(number)" : "null"
    case .float(let number): number.isFinite ? "\(number)" : "null"
    case .date(let seconds): JSONBuilder.string(ISODate.format(seconds))
    default: "null"
    }
  }
}

/// Degrees with the hemisphere, such as `27.5°S`.
enum DegreeText {
  static func latitude(_ degrees: Double) -> String { text(degrees, positive: "N", negative: "S") }
  static func longitude(_ degrees: Double) -> String { text(degrees, positive: "E", negative: "W") }

  /// The degrees, rounded to about ten metres.
  private static func text(_ degrees: Double, positive: String, negative: String) -> String {
    let size = (abs(degrees) * 1e4).rounded() / 1e4
    return ValueText.text(size) + "°" + (size == 0 ? "" : degrees < 0 ? negative : positive)
  }
}
