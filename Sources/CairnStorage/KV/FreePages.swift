import CairnSystem

/// Reads the free-page lists of an LMDB file that is not open.
///
/// LMDB never writes a page that is allocated and freed within one transaction. So a file may
/// validly end before its last page if every missing page is free.
struct FreePages {
  let file: Int32
  let pageSize: Int
  /// The number of whole pages in the file.
  let pageCount: Int

  /// Whether all `pages` are in the tree of free pages at `root`; false too if the tree cannot be
  /// read.
  func contains(_ pages: Range<Int>, root: UInt64) -> Bool {
    var free: Set<Int> = []
    guard collect(root, in: pages, depth: 0, into: &free) else { return false }
    return free.count == pages.count
  }

  private func collect(
    _ number: UInt64, in pages: Range<Int>, depth: Int, into free: inout Set<Int>
  ) -> Bool {
    guard depth < LMDBPage.maxDepth, let page = read(number, count: 1) else { return false }
    let flags = page.load(UInt16.self, at: LMDBPage.flagsOffset)
    let keys = (Int(page.load(UInt16.self, at: LMDBPage.lowerOffset)) - LMDBPage.headerSize) / 2
    guard keys > 0, LMDBPage.headerSize + keys * 2 <= pageSize else { return false }
    for index in 0..<keys {
      let node = Int(page.load(UInt16.self, at: LMDBPage.headerSize + index * 2))
      guard node >= LMDBPage.headerSize, node + LMDBPage.nodeSize <= pageSize else { return false }
      let low =
        UInt64(page.load(UInt16.self, at: node)) | UInt64(page.load(UInt16.self, at: node + 2))
        << 16
      let high = page.load(UInt16.self, at: node + LMDBPage.nodeFlagsOffset)
      if flags & LMDBPage.branchFlag != 0 {
        guard collect(low | UInt64(high) << 32, in: pages, depth: depth + 1, into: &free) else {
          return false
        }
      } else {
        let data =
          node + LMDBPage.nodeSize
          + Int(page.load(UInt16.self, at: node + LMDBPage.keySizeOffset))
        guard flags & LMDBPage.leafFlag != 0,
          collectList(
            page, at: data, size: Int(low), isBig: high & LMDBPage.bigDataFlag != 0, pages: pages,
            free: &free)
        else { return false }
      }
    }
    return true
  }

  /// Reads the page numbers of one list: their count, then the numbers.
  private func collectList(
    _ page: FileBytes, at offset: Int, size: Int, isBig: Bool, pages: Range<Int>,
    free: inout Set<Int>
  ) -> Bool {
    var list = page
    var start = offset
    if isBig {
      guard offset + 8 <= pageSize,
        let far = read(
          page.load(UInt64.self, at: offset),
          count: LMDBPage.pageCount(forValueOf: size, pageSize: pageSize))
      else { return false }
      list = far
      start = LMDBPage.headerSize
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

/// A range of bytes read from a file.
struct FileBytes {
  private let bytes: [UInt8]
  var count: Int { bytes.count }

  /// Returns nil if the file has fewer bytes.
  init?(_ file: Int32, at offset: Int, count: Int) {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, count, off_t(offset)) }
    guard read == count else { return nil }
    self.bytes = bytes
  }

  /// Returns a number at an offset, which the caller has checked.
  func load<T: BitwiseCopyable>(_ type: T.Type, at offset: Int) -> T {
    assert(offset >= 0 && offset + MemoryLayout<T>.size <= count, "the bytes do not go as far")
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }

  /// Returns the bytes of a range, which the caller has checked.
  func copy(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }

  /// Whether the bytes of a range, which the caller has checked, are zero.
  func isBlank(_ range: Range<Int>) -> Bool {
    bytes.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[range]).isZero }
  }
}
