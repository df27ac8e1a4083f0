import CairnStorage
import CairnValues

/// A comparison of two columns of numbers or of dates in each row, 64 rows at a time.
///
/// Two nulls are equal to one another, and so are two NaN; neither has an order, except that `<=` and
/// `>=` hold for two nulls.
final class ColumnPairFilter: Filter {
  private let left: Column
  private let right: Column
  private let comparison: ComparisonOperator
  private let kernel: NumberKernel

  /// Nil if either column has other values.
  init?(_ left: Column, comparison: ComparisonOperator, right: Column) {
    guard let kernel = NumberKernel(left.schema.type, right.schema.type) else { return nil }
    self.left = left
    self.right = right
    self.comparison = comparison
    self.kernel = kernel
  }

  override var cost: Double { 1 }
  override var description: String {
    "\(left.schema.name) \(comparison.rawValue) \(right.schema.name)"
  }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let (a, b) = (left.chunk(index), right.chunk(index))
    assert(selection.isWithin(a) && selection.isWithin(b), "a row is outside of the chunk")
    let relation = comparison.relation
    selection.keep(comparison, a, b) { word, _ in
      kernel == .integers
        ? relation.integers(a, b, word: word, scratch: scratch)
        : relation.doubles(a, b, word: word, scratch: scratch)
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks {
      _ = left.chunk(chunk)
      _ = right.chunk(chunk)
    }
  }
}

/// The form in which numbers of two columns are compared.
private enum NumberKernel {
  case integers
  /// As doubles, except for integers that no double equals.
  case doubles

  init?(_ left: ValueType, _ right: ValueType) {
    switch (left, right) {
    case (.int, .int), (.bool, .bool): self = .integers
    case (.date, .date): self = .doubles
    case (.int, .double), (.int, .float), (.double, .int), (.float, .int), (.double, .double),
      (.double, .float), (.float, .double), (.float, .float):
      self = .doubles
    default: return nil
    }
  }
}

extension Selection {
  /// Keeps the rows in which two columns compare this way.
  ///
  /// - Parameter related: Returns the rows of a word that have the comparison's relation. Its second
  ///   argument are the selected rows without nulls; the result for others does not matter.
  @inline(__always)
  mutating func keep(
    _ comparison: ComparisonOperator, _ a: Chunk, _ b: Chunk,
    related: (_ word: Int, _ present: UInt64) -> UInt64
  ) {
    let isUnequal = comparison == .notEqual
    let nullsMatch = comparison.relation.includesEqual
    let (nulls, otherNulls) = (a.nulls, b.nulls)
    keep { word, selected in
      let (x, y) = (nulls?[word] ?? 0, otherNulls?[word] ?? 0)
      let found = related(word, selected & ~(x | y)) & ~(x | y) | (nullsMatch ? x & y : 0)
      return isUnequal ? ~found : found
    }
  }
}

extension Relation {
  /// Whether the relation holds for equal values.
  var includesEqual: Bool { self == .equal || self == .lessOrEqual || self == .greaterOrEqual }

  /// The rows of a word in which the integers are related.
  fileprivate func integers(
    _ a: Chunk, _ b: Chunk, word: Int, scratch: ScratchBuffers
  ) -> UInt64 {
    let (x, y) = (scratch.integers, scratch.integers + 64)
    a.readIntegers(word, into: x)
    b.readIntegers(word, into: y)
    return integers(scratch)
  }

  /// The rows of a word in which the integers of the scratch buffers are related.
  @inline(__always)
  func integers(_ scratch: ScratchBuffers) -> UInt64 {
    let (x, y) = (scratch.integers, scratch.integers + 64)
    let bytes = scratch.bytes
    switch self {
    case .equal: return packed(bytes) { x[$0] == y[$0] }
    case .less: return packed(bytes) { x[$0] < y[$0] }
    case .lessOrEqual: return packed(bytes) { x[$0] <= y[$0] }
    case .greater: return packed(bytes) { x[$0] > y[$0] }
    case .greaterOrEqual: return packed(bytes) { x[$0] >= y[$0] }
    }
  }

