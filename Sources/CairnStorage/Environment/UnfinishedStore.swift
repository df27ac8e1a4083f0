#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that a process began to make a store of, and that lost its power or was killed before its first commit.
///
/// LMDB writes two meta pages of commit 0, which nothing waits for, then the pages of the first commit, and only then the
/// meta page that names it. So until the first commit is durable, each meta page is whole or blank, and behind them are
/// the few pages of the header.
enum UnfinishedStore {
  private static let mostPages = 8
  private static let sector = 512

  /// Whether the file is one; a file that LMDB can open is not.
  static func isOne(_ file: Int32, size: Int) -> Bool {
    let pageSize = pageSize(of: file)
    guard size > 0, size % sector == 0, size <= mostPages * pageSize,
      let bytes = FileBytes(file, at: 0, count: size)
    else { return false }
    var blankHeads = 0
    for number in 0..<(size + pageSize - 1) / pageSize {
      let page = number * pageSize..<min(size, (number + 1) * pageSize)
      if isBlank(bytes, page) {
        blankHeads += number < 2 ? 1 : 0
      } else if number < 2 {
        guard page.count == pageSize, isFirstHead(bytes, at: page.lowerBound, UInt64(number)) else {
          return false
        }
      } else {
        let first = page.lowerBound..<min(page.upperBound, page.lowerBound + sector)
        guard isBlank(bytes, first) || isPage(bytes, page, UInt64(number)) else { return false }
      }
    }
    return blankHeads > 0 || size < 2 * pageSize
  }

  /// Empties the file, unless it is one no more.
  ///
  /// - Parameter sole: keeps everyone else from it.
  static func clear(_ sole: SoleUse) throws(StoreError) {
    let file = openFile(sole.realPath, O_RDWR)
    guard file >= 0 else {
      throw StoreError(.locked, "cannot open \(sole.path): \(errorText(errno))")
    }
    defer { close(file) }
    var info = stat()
    guard fstat(file, &info) == 0, isOne(file, size: Int(info.st_size)) else { return }
    guard ftruncate(file, 0) == 0 else {
      throw StoreError(.io, "cannot write \(sole.path): \(errorText(errno))")
    }
  }

  /// The size of a page, as either head says; else that of this machine.
  private static func pageSize(of file: Int32) -> Int {
    let own = Int(sysconf(Int32(_SC_PAGESIZE)))
    guard let head = FileBytes(file, at: 0, count: PageMeta.size).map(PageMeta.init),
      head.magic == FileCheck.magic, 512...65536 ~= head.pageSize,
      head.pageSize & (head.pageSize - 1) == 0
    else { return own }
    return head.pageSize
  }

  private static func isBlank(_ bytes: FileBytes, _ range: Range<Int>) -> Bool {
    range.allSatisfy { bytes.load(UInt8.self, at: $0) == 0 }
  }

  private static func isPage(_ bytes: FileBytes, _ page: Range<Int>, _ number: UInt64) -> Bool {
    page.count >= 8 && bytes.load(UInt64.self, at: page.lowerBound) == number
  }

  /// Whether a meta page is that of no commit.
  private static func isFirstHead(_ bytes: FileBytes, at start: Int, _ number: UInt64) -> Bool {
    bytes.load(UInt64.self, at: start) == number
      && bytes.load(UInt32.self, at: start + 16) == FileCheck.magic
      && bytes.load(UInt64.self, at: start + 144) == 0
  }
}
