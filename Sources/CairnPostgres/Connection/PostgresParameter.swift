/// A value that is sent with a statement instead of being written into it.
package struct PostgresParameter: Sendable {
  /// The number of the value's type in `pg_type`; 0 lets the server infer it.
  let type: UInt32
  /// Whether the bytes are the binary form of the type.
  let isBinary: Bool
  /// The bytes, or the text with a zero at its end; nil for null.
  let bytes: [UInt8]?

  /// Makes a parameter from the text of a value; nil for null.
  package init(text: String?, type: UInt32 = 0) {
    self.type = type
    isBinary = false
    bytes = text.map { Array($0.utf8) + [0] }
  }

  /// Makes a parameter of the type `bytea`.
  package init(data: [UInt8]) {
    type = 17
    isBinary = true
    bytes = data
  }
}

extension [PostgresParameter] {
  /// Calls `body` with the arrays that libpq takes.
  func withArrays<R>(
    _ body: (
      UnsafePointer<UInt32>?, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?,
      UnsafePointer<Int32>?
    ) -> R
  ) -> R {
    let all = flatMap { $0.bytes ?? [] }
    return all.withUnsafeBytes { memory in
      var offset = 0
      let values = map { parameter -> UnsafePointer<CChar>? in
        guard let bytes = parameter.bytes else { return nil }
        assert(bytes.count <= memory.count - offset, "the values are larger than their memory")
        defer { offset += bytes.count }
        // An empty value is not null, so it needs an address of its own.
        guard let base = memory.baseAddress else { return Self.empty }
        return (base + offset).assumingMemoryBound(to: CChar.self)
      }
      return body(
        map(\.type), values, map { Int32($0.bytes?.count ?? 0) }, map { $0.isBinary ? 1 : 0 })
    }
  }

  /// The address of an empty value. Valid until the process ends.
  // Sendable: the byte is written once and never changes.
  nonisolated(unsafe) private static let empty: UnsafePointer<CChar> = {
    let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return UnsafePointer(byte)
  }()
}
