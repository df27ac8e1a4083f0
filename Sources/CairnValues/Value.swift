/// The value of a property, or a constant in a predicate.
package enum Value: Sendable {
  /// No value.
  case null
  /// A truth value.
  case bool(Bool)
  /// An integer.
  case int(Int64)
  /// A number of single precision.
  case float(Float)
  /// A number of double precision.
  case double(Double)
  /// A decimal number.
  case decimal(Decimal128)
  /// A text.
  case string(String)
  /// Bytes.
  case data([UInt8])
  /// A date in seconds since 2001-01-01T00:00:00Z, as in Foundation's `Date`.
  case date(Double)
  /// A unique identifier.
  case objectId(ObjectId)
  /// A UUID.
  case uuid(UUIDBytes)
  /// A location.
  case point(Position)
  /// A geometry in packed form.
  case geometry([UInt8])
  /// A rectangle, which only the store itself keeps.
  case box(Box)
  /// A link to an object, in a mixed property or as a constant. A link property stores the bare key
  /// as an int.
  case link(Link)

  /// The type of property that stores such a value, or nil for null.
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
    case .geometry: .geometry
    case .box: .box
    case .link: .link
    }
  }

  /// Whether the value is null.
  package var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

/// Identity: the same kind with the same content. NaN equals itself, and texts are compared by code
/// points.
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
    case (.geometry(let x), .geometry(let y)): x == y
    case (.box(let x), .box(let y)): x == y
    case (.link(let x), .link(let y)): x == y
    default: false
    }
  }

  /// Hashes kind and content.
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
    case .geometry(let value): hasher.combine(value)
    case .box(let value): hasher.combine(value)
    case .link(let value): hasher.combine(value)
    }
  }
}

extension String.UTF8View {
  /// Calls `body` with the bytes in place if they are contiguous, otherwise with a copy. They are
  /// valid during the call.
  @inlinable
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let result = withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) {
      return result
    }
    return Array(self).withUnsafeBytes(body)
  }
}

/// The comparison of two values by the operators of a predicate.
///
/// Numbers compare by value whatever their type, text by code point. Null equals only null, and NaN
/// equals nothing; neither has an order.
extension Value {
  /// The result of `a == b`.
  package func equals(_ other: Value) -> Bool {
    if isNull || other.isNull { return isNull && other.isNull }
    if case .point(let a) = self, case .point(let b) = other { return a == b }
    if case .geometry(let a) = self, case .geometry(let b) = other { return a == b }
    if case .link(let a) = self, case .link(let b) = other { return a == b }
    return order(to: other) == .equal
  }

  /// The order for `<`, `<=`, `>` and `>=`.
  ///
  /// It is nil if either is null or NaN, or if their kinds cannot be compared.
  package func order(to other: Value) -> Ordering? {
    if let a = number, let b = other.number { return a.order(to: b) }
    return switch (self, other) {
    case (.bool(let a), .bool(let b)): Ordering(a ? 1 : 0, to: b ? 1 : 0)
    case (.string(let a), .string(let b)): .between(a, and: b)
    case (.data(let a), .data(let b)):
      a.withUnsafeBytes { x in b.withUnsafeBytes { y in .between(x, and: y) } }
    case (.date(let a), .date(let b)): .between(a, and: b)
    case (.objectId(let a), .objectId(let b)): Ordering(a, to: b)
    case (.uuid(let a), .uuid(let b)): Ordering(a, to: b)
    default: nil
    }
  }

  /// The nearest double of a number; nil for any other value.
  package var doubleValue: Double? {
    switch self {
    case .int(let number): Double(number)
    case .float(let number): Double(number)
    case .double(let number): number
    case .decimal(let number): number.doubleValue
    default: nil
    }
  }

  private var number: Number? {
    switch self {
    case .int(let value): .int(value)
    case .float(let value): .double(Double(value))
    case .double(let value): .double(value)
    case .decimal(let value): .decimal(value)
    default: nil
    }
  }
}

/// A number of any type.
private enum Number {
  case int(Int64)
  case double(Double)
  case decimal(Decimal128)

  func order(to other: Number) -> Ordering? {
    switch (self, other) {
    case (.int(let a), .int(let b)): Ordering(a, to: b)
    case (.int(let a), .double(let b)): .between(a, and: b)
    case (.double(let a), .int(let b)): Ordering.between(b, and: a)?.reversed
    case (.double(let a), .double(let b)): .between(a, and: b)
    case (.decimal(let a), _): Decimal128.order(a, to: other.decimal)
    case (_, .decimal(let b)): Decimal128.order(decimal, to: b)
    }
  }

  private var decimal: Decimal128 {
    switch self {
    case .int(let value): Decimal128(value)
    case .double(let value): Decimal128(value)
    case .decimal(let value): value
    }
  }
}

/// The sort order of values.
extension Value {
  /// The order of two values of any kind in a sorted result.
  ///
  /// null < bool < numbers by value < string < data < date < object id < uuid < link < point. NaN
  /// comes before every other number or date; minus zero equals zero.
  package static func sortOrder(_ a: Value, to b: Value) -> Ordering {
    if let order = a.order(to: b) { return order }
    let kinds = Ordering(a.sortRank, to: b.sortRank)
    if kinds != .equal { return kinds }
    if case .point(let x) = a, case .point(let y) = b { return sortOrder(x, to: y) }
    if case .link(let x) = a, case .link(let y) = b { return Ordering(x, to: y) }
    return Ordering(a.isNaN ? 0 : 1, to: b.isNaN ? 0 : 1)
  }

  /// Whether the value is a number or a date that is NaN.
  package var isNaN: Bool {
    switch self {
    case .float(let value): value.isNaN
    case .double(let value), .date(let value): value.isNaN
    case .decimal(let value): value.isNaN
    default: false
    }
  }

  private static func sortOrder(_ a: Position, to b: Position) -> Ordering {
    Ordering(0, to: 0).then(a.latitude, to: b.latitude).then(a.longitude, to: b.longitude)
      .then(a.altitude, to: b.altitude)
  }

  private var sortRank: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .int, .float, .double, .decimal: 2
    case .string: 3
    case .data: 4
    case .date: 5
    case .objectId: 6
    case .uuid: 7
    case .link: 8
    case .point: 9
    case .geometry: 10
    case .box: 11
    }
  }
}

extension Ordering {
  fileprivate func then(_ a: Double, to b: Double) -> Ordering {
    self == .equal ? Ordering(a, to: b) : self
  }
}

extension Value {
  /// The value as text, for messages and for conversion to a text property.
  package var plainText: String {
    switch self {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .int(let number): "\(number)"
    case .float(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .string(let text): text
    case .data(let bytes): "<\(bytes.count) bytes>"
    case .date(let seconds): ISODate.format(seconds)
    case .objectId(let id): "\(id)"
    case .uuid(let id): "\(id)"
    case .point(let point): "(\(point.latitude), \(point.longitude))"
    case .geometry(let bytes): "<geometry of \(bytes.count) bytes>"
    case .box(let box): "<box \(box.lanes)>"
    case .link(let link): "object \(link.key)"
    }
  }
}