  /// The rows of a word in which the numbers are related.
  fileprivate func doubles(
    _ a: Chunk, _ b: Chunk, word: Int, scratch: ScratchBuffers
  ) -> UInt64 {
    let (x, y) = (scratch.doubles, scratch.doubles + 64)
    guard a.readDoubles(word, into: x, scratch: scratch),
      b.readDoubles(word, into: y, scratch: scratch)
    else { return exact(a, b, word: word) }
    let bytes = scratch.bytes
    switch self {
    case .equal: return packed(bytes) { x[$0] == y[$0] || (x[$0] != x[$0] && y[$0] != y[$0]) }
    case .less: return packed(bytes) { x[$0] < y[$0] }
    case .lessOrEqual: return packed(bytes) { x[$0] <= y[$0] }
    case .greater: return packed(bytes) { x[$0] > y[$0] }
    case .greaterOrEqual: return packed(bytes) { x[$0] >= y[$0] }
    }
  }

  /// The rows of a word with integers that no double equals.
  private func exact(_ a: Chunk, _ b: Chunk, word: Int) -> UInt64 {
    UInt64.max.keepingEach { bit in
      let (x, y) = (a.number(word << 6 | bit), b.number(word << 6 | bit))
      return comparison.holdsInRow(x, and: y)
    }
  }

  private var comparison: ComparisonOperator {
    switch self {
    case .equal: .equal
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    }
  }
}

/// The 64 results of a test as the bits of a word.
///
/// - Parameter bytes: Space for 64 bytes.
@inline(__always)
private func packed(_ bytes: UnsafeMutablePointer<UInt8>, test: (Int) -> Bool) -> UInt64 {
  for row in 0..<64 { bytes[row] = test(row) ? 1 : 0 }
  return packed(bytes)
}

extension Chunk {
  /// Reads the 64 integers of a word of rows.
  fileprivate func readIntegers(_ word: Int, into numbers: UnsafeMutablePointer<Int64>) {
    switch width {
    case 0: numbers.update(repeating: frame, count: 64)
    case 1: widen(UInt8.self, word, into: numbers)
    case 2: widen(UInt16.self, word, into: numbers)
    case 4: widen(UInt32.self, word, into: numbers)
    default: widen(UInt64.self, word, into: numbers)
    }
  }

  @inline(__always)
  private func widen<Code: FixedWidthInteger & UnsignedInteger>(
    _: Code.Type, _ word: Int, into numbers: UnsafeMutablePointer<Int64>
  ) {
    let rows = codes.assumingMemoryBound(to: Code.self) + word << 6
    for row in 0..<64 { numbers[row] = frame &+ Int64(truncatingIfNeeded: rows[row]) }
  }

  /// Reads the 64 numbers of a word of rows as doubles. Returns false if one is an integer beyond
  /// those that doubles have without gaps.
  fileprivate func readDoubles(
    _ word: Int, into numbers: UnsafeMutablePointer<Double>, scratch: ScratchBuffers
  ) -> Bool {
    switch encoding {
    case .doubles:
      let rows = codes.assumingMemoryBound(to: Double.self) + word << 6
      numbers.update(from: rows, count: 64)
      return true
    case .floats:
      let rows = codes.assumingMemoryBound(to: Float.self) + word << 6
      for row in 0..<64 { numbers[row] = Double(rows[row]) }
      return true
    default: break
    }
    let integers = scratch.integers
    readIntegers(word, into: integers)
    if case .decimals = encoding {
      let scale = scale
      for row in 0..<64 { numbers[row] = Double(integers[row]) / scale }
      return true
    }
    var high: Int64 = 0
    for row in 0..<64 {
      numbers[row] = Double(integers[row])
      high |= (integers[row] ^ (integers[row] >> 63)) >> 53
    }
    return high == 0
  }

  /// The number of a row of integers, doubles or floats.
  fileprivate func number(_ row: Int) -> Value {
    switch encoding {
    case .integers: .int(rowInteger(row))
    case .floats: .double(Double(rowFloat(row)))
    default: .double(rowDouble(row, scale: scale))
    }
  }
}
