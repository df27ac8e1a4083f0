import CairnValues

/// Constants as the predicate language writes them.
enum ConstantText {
  static func text(of value: Value) -> String {
    switch value {
    case .null: "nil"
    case .bool(let flag): flag ? "true" : "false"
    case .int(let number): String(number)
    case .float(let number): "float(\(text(Double(number), shortest: "\(number)")))"
    case .double(let number): text(number, shortest: "\(number)")
    case .decimal(let number): "decimal128(\(number))"
    case .string(let text): quoted(text)
    case .data(let bytes): "base64('\(Base64.encode(bytes))')"
    case .date(let seconds): text(ofDate: seconds)
    case .objectId(let id): "oid(\(id))"
    case .uuid(let id): "uuid(\(id))"
    case .link(let link): "object(\(link.table), \(link.key))"
    case .point(let position):
      "geoPoint"
        + "(" + ShapeText.place(position.longitude, position.latitude, position.altitude) + ")"
    }
  }

  /// A text in quotes, with what cannot stand there escaped.
  static func quoted(_ text: String) -> String {
    var result = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'": result += "\\'"
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case "\0"..<" ", "\u{7F}": result += "\\u00" + hexadecimal(scalar.value)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "'"
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    (value < 16 ? "0" : "") + String(value, radix: 16)
  }

  private static func text(_ number: Double, shortest: String) -> String {
    if number.isNaN { return "nan" }
    if number.isInfinite { return number < 0 ? "-infinity" : "infinity" }
    return shortest
  }

  /// The date bare where that gives exactly the same date, else its seconds.
  private static func text(ofDate seconds: Double) -> String {
    let text = ISODate.format(seconds)
    let isPlain = text.utf8.first.map { $0 &- UInt8(ascii: "0") < 10 } ?? false
    if isPlain, text.utf8.count >= 10, ISODate.parse(text) == seconds { return text }
    return "date(\(ConstantText.text(of: .double(seconds))))"
  }
}
