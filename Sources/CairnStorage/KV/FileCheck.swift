import CairnSystem

/// Checks a file before LMDB maps it. A file in another format, or a truncated one, would end the
/// process with SIGBUS when its pages are touched.
enum FileCheck {
  enum Finding: Equatable {
    case absent
    case empty
    /// A store was being created, and nothing was ever committed to it.
    case unfinished
    case ready
  }

  static let magic: UInt32 = 0xBEEF_C0DE
  static let dataVersion: UInt32 = 1
  /// The size of the page header before LMDB's meta record, and the offsets of the fields read from
  /// the record.
  private static let metaOffset = 16
  private static let pageSizeOffset = metaOffset + 24
  private static let freeRootOffset = metaOffset + 24 + 40
  private static let lastPageOffset = metaOffset + 24 + 2 * 48
  private static let transactionOffset = lastPageOffset + 8
  private static let metaSize = transactionOffset + 8

  /// Reads both meta pages of the file.
  ///
  /// - Parameter checksMetaPages: whether to reject a file whose two meta pages contradict each
  ///   other.
  static func inspect(_ path: String, checksMetaPages: Bool = true) throws(StoreError) -> Finding {
    try checkName(path)
    var info = stat()
    // Opening a pipe would block, and opening a device may do anything.
    if stat(path, &info) == 0 { try requireRegular(info, path: path) }
    let file = openFile(path, flags: O_RDONLY | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT { return .absent }
      let kind: StoreError.Kind = [EACCES, EPERM, EROFS].contains(errno) ? .locked : .io
      throw StoreError(kind, message: "cannot open \(path): \(errorText(errno))")
    }
    defer { close(file) }
    guard fstat(file, &info) == 0 else {
      throw StoreError(.io, message: "cannot read \(path): \(errorText(errno))")
    }
    try requireRegular(info, path: path)
    if info.st_size == 0 { return .empty }
    if UnfinishedStore.isOne(file, size: Int(info.st_size)) { return .unfinished }
    try checkMetas(file, path: path)
    if checksMetaPages { try checkAgreement(file, path: path) }
    return .ready
  }

  /// Whether a file begins with a page of LMDB.
  static func hasMagic(_ path: String) -> Bool {
    var info = stat()
    guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return false }
    let file = openFile(path, flags: O_RDONLY)
    guard file >= 0 else { return false }
    defer { close(file) }
    var found: UInt32 = 0
    let size = MemoryLayout.size(ofValue: found)
    return pread(file, &found, size, off_t(metaOffset)) == size
      && UInt32(littleEndian: found) == magic
  }

  /// Throws unless the file exists and can be opened as a store.
  static func require(_ path: String, checksMetaPages: Bool = true) throws(StoreError) {
    let finding = try inspect(path, checksMetaPages: checksMetaPages)
    if finding != .ready { throw error(for: finding, path: path) }
  }

  /// The error for a file that is not a store yet.
  static func error(for finding: Finding, path: String) -> StoreError {
    switch finding {
    case .empty:
      StoreError(
        .notAStore,
        message: "\(path) is empty, so it is not a Cairn store; if its creation was interrupted, "
          + "the next import creates the store in it")
    case .unfinished:
      StoreError(
        .notAStore,
        message:
          "\(path) is not a Cairn store: its creation was interrupted before anything was stored "
          + "in it; the next import creates the store again")
    case .absent, .ready: StoreError(.notFound, message: "\(path) does not exist")
    }
  }

  /// Throws if no file can have the name, or if it is a dangling link.
  private static func checkName(_ path: String) throws(StoreError) {
    guard !path.isEmpty else {
      throw StoreError(
        .notFound, message: "the path of the store is empty; give the path of a file")
    }
    guard !path.utf8.contains(0) else {
      throw StoreError(
        .notFound, message: "the name of the store contains a zero byte, which no path can")
    }
    var info = stat()
    if lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFLNK, stat(path, &info) != 0,
      errno == ENOENT
    {
      throw StoreError(
        .notFound,
        message: "\(path) is a link to a file that does not exist; remove it, or make that file")
    }
  }

  private static func requireRegular(_ info: stat, path: String) throws(StoreError) {
    guard info.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(
        .notAStore, message: "\(path) is not a regular file, so it is not a Cairn store")
    }
  }

  /// Throws if the path of a store's lock file leads to something other than a regular file.
  static func checkLockFile(_ path: String, of store: String) throws(StoreError) {
    var info = stat()
    guard stat(path, &info) == 0, info.st_mode & S_IFMT != S_IFREG else { return }
    throw StoreError(
      .locked, message: "cannot lock \(store): \(path) is not a regular file; remove it")
  }

  private static func checkMetas(_ file: Int32, path: String) throws(StoreError) {
    let first = try meta(file, at: 0, path: path)
    let pageSize = Int(first.load(UInt32.self, at: pageSizeOffset))
    guard pageSize >= 512, pageSize <= 65536, pageSize & (pageSize - 1) == 0 else {
      throw foreign(path)
    }
    let second = try meta(file, at: pageSize, path: path)
    // LMDB trusts the later of the two, and looks for the second where the first says it is.
    guard Int(second.load(UInt32.self, at: pageSizeOffset)) == pageSize else {
      throw metaPagesDisagree(path)
    }
    let isSecond =
      second.load(UInt64.self, at: transactionOffset)
      > first.load(UInt64.self, at: transactionOffset)
    let latest = isSecond ? second : first
    // Read the size only now: another process may have extended the file before it wrote the meta
    // page that was just read.
    var info = stat()
    guard fstat(file, &info) == 0 else {
      throw StoreError(.io, message: "cannot read \(path): \(errorText(errno))")
    }
    let size = Int(info.st_size)
    let last = latest.load(UInt64.self, at: lastPageOffset)
    let pages = FreePages(file: file, pageSize: pageSize, pageCount: size / pageSize)
    guard last < UInt64(Int.max / pageSize),
      Int(last) < pages.pageCount
        || pages.contains(
          pages.pageCount..<Int(last) + 1, root: latest.load(UInt64.self, at: freeRootOffset))
    else {
      throw StoreError(
        .truncated,
        message: "\(path) is truncated: it has \(size) bytes and should have at least "
          + "\((last &+ 1) &* UInt64(pageSize)); restore it from a copy")
    }
  }

  /// LMDB trusts the later of the two meta pages, whatever it says.
  private static func checkAgreement(_ file: Int32, path: String) throws(StoreError) {
    guard PageMeta.pair(file) != nil else { throw metaPagesDisagree(path) }
  }

  private static func metaPagesDisagree(_ path: String) -> StoreError {
    StoreError(
      .damaged,
      message:
        "\(path) is damaged: its two meta pages contradict each other; restore it from a copy")
  }

  private static func meta(
    _ file: Int32, at offset: Int, path: String
  ) throws(StoreError) -> FileBytes {
    guard let page = FileBytes(file, at: offset, count: metaSize),
      page.load(UInt32.self, at: metaOffset) == magic,
      page.load(UInt32.self, at: metaOffset + 4) & 0xFFFF == dataVersion
    else { throw foreign(path) }
    return page
  }

  private static func foreign(_ path: String) -> StoreError {
    StoreError(.notAStore, message: "\(path) is not a Cairn store")
  }
}

