import CairnStorage
import CairnValues

/// A lookup in a value index that replaces a filter. Its candidates include every matching row.
struct IndexRequest {
  let column: Column
  let ranges: [ValueRange]
}

extension IntegerFilter {
  /// A lookup of the filter's ranges.
  var integerRequest: IndexRequest? {
    guard !condition.inverted, !condition.nullsMatch else { return nil }
    let isBool = column.schema.type == .bool
    return IndexRequest(
      column: column,
      ranges: condition.ranges.map { range in
        isBool
          ? ValueRange(
            lower: .including(.bool(range.low > 0)), upper: .including(.bool(range.high > 0)))
          : ValueRange(lower: .including(.int(range.low)), upper: .including(.int(range.high)))
      })
  }
}

extension DoubleFilter {
  /// A lookup of the filter's ranges.
  var doubleRequest: IndexRequest? {
    guard !condition.inverted, !condition.nullsMatch else { return nil }
    let isDate = column.schema.type == .date
    return IndexRequest(
      column: column,
      ranges: condition.ranges.map { range in
        ValueRange(
          lower: .including(isDate ? .date(range.low) : .double(range.low)),
          upper: .including(isDate ? .date(range.high) : .double(range.high)))
      })
  }
}

extension BytesFilter {
  /// A lookup of the values that can pass the test.
  var bytesRequest: IndexRequest? {
    guard !inverted, !nullsMatch else { return nil }
    switch test {
    case .compare(let relation, let bytes):
      return value(bytes).map { IndexRequest(column: column, ranges: [relation.range($0)]) }
    case .oneOf(let values):
      let all = values.compactMap(value)
      guard all.count == values.count, all.count <= 64 else { return nil }
      return IndexRequest(column: column, ranges: all.map(ValueRange.init(equal:)))
    case .hasPrefix(let bytes): return request(prefix: bytes)
    case .regularExpression(let expression):
      return expression.prefix.isEmpty ? nil : request(prefix: expression.prefix)
    case .hasSuffix, .contains, .oneOfFolded, .match, .search, .length: return nil
    }
  }

  private func request(prefix: [UInt8]) -> IndexRequest? {
    value(prefix).map { low in
      IndexRequest(
        column: column,
        ranges: [ValueRange(lower: .including(low), upper: upperBound(ofPrefix: prefix))])
    }
  }

  /// The bytes as a value of the column; nil if they are not a valid value.
  private func value(_ bytes: [UInt8]) -> Value? {
    switch column.schema.type {
    case .string: String(validating: bytes, as: UTF8.self).map(Value.string)
    case .data: .data(bytes)
    case .objectId: bytes.withUnsafeBytes { .objectId(ObjectId(storedBytes: $0)) }
    case .uuid: bytes.withUnsafeBytes { .uuid(UUIDBytes(storedBytes: $0)) }
    default: nil
    }
  }

  /// The first value above all that begin with the prefix; none if those bytes are not a valid
  /// value.
  private func upperBound(ofPrefix bytes: [UInt8]) -> ValueRange.Bound {
    // The last byte of a text prefix is below 0xF5, so its successor is still a byte. If the result
    // is not valid text, the range has no bound.
    guard column.schema.type == .data, let last = bytes.last, last < 255 else {
      return prefixBound(bytes)
    }
    return .excluding(.data(bytes.dropLast() + [last + 1]))
  }

  private func prefixBound(_ bytes: [UInt8]) -> ValueRange.Bound {
    guard column.schema.type == .string, let last = bytes.last, last < 0x7F else { return .none }
    return value(bytes.dropLast() + [last + 1]).map(ValueRange.Bound.excluding) ?? .none
  }
}

extension Relation {
  /// The values that compare this way with the given one.
  fileprivate func range(_ value: Value) -> ValueRange {
    switch self {
    case .equal: ValueRange(equal: value)
    case .less: ValueRange(lower: .none, upper: .excluding(value))
    case .lessOrEqual: ValueRange(lower: .none, upper: .including(value))
    case .greater: ValueRange(lower: .excluding(value), upper: .none)
    case .greaterOrEqual: ValueRange(lower: .including(value), upper: .none)
    }
  }
}
