internal import CairnIO
import CairnSystem

/// A position among the entries of a column that lies in lists. For use by one thread.
final class EntryCursor {
  let reader: LeafReader
  /// The index of the current entry among those that were read, and of its value.
  private var entry = 0
  private(set) var value = 0
  /// The row group that is open, and the row that the current entry begins.
  private var group: Int?
  private var row: Int64 = 0
  private(set) var isAtEnd = true

  init(_ leaf: LeafColumn, of file: ParquetFile) { reader = LeafReader(leaf, of: file) }

  /// The levels of the current entry. Behind the last one, they are those of a new row.
  @inline(__always)
  var definition: Int { isAtEnd ? 0 : Int(reader.definitions[entry]) }
  @inline(__always)
  var repetition: Int { isAtEnd ? 0 : Int(reader.repetitions[entry]) }

  /// Moves to the first entry of a row.
  func move(to wanted: Int64, group: Int) throws(ImportError) {
    if self.group != group || wanted < row {
      try reader.open(group: group)
      (self.group, row, isAtEnd) = (group, 0, false)
      try load()
      guard !isAtEnd, repetition == 0 else {
        throw reader.failure(ParquetError("the column does not begin with a row"))
      }
    }
    while row < wanted { try skipRow() }
  }

  /// Moves to the next entry.
  @inline(__always)
  func advance() throws(ImportError) {
    guard !isAtEnd else { throw reader.ended }
    if definition == reader.leaf.maxDefinition { value += 1 }
    entry += 1
    if entry == reader.count { try load() }
    if repetition == 0 { row += 1 }
  }

  /// Throws if the texts of a column are more than a batch holds.
  @inline(__always)
  func checkSize(of heap: ColumnMemory) throws(ImportError) {
    do throws(ParquetError) { try ColumnValues.checkSize(heap) } catch {
      throw reader.failure(error)
    }
  }

  private func skipRow() throws(ImportError) {
    repeat { try advance() } while repetition > 0
  }

  private func load() throws(ImportError) {
    (entry, value) = (0, 0)
    isAtEnd = try !reader.readNext(ValueReader.most)
  }
}
