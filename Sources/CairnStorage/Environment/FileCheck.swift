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
    /// It was to become a store, and nothing was ever committed to it.
    case unfinished
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
    try checkName(path)
    var info = stat()
    // Opening a pipe would wait, and opening a device may do anything.
    if stat(path, &info) == 0 { try requireRegular(info, path) }
    let file = openFile(path, O_RDONLY | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT { return .absent }
      throw StoreError(.locked, "cannot open \(path): \(errorText(errno))")
    }
    defer { close(file) }
    guard fstat(file, &info) == 0 else {
      throw StoreError(.io, "cannot read \(path): \(errorText(errno))")
    }
    try requireRegular(info, path)
    if info.st_size == 0 { return .empty }
    if UnfinishedStore.isOne(file, size: Int(info.st_size)) { return .unfinished }
    try checkMetas(file, path)
    if heads { try checkAgreement(file, path) }
    return .ready
  }

  /// Throws unless the file is there and can be opened.
  static func require(_ path: String, heads: Bool = true) throws(StoreError) {
    let finding = try inspect(path, heads: heads)
    if finding != .ready { throw refusal(finding, path) }
  }

  /// The error for a file that is not a store yet.
  static func refusal(_ finding: Finding, _ path: String) -> StoreError {
    switch finding {
    case .empty: StoreError(.notAStore, "\(path) is empty, so it is no Cairn store")
    case .unfinished:
      StoreError(
        .notAStore,
        "\(path) is no Cairn store: it was to become one, and nothing was stored in it before the "
          + "process ended; the next import makes it one")
    case .absent, .ready: StoreError(.notFound, "\(path) does not exist")
    }
  }

  /// Throws where no file can have the name, or it leads nowhere.
  private static func checkName(_ path: String) throws(StoreError) {
    guard !path.isEmpty else {
      throw StoreError(.notFound, "the name of the store is empty; give the path of a file")
    }
    guard !path.utf8.contains(0) else {
      throw StoreError(.notFound, "the name of the store holds a zero byte, which no path can")
    }
    var info = stat()
    if lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFLNK, stat(path, &info) != 0,
      errno == ENOENT
    {
      throw StoreError(
        .notFound, "\(path) is a link to a file that does not exist; remove it, or make that file")
    }
  }

  private static func requireRegular(_ info: stat, _ path: String) throws(StoreError) {
    guard info.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(.notAStore, "\(path) is not a regular file, so it is no Cairn store")
    }
  }

  /// Throws where something else than a file has the name of a store's lock file.
  static func checkLockFile(_ path: String, of store: String) throws(StoreError) {
    var info = stat()
    guard stat(path, &info) == 0, info.st_mode & S_IFMT != S_IFREG else { return }
    throw StoreError(
      .locked, "cannot lock \(store): \(path) is not a regular file; remove it")
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
