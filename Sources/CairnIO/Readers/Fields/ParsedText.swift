package import CairnStorage
internal import CairnValues

/// Parses the values of types that no file's text has by itself, and that only a class can ask for.
package enum ParsedText {
  /// Whether a text is a value of the type.
  package static func isValid(_ text: UnsafeBufferPointer<UInt8>, as type: FieldType) -> Bool {
    append(text, as: type, to: nil)
  }

  /// Appends the value of a text to a column. Returns false if it is not a value of the type.
  ///
  /// - Parameter builder: The column; nil to only check the text.
  package static func append(
    _ text: UnsafeBufferPointer<UInt8>, as type: FieldType, to builder: ColumnBuilder?
  ) -> Bool {
    if type == .float { return appendFloat(text, to: builder) }
    switch value(String(decoding: text, as: UTF8.self), as: type) {
    case .decimal(let value): value.withStoredBytes { builder?.append(fixed: $0) }
    case .objectId(let value): value.withStoredBytes { builder?.append(fixed: $0) }
    case .uuid(let value): value.withStoredBytes { builder?.append(fixed: $0) }
    case .data(let value): value.withUnsafeBytes { builder?.append(bytes: $0) }
    default: return false
    }
    return true
  }

  /// Returns the value of a text; nil if it is not a value of the type, or for another type than
  /// decimals, ids and data.
  static func value(_ text: String, as type: FieldType) -> Value? {
    switch type {
    case .decimal: Decimal128(text: text).map(Value.decimal)
    case .objectId: (try? ObjectId(string: text)).map(Value.objectId)
    case .uuid: UUIDBytes(text).map(Value.uuid)
    case .data: Base64.decode(text).map(Value.data)
    default: nil
    }
  }

  private static func appendFloat(
    _ text: UnsafeBufferPointer<UInt8>, to builder: ColumnBuilder?
  ) -> Bool {
    // Parsers read beyond the end of a text.
    let padded = Array(text) + Array(repeating: 0, count: InputBlock.padding)
    let value = padded.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.flatMap { NumberSpelling.exactDouble($0, count: text.count) }
    }
    guard let value, Float(value).isFinite else { return false }
    builder?.append(float: Float(value))
    return true
  }
}
