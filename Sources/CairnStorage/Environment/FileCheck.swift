#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Looks at a file before LMDB maps it: a file that is no LMDB file, or ends early, would end the
/// process with SIGBUS when its pages are touched.
enum FileCheck {
  enum Finding: Equatable {
    case absent
    case empty
    case ready
  }

  static let magic: UInt32 = 0xBEEF_C0DE
  static let dataVersion: UInt32 = 1
  /// The page header before LMDB's meta record, and the offsets of what is read from the record.
  private static let metaOffset = 16
  private static let pageSizeOffset = metaOffset + 24
  private static let freeRootOffset = metaOffset + 24 + 40
  private static let lastPageOffset = metaOffset + 24 + 2 * 48
  private static let transactionOffset = lastPageOffset + 8
  private static let metaSize = transactionOffset + 8

  /// Reads both meta pages of the file.
  ///
  /// - Parameter heads: whether a file is refused whose two heads do not fit together.
  static func inspect(_ path: String, heads: Bool = true) throws(StoreError) -> Finding {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return .absent }
      throw StoreError(.locked, "cannot open \(path): \(errorText(errno))")
    }
    defer { close(file) }
    var info = stat()
    guard fstat(file, &info) == 0 else {
      throw StoreError(.io, "cannot read \(path): \(errorText(errno))")
    }
    guard info.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(.notAStore, "\(path) is not a regular file, so it is no Cairn store")
    }
    if info.st_size == 0 { return .empty }
    try checkMetas(file, path)
    if heads { try checkAgreement(file, path) }
    return .ready
  }

  private static func checkMetas(_ file: Int32, _ path: String) throws(StoreError) {
    let first = try meta(file, at: 0, path)
    let pageSize = Int(first.load(UInt32.self, at: pageSizeOffset))
    guard pageSize >= 512, pageSize <= 65536, pageSize & (pageSize - 1) == 0 else {
      throw foreign(path)
    }
    let second = try meta(file, at: pageSize, path)
    // LMDB believes the later of the two, and reads the other where that says it is.
    guard Int(second.load(UInt32.self, at: pageSizeOffset)) == pageSize else {
      throw headsDisagree(path)
    }
    let isSecond =
      second.load(UInt64.self, at: transactionOffset)
      > first.load(UInt64.self, at: transactionOffset)
    let latest = isSecond ? second : first
    // Only now: another process may have let the file grow before it wrote what was just read.
    var info = stat()
    guard fstat(file, &info) == 0 else {
      throw StoreError(.io, "cannot read \(path): \(errorText(errno))")
    }
    let size = Int(info.st_size)
    let last = latest.load(UInt64.self, at: lastPageOffset)
    let pages = FreePages(file: file, pageSize: pageSize, pageCount: size / pageSize)
    guard last < UInt64(Int.max / pageSize),
      Int(last) < pages.pageCount
        || pages.hold(
          pages.pageCount..<Int(last) + 1, root: latest.load(UInt64.self, at: freeRootOffset))
    else {
      throw StoreError(
        .truncated,
        "\(path) is truncated: it has \(size) bytes and should have at least "
          + "\((last &+ 1) &* UInt64(pageSize)); restore it from a copy")
    }
  }

  /// LMDB takes the later of the two for true, whatever it says.
  private static func checkAgreement(_ file: Int32, _ path: String) throws(StoreError) {
    guard PageMeta.pair(file) != nil else { throw headsDisagree(path) }
  }

  private static func headsDisagree(_ path: String) -> StoreError {
    StoreError(
      .damaged, "\(path) is damaged: its two heads do not fit together; restore it from a copy")
  }

  private static func meta(
    _ file: Int32, at offset: Int, _ path: String
  ) throws(StoreError) -> FileBytes {
    guard let page = FileBytes(file, at: offset, count: metaSize),
      page.load(UInt32.self, at: metaOffset) == magic,
      page.load(UInt32.self, at: metaOffset + 4) & 0xFFFF == dataVersion
    else { throw foreign(path) }
    return page
  }

  private static func foreign(_ path: String) -> StoreError {
    StoreError(.notAStore, "\(path) is not a Cairn store")
  }
}
