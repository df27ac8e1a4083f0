/// One value of one property, or a constant in a predicate.
package enum Value: Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case float(Float)
  case double(Double)
  case decimal(Decimal128)
  case string(String)
  case data([UInt8])
  /// Seconds since 2001-01-01T00:00:00Z, as Foundation's `Date` holds them.
  case date(Double)
  case objectId(ObjectId)
  case uuid(UUIDBytes)
  case point(Position)
  /// An object, in a mixed property or as a constant; a link property holds the bare key as an int.
  case link(Link)

  /// The type of property that holds such a value; nil for null.
  package var type: ValueType? {
    switch self {
    case .null: nil
    case .bool: .bool
    case .int: .int
    case .float: .float
    case .double: .double
    case .decimal: .decimal128
    case .string: .string
    case .data: .data
    case .date: .date
    case .objectId: .objectId
    case .uuid: .uuid
    case .point: .point
    case .link: .link
    }
  }

  /// Whether the value is null.
  package var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

/// Identity: the same kind with the same content. NaN is itself, text is its code points.
extension Value: Hashable {
  /// Whether kind and content are the same.
  package static func == (a: Value, b: Value) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let x), .bool(let y)): x == y
    case (.int(let x), .int(let y)): x == y
    case (.float(let x), .float(let y)): x == y || (x.isNaN && y.isNaN)
    case (.double(let x), .double(let y)), (.date(let x), .date(let y)):
      x == y || (x.isNaN && y.isNaN)
    case (.decimal(let x), .decimal(let y)): x == y || (x.isNaN && y.isNaN)
    case (.string(let x), .string(let y)): x.utf8.elementsEqual(y.utf8)
    case (.data(let x), .data(let y)): x == y
    case (.objectId(let x), .objectId(let y)): x == y
    case (.uuid(let x), .uuid(let y)): x == y
    case (.point(let x), .point(let y)): x == y
    case (.link(let x), .link(let y)): x == y
    default: false
    }
  }

  /// The same for identical values.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    switch self {
    case .null: break
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .float(let value):
      hasher.combine(value.isNaN ? Float.nan.bitPattern : (value + 0).bitPattern)
    case .double(let value), .date(let value):
      hasher.combine(value.isNaN ? Double.nan.bitPattern : (value + 0).bitPattern)
    case .decimal(let value): hasher.combine(value)
    case .string(let value): value.utf8.withBytes { hasher.combine(bytes: $0) }
    case .data(let value): hasher.combine(value)
    case .objectId(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .point(let value): hasher.combine(value)
    case .link(let value): hasher.combine(value)
    }
  }
}

extension String.UTF8View {
  /// The bytes in place where they are contiguous, else a copy of them.
  @inlinable
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let result = withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) {
      return result
    }
    return Array(self).withUnsafeBytes(body)
  }
}
