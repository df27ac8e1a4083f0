/// Splits the rows of a file into ranges, which the threads decode.
package final class RowSplitter: BlockSplitter {
  private let rowCount: Int64
  private let fileSize: Int64
  private let size: Int64
  private var next: Int64 = 0

  /// The fewest and the most rows of a block, and the most blocks of a file that those allow. A file may
  /// state any number of rows, so memory must not depend on it.
  private static let fewestRows: Int64 = 1 << 16
  private static let mostRows: Int64 = 1 << 20
  private static let mostBlocks: Int64 = 128
  /// The usual bytes of the file that a block of large rows takes up.
  private static let blockBytes: Int64 = 32 << 20

  /// - Parameter size: The size of the file in bytes.
  package init(rowCount: Int64, size: Int64) {
    self.rowCount = rowCount
    fileSize = size
    let share = (rowCount + Self.mostBlocks - 1) / Self.mostBlocks
    let fitting = max(1, Self.blockBytes / max(1, size / max(1, rowCount)))
    self.size = min(max(Self.fewestRows, share), Self.mostRows, fitting)
  }

  package func next(into block: InputBlock) throws(ImportError) -> Bool {
    guard next < rowCount else { return false }
    let end = min(rowCount, next + size)
    let content = block.reserveContent(16)
    content.storeBytes(of: next, as: Int64.self)
    content.storeBytes(of: end, toByteOffset: 8, as: Int64.self)
    let share = Double(fileSize) * Double(end - next) / Double(rowCount)
    block.setRows(from: Int(next), share: Int64(share))
    next = end
    return true
  }

  /// The rows of a block that a splitter has filled.
  package static func rows(in block: InputBlock) -> Range<Int64> {
    let content = block.content
    let first = content.loadUnaligned(as: Int64.self)
    return first..<content.loadUnaligned(fromByteOffset: 8, as: Int64.self)
  }
}
