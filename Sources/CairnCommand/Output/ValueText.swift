import CairnFormats
import CairnValues

/// Single values as people and programs read them.
enum ValueText {
  /// A number or a date in words; numbers that are whole without a point.
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

  /// A number without more digits than it needs, and at most 15.
  static func text(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15
      ? "\(Int(number))" : ShortNumber.text(number)
  }

  /// A number or a date as JSON; anything else null.
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

/// Degrees with the side of the earth.
enum DegreeText {
  static func latitude(_ degrees: Double) -> String { text(degrees, "N", "S") }
  static func longitude(_ degrees: Double) -> String { text(degrees, "E", "W") }

  /// To about ten metres.
  private static func text(_ degrees: Double, _ positive: String, _ negative: String) -> String {
    let size = (abs(degrees) * 1e4).rounded() / 1e4
    return ValueText.text(size) + "°" + (size == 0 ? "" : degrees < 0 ? negative : positive)
  }
}
