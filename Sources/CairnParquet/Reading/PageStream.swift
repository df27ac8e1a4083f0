internal import CZlib
internal import CairnIO
import CairnSystem

/// Reads the pages of a column chunk one after another. For use by one thread.
final class PageStream {
  let leaf: LeafColumn
  private let file: ParquetFile
  private(set) var group = 0
  private var chunk = ColumnChunk()
  /// The offset in the file of the next page, and of the end of the chunk.
  private var next: Int64 = 0
  private var end: Int64 = 0
  /// The offset that the last page may end at. Some writers left the header of the dictionary out of the
  /// size of the chunk.
  private var limit: Int64 = 0
  /// The number of the current page, from 1, and its offset.
  private(set) var page = 0
  private(set) var pageOffset: Int64 = 0

  /// The bytes of the file that were read last, and their offset.
  private var window = ColumnMemory(capacity: 0)
  private var windowOffset: Int64 = 0

  /// The bytes of the chunk that are read at once.
  private static let windowSize = 256 << 10
  private static let uncountedBytes: Int64 = 100
  /// The longest header of a page.
  private static let longestHeader = 16 << 20
  /// The largest page, unpacked.
  private static let largestPage = 1 << 30

  init(_ leaf: LeafColumn, of file: ParquetFile) {
    self.leaf = leaf
    self.file = file
  }

  /// Begins with the first page of a row group.
  func open(group: Int) throws(ImportError) {
    self.group = group
    page = 0
    chunk = try file.chunk(of: leaf, group: group)
    next = chunk.start
    pageOffset = next
    end = next + chunk.packedSize
    limit = min(file.input.size, end + Self.uncountedBytes)
    window.removeAll()
  }

  /// Returns an error at the current page.
  func failure(_ error: ParquetError) -> ImportError {
    ImportError(
      error, file: file.name, column: leaf.path, group: group, page: page, offset: pageOffset)
  }

  /// Calls `body`, and returns its error with the place in the file.
  func locating<R>(_ body: () throws(ParquetError) -> R) throws(ImportError) -> R {
    do throws(ParquetError) { return try body() } catch { throw failure(error) }
  }

  /// Reads the header of the next page; nil at the end of the chunk.
  func header() throws(ImportError) -> PageHeader? {
    guard next < end else { return nil }
    page += 1
    pageOffset = next
    var wanted = 1 << 10
    while true {
      let available = Int(min(Int64(wanted), limit - next))
      let bytes = try bytes(at: next, count: available)
      do throws(ParquetError) {
        let header = try PageHeader(bytes)
        guard Int64(header.size) + Int64(header.packedSize) <= limit - next else {
          throw ParquetError("the page has more bytes than are left of its column")
        }
        next += Int64(header.size)
        return header
      } catch {
        guard available == wanted, wanted < Self.longestHeader else { throw failure(error) }
        wanted *= 4
      }
    }
  }

  /// Passes over the page whose header was read.
  func skip(_ header: PageHeader) { next += Int64(header.packedSize) }

  /// Reads the page whose header was read, and unpacks it into memory.
  ///
  /// - Returns: The sizes of the levels, if they are not among the values.
  func read(_ header: PageHeader, into memory: ColumnMemory) throws(ImportError) {
    let packed = try bytes(at: next, count: header.packedSize)
    next += Int64(header.packedSize)
    try locating { () throws(ParquetError) in
      try check(packed, header)
      guard header.unpackedSize <= Self.largestPage else {
        throw ParquetError(
          "the page has \(header.unpackedSize) bytes, and \(Self.largestPage) is the most")
      }
      memory.removeAll()
      let target = memory.appendSpace(header.unpackedSize)
      let unpacked = UnsafeMutableRawBufferPointer(start: target, count: header.unpackedSize)
      guard case .dataV2(let definition, let repetition, let isPacked) = header.kind else {
        return try codec.decompress(packed, into: unpacked)
      }
      // Levels are not packed.
      let levels = definition + repetition
      guard definition >= 0, repetition >= 0, levels <= packed.count, levels <= unpacked.count
      else { throw .truncated }
      unpacked.copyMemory(from: UnsafeRawBufferPointer(rebasing: packed[..<levels]))
      try (isPacked ? codec : .uncompressed).decompress(
        UnsafeRawBufferPointer(rebasing: packed[levels...]),
        into: UnsafeMutableRawBufferPointer(rebasing: unpacked[levels...]))
    }
  }

  private var codec: Codec { chunk.codec }

  /// Throws if a page is not what its writer wrote.
  private func check(
    _ bytes: UnsafeRawBufferPointer, _ header: PageHeader
  ) throws(ParquetError) {
    guard let checksum = header.checksum else { return }
    let sum = crc32_z(0, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    guard UInt32(truncatingIfNeeded: sum) == checksum else {
      throw ParquetError("the page is damaged: its checksum is another one")
    }
  }

  /// Returns bytes of the file, which are valid until the next call.
  private func bytes(at offset: Int64, count: Int) throws(ImportError) -> UnsafeRawBufferPointer {
    if offset < windowOffset || offset + Int64(count) > windowOffset + Int64(window.count) {
      window.removeAll()
      let size = max(count, Int(min(Int64(Self.windowSize), limit - offset)))
      let target = window.appendSpace(size)
      let read = try file.input.read(into: target, count: size, at: offset)
      guard read == size else {
        throw failure(ParquetError("the file ends within the column"))
      }
      windowOffset = offset
    }
    let start = Int(offset - windowOffset)
    return UnsafeRawBufferPointer(rebasing: window.bytes[start..<start + count])
  }
}