/// A file whose creation as a store was interrupted, by a kill or a loss of power before its first
/// commit.
///
/// LMDB writes two meta pages of commit 0, which nothing waits for, then the pages of the first
/// commit, and only then the meta page that names it. So until the first commit is durable, each
/// meta page begins with a record of commit 0 or is blank, and the few pages of the header follow.
enum UnfinishedStore {
  private static let maxPages = 8
  private static let sector = 512

  /// Whether the file is an unfinished store. A file that LMDB can open is not.
  static func isOne(_ file: Int32, size: Int) -> Bool {
    let pageSize = pageSize(of: file)
    guard size > 0, size % sector == 0, size <= maxPages * pageSize,
      let bytes = FileBytes(file, at: 0, count: size)
    else { return false }
    var blankHeads = 0
    for number in 0..<(size + pageSize - 1) / pageSize {
      let page = number * pageSize..<min(size, (number + 1) * pageSize)
      if bytes.isBlank(page) {
        blankHeads += number < 2 ? 1 : 0
      } else if number < 2 {
        // The record lies in the first sector; the end of the file may cut the rest of the page.
        guard page.count >= sector,
          isInitialMetaPage(bytes, at: page.lowerBound, number: UInt64(number))
        else {
          return false
        }
      } else {
        let first = page.lowerBound..<min(page.upperBound, page.lowerBound + sector)
        guard bytes.isBlank(first) || isPage(bytes, page: page, number: UInt64(number))
        else { return false }
      }
    }
    return blankHeads > 0 || size < 2 * pageSize
  }

  /// Empties the file if it is still unfinished.
  ///
  /// - Parameter sole: keeps everyone else from the file.
  static func clear(_ exclusiveLock: ExclusiveLock) throws(StoreError) {
    let file = openFile(exclusiveLock.realPath, flags: O_RDWR)
    guard file >= 0 else {
      throw StoreError(.locked, message: "cannot open \(exclusiveLock.path): \(errorText(errno))")
    }
    defer { close(file) }
    var info = stat()
    guard fstat(file, &info) == 0, isOne(file, size: Int(info.st_size)) else { return }
    guard ftruncate(file, 0) == 0 else {
      throw StoreError(.io, message: "cannot write \(exclusiveLock.path): \(errorText(errno))")
    }
  }

  /// The page size that one of the meta pages states, otherwise that of this machine.
  private static func pageSize(of file: Int32) -> Int {
    let own = Int(sysconf(Int32(_SC_PAGESIZE)))
    guard let head = FileBytes(file, at: 0, count: PageMeta.size).map(PageMeta.init),
      head.magic == FileCheck.magic, 512...65536 ~= head.pageSize,
      head.pageSize & (head.pageSize - 1) == 0
    else { return own }
    return head.pageSize
  }

  private static func isPage(_ bytes: FileBytes, page: Range<Int>, number: UInt64) -> Bool {
    page.count >= 8 && bytes.load(UInt64.self, at: page.lowerBound) == number
  }

  /// Whether a meta page belongs to commit 0.
  private static func isInitialMetaPage(_ bytes: FileBytes, at start: Int, number: UInt64) -> Bool {
    bytes.load(UInt64.self, at: start) == number
      && bytes.load(UInt32.self, at: start + 16) == FileCheck.magic
      && bytes.load(UInt64.self, at: start + 144) == 0
  }
}
