import CairnSystem
import CairnValues

/// A test of the bytes of one text or data value.
enum BytesTest: Sendable {
  /// Compares the value with the bytes, in the order of unsigned bytes.
  case compare(Relation, [UInt8])
  case hasPrefix([UInt8])
  case hasSuffix([UInt8])
  case contains([UInt8])
  /// The value is one of these, which must be sorted.
  case oneOf([[UInt8]])
  /// The value is one of these texts, with case or diacritics folded.
  case oneOfFolded(FoldedTextSet)
  /// A test of a text with case or diacritics folded, or with wildcards.
  case match(TextMatcher)
  /// A regular expression, which the whole text matches.
  case regularExpression(RegularExpression)
  /// A full-text search.
  case search(TextSearch)
  /// A test of the length: of a text in characters, of data in bytes.
  case length(ValueTest, isText: Bool)

  /// Whether the bytes pass.
  func passes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .compare(let relation, let other):
      return other.withUnsafeBytes { relation.holds(bytes, and: $0) }
    case .hasPrefix(let part):
      return part.withUnsafeBytes { part in CairnQuery.hasPrefix(bytes, part: part) }
    case .hasSuffix(let part):
      return part.withUnsafeBytes { part in CairnQuery.hasSuffix(bytes, part: part) }
    case .contains(let part):
      return part.withUnsafeBytes { CairnQuery.isPart($0, of: bytes) }
    case .oneOf(let values): return isMember(bytes, values: values)
    case .oneOfFolded(let texts): return texts.contains(bytes)
    case .match(let matcher): return matcher.matches(bytes)
    case .regularExpression(let expression): return expression.matches(bytes)
    case .search(let search): return search.matches(bytes)
    case .length(let test, let isText):
      return test.holds(.int(Int64(isText ? TextLength.characters(bytes) : bytes.count)))
    }
  }

  private func isMember(_ bytes: UnsafeRawBufferPointer, values: [[UInt8]]) -> Bool {
    var low = 0
    var high = values.count
    while low < high {
      let middle = (low + high) >> 1
      let order = values[middle].withUnsafeBytes { byteOrder($0, and: bytes) }
      if order == 0 { return true }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return false
  }

  /// The approximate cost in nanoseconds per value.
  var cost: Double {
    switch self {
    case .compare, .hasPrefix, .hasSuffix: 5
    case .contains: 20
    case .oneOf(let values): values.count > 4 ? 15 : 8
    case .match, .oneOfFolded, .regularExpression: 60
    case .length: 30
    case .search: 400
    }
  }
}

extension Relation {
  /// Whether the first bytes compare this way with the second.
  @inline(__always)
  func holds(_ a: UnsafeRawBufferPointer, and b: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .equal: bytesEqual(a, and: b)
    case .less: byteOrder(a, and: b) < 0
    case .lessOrEqual: byteOrder(a, and: b) <= 0
    case .greater: byteOrder(a, and: b) > 0
    case .greaterOrEqual: byteOrder(a, and: b) >= 0
    }
  }
}

extension BytesTest {
  /// The result for values whose first eight bytes have these bounds.
  func zoneMapResult(prefixes: ClosedRange<UInt64>) -> ZoneMapResult {
    switch self {
    case .compare(let relation, let other):
      return relation.zoneMapResult(prefixes, prefix: other.withUnsafeBytes(bytePrefix))
    case .hasPrefix(let part):
      let low = part.withUnsafeBytes(bytePrefix)
      let spare = UInt64(max(0, 64 - 8 * part.count))
      let high = spare == 64 ? .max : low | ((1 << spare) &- 1)
      return prefixes.overlaps(low...high) ? .some : .none
    case .oneOf(let values):
      return values.contains { prefixes.contains($0.withUnsafeBytes(bytePrefix)) } ? .some : .none
    case .regularExpression(let expression):
      return BytesTest.hasPrefix(expression.prefix).zoneMapResult(prefixes: prefixes)
    case .hasSuffix, .contains, .oneOfFolded, .match, .search, .length: return .some
    }
  }
}

extension Relation {
  /// The result for a comparison of values whose prefixes have these bounds with a value of that
  /// prefix.
  func zoneMapResult(_ prefixes: ClosedRange<UInt64>, prefix: UInt64) -> ZoneMapResult {
    switch self {
    case .equal: prefixes.contains(prefix) ? .some : .none
    case .less, .lessOrEqual:
      prefixes.upperBound < prefix ? .all : prefixes.lowerBound > prefix ? .none : .some
    case .greater, .greaterOrEqual:
      prefixes.lowerBound > prefix ? .all : prefixes.upperBound < prefix ? .none : .some
    }
  }
}

extension BytesTest {
  /// The test of an operator on texts; nil for an invalid regular expression.
  init?(_ match: MatchOperator, text: String, options: StringOptions) {
    if match == .search {
      guard let search = TextSearch(text) else { return nil }
      self = .search(search)
    } else if options.isEmpty, let test = BytesTest(match, part: Array(text.utf8)) {
      self = test
    } else if let operation = TextMatcher.Operation(match) {
      self = .match(TextMatcher(operation, operand: text, options: options))
    } else if let expression = try? RegularExpression(text, options: options) {
      self = .regularExpression(expression)
    } else {
      return nil
    }
  }

  /// The test of an operator on unfolded bytes; nil for patterns and full-text searches.
  init?(_ match: MatchOperator, part: [UInt8]) {
    switch match {
    case .beginsWith: self = .hasPrefix(part)
    case .endsWith: self = .hasSuffix(part)
    case .contains: self = .contains(part)
    case .like, .matches, .search: return nil
    }
  }

  func passes(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { passes($0) } }
}
