import CairnValues

/// A JSON value for documents, whose members keep their order.
indirect enum JSON: Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  /// A number in the form of JSON.
  case number(String)
  case string(String)
  case array([JSON])
  case object([(String, JSON)])

  /// The text of the value.
  var text: String {
    var text = ""
    append(to: &text)
    return text
  }

  private func append(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .int(let number): text += "\(number)"
    case .double(let number): text += number.isFinite ? "\(number)" : "null"
    case .number(let number): text += number
    case .string(let string): text += JSONString.quoted(string)
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.append(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        text += JSONString.quoted(member.0) + ":"
        member.1.append(to: &text)
      }
      text += "}"
    }
  }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral
{
  init(dictionaryLiteral elements: (String, JSON)...) { self = .object(elements) }
  init(arrayLiteral elements: JSON...) { self = .array(elements) }
  init(stringLiteral value: String) { self = .string(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(integerLiteral value: Int) { self = .int(value) }
}

extension JSON {
  /// The object with more members; any other value unchanged.
  func adding(_ more: KeyValuePairs<String, JSON>) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(members + more.map { ($0.key, $0.value) })
  }
}
