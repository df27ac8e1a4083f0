/// Splits the rows of a file into ranges, which the threads decode.
package final class RowSplitter: BlockSplitter {
  private let ranges: [Range<Int64>]
  private let rowCount: Int64
  private let fileSize: Int64
  private let size: Int64
  /// The ends of the parts of the file that are quickest to read as a whole.
  private let partEnds: [Int64]
  /// The index of the range that is split, and the first row that is left.
  private var index = 0
  private var next: Int64 = 0

  /// The fewest and the most rows of a block, and the most blocks of a file that those allow. A file may
  /// state any number of rows, so memory must not depend on it.
  private static let fewestRows: Int64 = 1 << 16
  private static let mostRows: Int64 = 1 << 20
  private static let mostBlocks: Int64 = 128
  /// The usual bytes of the file that a block of large rows takes up.
  private static let blockBytes: Int64 = 32 << 20

  /// Creates a splitter of all rows of a file.
  package convenience init(rowCount: Int64, size: Int64) {
    self.init(RowRanges(count: rowCount), rowCount: rowCount, size: size)
  }

  /// Creates a splitter of some rows of a file.
  ///
  /// - Parameters:
  ///   - rowCount: The number of all rows of the file.
  ///   - size: The size of the file in bytes.
  ///   - partEnds: The ends of the parts of the file that are quickest to read as a whole, in
  ///     order. Blocks end there, unless they would be much larger or smaller than otherwise.
  package init(_ rows: RowRanges, rowCount: Int64, size: Int64, partEnds: [Int64] = []) {
    ranges = rows.ranges
    self.partEnds = partEnds
    self.rowCount = rows.count
    fileSize = size
    next = ranges.first?.lowerBound ?? 0
    let share = (rows.count + Self.mostBlocks - 1) / Self.mostBlocks
    let fitting = max(1, Self.blockBytes / max(1, size / max(1, rowCount)))
    self.size = min(max(Self.fewestRows, share), Self.mostRows, fitting)
  }

  package func next(into block: InputBlock) throws(ImportError) -> Bool {
    guard index < ranges.count else { return false }
    let end = end(of: ranges[index])
    let content = block.reserveContent(16)
    content.storeBytes(of: next, as: Int64.self)
    content.storeBytes(of: end, toByteOffset: 8, as: Int64.self)
    let share = Double(fileSize) * Double(end - next) / Double(rowCount)
    block.setRows(from: Int(next), share: Int64(share))
    next = end
    guard end == ranges[index].upperBound else { return true }
    index += 1
    if index < ranges.count { next = ranges[index].lowerBound }
    return true
  }

  /// The end of the next block.
  private func end(of range: Range<Int64>) -> Int64 {
    guard range.upperBound - next > size else { return range.upperBound }
    let furthest = min(range.upperBound, next + 2 * size)
    var (low, high) = (0, partEnds.count)
    while low < high {
      let middle = (low + high) / 2
      if partEnds[middle] <= furthest { low = middle + 1 } else { high = middle }
    }
    if low > 0, partEnds[low - 1] > next { return partEnds[low - 1] }
    return next + size
  }

  /// The rows of a block that a splitter has filled.
  package static func rows(in block: InputBlock) -> Range<Int64> {
    let content = block.content
    let first = content.loadUnaligned(as: Int64.self)
    return first..<content.loadUnaligned(fromByteOffset: 8, as: Int64.self)
  }
}
