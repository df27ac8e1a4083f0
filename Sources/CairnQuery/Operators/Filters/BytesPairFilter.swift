import CairnStorage
import CairnSystem
import CairnValues

/// A comparison of two columns of texts or other bytes in each row.
///
/// Two nulls are equal to one another; neither has an order, except that `<=` and `>=` hold for two
/// nulls. Where both chunks have dictionaries, each entry is numbered once, and the rows compare
/// numbers.
final class BytesPairFilter: Filter {
  private let left: Column
  private let right: Column
  private let comparison: ComparisonOperator
  /// The differences to ignore; nil to compare bytes.
  private let folding: Folding?
  private let makeDescription: () -> String

  /// - Parameter options: The differences between texts to ignore. They require `==` or `!=`.
  init(
    _ left: Column, comparison: ComparisonOperator, right: Column, options: StringOptions,
    description: @autoclosure @escaping () -> String
  ) {
    assert(options.isEmpty || !comparison.isOrder, "folded texts have no order")
    self.left = left
    self.right = right
    self.comparison = comparison
    folding = options.isEmpty ? nil : Folding.of(options)
    makeDescription = description
  }

  override var cost: Double { folding == nil ? 5 : 50 }
  override var description: String { makeDescription() }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let (a, b) = (left.chunk(index), right.chunk(index))
    assert(selection.isWithin(a) && selection.isWithin(b), "a row is outside of the chunk")
    guard case .dictionary = a.encoding, case .dictionary = b.encoding,
      isWorthNumbering(a.dictionaryCount + b.dictionaryCount, rows: selection.count)
    else { return refine(&selection, rows: a, b) }
    let numbers = EntryNumbers(a, b, folding: folding, isOrdered: comparison.isOrder, scratch)
    let relation = comparison.relation
    selection.keep(comparison, a, b) { word, _ in
      a.readNumbers(word, numbers: numbers.left, into: scratch.integers)
      b.readNumbers(word, numbers: numbers.right, into: scratch.integers + 64)
      return relation.integers(scratch)
    }
  }

  /// Whether numbering the entries takes less time than comparing the texts of the rows.
  private func isWorthNumbering(_ entries: Int, rows: Int) -> Bool {
    // Sorting takes longer than the comparison of two texts, and so does folding a text.
    folding != nil ? entries < rows : entries * (comparison.isOrder ? 16 : 6) < rows
  }

  private func refine(_ selection: inout Selection, rows a: Chunk, _ b: Chunk) {
    if let folding {
      return selection.keep(comparison, a, b) { word, present in
        present.keepingEach {
          let row = word << 6 | $0
          return FoldedText.areEqual(a.rowBytes(row), b.rowBytes(row), folding)
        }
      }
    }
    guard comparison.isOrder else {
      return selection.keep(comparison, a, b) { word, present in
        present.keepingEach {
          let row = word << 6 | $0
          return bytesEqual(a.rowBytes(row), and: b.rowBytes(row))
        }
      }
    }
    let accepted = comparison.relation.orders
    selection.keep(comparison, a, b) { word, present in
      // Without a branch on the result, which is as good as random.
      var (bits, kept) = (present, 0 as UInt64)
      while bits != 0 {
        let bit = UInt64(bits.trailingZeroBitCount)
        let row = word << 6 | Int(bit)
        let order = byteOrder(a.rowBytes(row), and: b.rowBytes(row)).signum()
        kept |= (accepted >> UInt64(order + 1) & 1) << bit
        bits &= bits &- 1
      }
      return kept
    }
  }

  override func prepare(_ chunks: [Int]) {
    for chunk in chunks {
      _ = left.chunk(chunk)
      _ = right.chunk(chunk)
    }
  }
}

/// Numbers for the entries of two dictionaries that compare as the entries do.
private struct EntryNumbers {
  /// The number of each entry, valid until the scratch buffers number other entries.
  let left: UnsafePointer<UInt16>
  let right: UnsafePointer<UInt16>

  init(
    _ a: Chunk, _ b: Chunk, folding: Folding?, isOrdered: Bool, _ scratch: ScratchBuffers
  ) {
    let (left, right) = (scratch.entryNumbers, scratch.entryNumbers + ChunkShape.rows)
    scratch.entries.removeAll()
    a.numberEntries(in: scratch.entries, folding: folding, into: left)
    b.numberEntries(in: scratch.entries, folding: folding, into: right)
    if isOrdered {
      let ranks = scratch.entries.ranks()
      for entry in 0..<a.dictionaryCount { left[entry] = ranks[Int(left[entry])] }
      for entry in 0..<b.dictionaryCount { right[entry] = ranks[Int(right[entry])] }
    }
    self.left = UnsafePointer(left)
    self.right = UnsafePointer(right)
  }
}

extension Relation {
  /// The orders of two values that are related this way: bit 0 for the lesser value first, bit 1 for
  /// equal values, bit 2 for the greater value first.
  fileprivate var orders: UInt64 {
    switch self {
    case .equal: 0b010
    case .less: 0b001
    case .lessOrEqual: 0b011
    case .greater: 0b100
    case .greaterOrEqual: 0b110
    }
  }
}

extension DistinctBytes {
  /// The rank of each number in the order of the bytes.
  fileprivate func ranks() -> [UInt16] {
    var ranks = [UInt16](repeating: 0, count: count)
    let order = (0..<count).sorted { byteOrder(self[$0], and: self[$1]) < 0 }
    for (rank, number) in order.enumerated() { ranks[number] = UInt16(rank) }
    return ranks
  }
}

extension Chunk {
  /// Numbers the entries of the dictionary; equal ones receive the same number.
  fileprivate func numberEntries(
    in table: DistinctBytes, folding: Folding?, into numbers: UnsafeMutablePointer<UInt16>
  ) {
    assert(dictionaryCount <= ChunkShape.rows, "a dictionary has up to 4096 entries")
    for entry in 0..<dictionaryCount {
      let bytes = entryBytes(entry)
      let number =
        if let folding {
          FoldedText.withCodePoints(of: bytes, folding) {
            table.number(of: UnsafeRawBufferPointer($0))
          }
        } else { table.number(of: bytes) }
      numbers[entry] = UInt16(number)
    }
  }

  /// Reads the numbers of the entries of 64 rows. Those of null rows, and of the padding, are of no
  /// meaning.
  @inline(__always)
  fileprivate func readNumbers(
    _ word: Int, numbers: UnsafePointer<UInt16>, into integers: UnsafeMutablePointer<Int64>
  ) {
    switch width {
    case 0: integers.update(repeating: Int64(numbers[0]), count: 64)
    case 1: readNumbers(UInt8.self, word, numbers: numbers, into: integers)
    case 2: readNumbers(UInt16.self, word, numbers: numbers, into: integers)
    default: readNumbers(UInt32.self, word, numbers: numbers, into: integers)
    }
  }

  @inline(__always)
  private func readNumbers<Code: FixedWidthInteger & UnsignedInteger>(
    _: Code.Type, _ word: Int, numbers: UnsafePointer<UInt16>,
    into integers: UnsafeMutablePointer<Int64>
  ) {
    let rows = codes.assumingMemoryBound(to: Code.self) + word << 6
    assert(
      (0..<64).allSatisfy { Int(rows[$0]) < ChunkShape.rows }, "a code is outside of the table")
    for row in 0..<64 { integers[row] = Int64(numbers[Int(rows[row])]) }
  }
}
