import CairnStorage
import CairnValues

extension ObjectBase: CustomStringConvertible {}

/// A collection that can describe nested objects.
protocol LayeredText {
  /// Returns the description with that many levels of objects and collections.
  func text(depth: Int) -> String
}

/// The descriptions of objects, in Realm's format.
enum ObjectText {
  /// The number of levels of objects and collections that are shown.
  static let depth = 5
  /// The number of elements of a collection that are shown.
  static let elements = 100
  /// The number of bytes of a binary value that are shown.
  static let bytes = 24

  static func text(of object: ObjectBase, depth: Int) -> String {
    guard depth > 0 else { return tooDeep }
    guard !object.isInvalidated else { return "[invalid object]" }
    let schema = object.objectSchema
    let lines = names(of: object).map { name in
      "\t\(name) = \(indented(text(of: object.valueForCopy(of: name), depth: depth - 1)));"
    }
    return "\(schema.className) {\n\(lines.joined(separator: "\n"))\n}"
  }

  private static func names(of object: ObjectBase) -> [String] {
    if object is DynamicObject { return object.objectSchema.properties.map(\.name) }
    return ObjectLayout.of(type(of: object)).properties.filter { !$0.kind.isInverse }.map(\.name)
  }

  /// The placeholder for objects and collections on deeper levels.
  static let tooDeep = "<Maximum depth exceeded>"

  /// Returns the description of a property value or of an element of a collection.
  static func text(of any: Any?, depth: Int) -> String {
    let value = (any as? any _DynamicValue).map { $0._dynamic } ?? any
    switch Bridge.unwrapped(value) {
    case nil: return "(null)"
    case let object as ObjectBase: return text(of: object, depth: depth)
    case let collection as any LayeredText: return collection.text(depth: depth)
    case let value?: return Bridge.value(value).map(text) ?? "\(value)"
    }
  }

  private static func text(of value: Value) -> String {
    guard case .data(let bytes) = value else { return DescriptionText.text(of: value) }
    let shown = bytes.prefix(self.bytes).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }
    let rest = bytes.count > self.bytes ? "..." : ""
    return "<\(shown.joined())\(rest) — \(bytes.count) total bytes>"
  }

  static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n\t")
  }
}

/// Values as the descriptions of objects show them; the format follows Realm's, which comes from
/// Objective-C.
enum DescriptionText {
  static func text(of value: Value) -> String {
    switch value {
    case .null: "(null)"
    case .bool(let boolean): boolean ? "1" : "0"
    default: value.plainText
    }
  }
}
