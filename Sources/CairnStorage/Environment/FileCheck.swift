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

  private static let magic: UInt32 = 0xBEEF_C0DE
  private static let dataVersion: UInt32 = 1
  /// The page header before LMDB's meta record, and the offsets of what is read from the record.
  private static let metaOffset = 16
  private static let pageSizeOffset = metaOffset + 24
  private static let lastPageOffset = metaOffset + 24 + 2 * 48

  /// Reads both meta pages of the file.
  static func inspect(_ path: String) throws(StoreError) -> Finding {
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
    try checkMetas(file, size: Int(info.st_size), path)
    return .ready
  }

  private static func checkMetas(_ file: Int32, size: Int, _ path: String) throws(StoreError) {
    let first = try meta(file, at: 0, path)
    let pageSize = Int(first.load(UInt32.self, at: pageSizeOffset))
    guard pageSize >= 512, pageSize <= 65536, pageSize & (pageSize - 1) == 0 else {
      throw foreign(path)
    }
    let second = try meta(file, at: pageSize, path)
    for page in [first, second] {
      let last = page.load(UInt64.self, at: lastPageOffset)
      guard last < UInt64(Int.max / pageSize), (Int(last) + 1) * pageSize <= size else {
        throw StoreError(
          .truncated,
          "\(path) is truncated: it has \(size) bytes and should have at least "
            + "\((last &+ 1) &* UInt64(pageSize)); restore it from a copy")
      }
    }
  }

  private static func meta(_ file: Int32, at offset: Int, _ path: String) throws(StoreError) -> Page
  {
    var page = Page()
    let read = page.bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, off_t(offset)) }
    guard read == Page.size,
      page.load(UInt32.self, at: metaOffset) == magic,
      page.load(UInt32.self, at: metaOffset + 4) & 0xFFFF == dataVersion
    else { throw foreign(path) }
    return page
  }

  private static func foreign(_ path: String) -> StoreError {
    StoreError(.notAStore, "\(path) is not a Cairn store")
  }

  /// The first bytes of a meta page.
  private struct Page {
    static let size = 16 + 24 + 2 * 48 + 16
    var bytes = [UInt8](repeating: 0, count: size)

    func load<T: BitwiseCopyable>(_ type: T.Type, at offset: Int) -> T {
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
    }
  }
}
