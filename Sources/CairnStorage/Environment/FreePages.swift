#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reads from a closed LMDB file which pages are free.
///
/// LMDB never writes a page that is taken and given back within one transaction, so a file may rightly end
/// before its last page: when every page that is missing is free.
struct FreePages {
  let file: Int32
  let pageSize: Int
  /// Whole pages in the file.
  let pageCount: Int

  private static let headerSize = 16
  private static let branchFlag: UInt16 = 1
  private static let leafFlag: UInt16 = 2
  private static let bigDataFlag: UInt16 = 1
  /// LMDB's own limit.
  private static let mostDepth = 32

  /// Whether each of `pages` stands in the tree of free pages at `root`; false too when the tree cannot be read.
  func hold(_ pages: Range<Int>, root: UInt64) -> Bool {
    var free: Set<Int> = []
    guard collect(root, in: pages, depth: 0, into: &free) else { return false }
    return free.count == pages.count
  }

  private func collect(
    _ number: UInt64, in pages: Range<Int>, depth: Int, into free: inout Set<Int>
  ) -> Bool {
    guard depth < Self.mostDepth, let page = read(number, count: 1) else { return false }
    let flags = page.load(UInt16.self, at: 10)
    let keys = (Int(page.load(UInt16.self, at: 12)) - Self.headerSize) / 2
    guard keys > 0, Self.headerSize + keys * 2 <= pageSize else { return false }
    for index in 0..<keys {
      let node = Int(page.load(UInt16.self, at: Self.headerSize + index * 2))
      guard node >= Self.headerSize, node + 8 <= pageSize else { return false }
      let low =
        UInt64(page.load(UInt16.self, at: node)) | UInt64(page.load(UInt16.self, at: node + 2))
        << 16
      let high = page.load(UInt16.self, at: node + 4)
      if flags & Self.branchFlag != 0 {
        guard collect(low | UInt64(high) << 32, in: pages, depth: depth + 1, into: &free) else {
          return false
        }
      } else {
        let data = node + 8 + Int(page.load(UInt16.self, at: node + 6))
        guard flags & Self.leafFlag != 0,
          take(page, data, size: Int(low), isBig: high & Self.bigDataFlag != 0, pages, &free)
        else { return false }
      }
    }
    return true
  }

  /// Takes the page numbers of one list: their count, then the numbers.
  private func take(
    _ page: FileBytes, _ offset: Int, size: Int, isBig: Bool, _ pages: Range<Int>,
    _ free: inout Set<Int>
  ) -> Bool {
    var list = page
    var start = offset
    if isBig {
      guard offset + 8 <= pageSize,
        let far = read(
          page.load(UInt64.self, at: offset),
          count: (Self.headerSize + size + pageSize - 1) / pageSize)
      else { return false }
      list = far
      start = Self.headerSize
    }
    guard size >= 8, start + size <= list.count else { return false }
    let count = list.load(UInt64.self, at: start)
    guard count < UInt64(size / 8) else { return false }
    for index in 0..<Int(count) {
      let number = list.load(UInt64.self, at: start + 8 + index * 8)
      if number < UInt64(pages.upperBound), pages.contains(Int(number)) { free.insert(Int(number)) }
    }
    return true
  }

  private func read(_ number: UInt64, count: Int) -> FileBytes? {
    guard count > 0, count <= pageCount, number <= UInt64(pageCount - count) else { return nil }
    return FileBytes(file, at: Int(number) * pageSize, count: count * pageSize)
  }
}

/// A piece of a file.
struct FileBytes {
  private let bytes: [UInt8]
  var count: Int { bytes.count }

  /// Nil when the file has fewer.
  init?(_ file: Int32, at offset: Int, count: Int) {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, count, off_t(offset)) }
    guard read == count else { return nil }
    self.bytes = bytes
  }

  func load<T: BitwiseCopyable>(_ type: T.Type, at offset: Int) -> T {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }
}
