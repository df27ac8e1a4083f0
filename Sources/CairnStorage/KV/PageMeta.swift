import CairnSystem

/// One of the two meta pages of an LMDB file, with the roots of a commit's trees.
struct PageMeta {
  /// A tree of pages, as its meta page describes it.
  struct Tree {
    let flags: UInt16
    let depth: Int
    let branchPages: UInt64
    let leafPages: UInt64
    let overflowPages: UInt64
    let entries: UInt64
    let root: UInt64

    /// The root of a tree without entries.
    static let noRoot = UInt64.max

    fileprivate init(_ bytes: FileBytes, at offset: Int) {
      flags = bytes.load(UInt16.self, at: offset + 4)
      depth = Int(bytes.load(UInt16.self, at: offset + 6))
      branchPages = bytes.load(UInt64.self, at: offset + 8)
      leafPages = bytes.load(UInt64.self, at: offset + 16)
      overflowPages = bytes.load(UInt64.self, at: offset + 24)
      entries = bytes.load(UInt64.self, at: offset + 32)
      root = bytes.load(UInt64.self, at: offset + 40)
    }
  }

  let pageNumber: UInt64
  let flags: UInt16
  let magic: UInt32
  let dataVersion: UInt32
  let pageSize: Int
  /// The tree of free pages.
  let free: Tree
  /// The tree of values.
  let main: Tree
  let lastPage: UInt64
  /// The number of the commit.
  let version: UInt64

  static let size = 152
  private static let integerKeys: UInt16 = 8
  /// Flags of a tree that change how it is read: reverse keys, duplicates, integer keys and the
  /// like.
  private static let treeFlags: UInt16 = 0x7E

  init(_ bytes: FileBytes) {
    pageNumber = bytes.load(UInt64.self, at: 0)
    flags = bytes.load(UInt16.self, at: LMDBPage.flagsOffset)
    magic = bytes.load(UInt32.self, at: 16)
    dataVersion = bytes.load(UInt32.self, at: 20)
    pageSize = Int(bytes.load(UInt32.self, at: 40))
    free = Tree(bytes, at: 40)
    main = Tree(bytes, at: 88)
    lastPage = bytes.load(UInt64.self, at: 136)
    version = bytes.load(UInt64.self, at: 144)
  }

  /// Both meta pages of a file, or nil if they contradict each other.
  ///
  /// A writer may have written only one of the two; reading them again helps then.
  static func pair(_ file: Int32) -> [PageMeta]? {
    for look in 0..<looks {
      if look > 0 { usleep(1000) }
      guard let first = FileBytes(file, at: 0, count: size).map(PageMeta.init),
        first.pageSize >= 512,
        let second = FileBytes(file, at: first.pageSize, count: size).map(PageMeta.init)
      else { continue }
      if agree(first, second: second) { return [first, second] }
    }
    return nil
  }

  private static let looks = 5

  /// Makes the older meta page name the trees of the newer one, after a commit has failed.
  ///
  /// A commit that fails while LMDB writes its meta page leaves its trees there, under the number of the
  /// commit before the last. That is harmless, but looks like the last commit with a damaged number.
  /// The caller holds Cairn's writer lock.
  static func forgetFailedCommit(_ file: Int32) {
    guard let pair = pair(file), let newer = pair.max(by: { $0.version < $1.version }),
      let older = pair.min(by: { $0.version < $1.version }), older.version > 0,
      let bytes = FileBytes(file, at: Int(newer.pageNumber) * newer.pageSize, count: size)
    else { return }
    var record = (LMDBPage.headerSize..<size - 8).map { bytes.load(UInt8.self, at: $0) }
    withUnsafeBytes(of: older.version) { record.append(contentsOf: $0) }
    let offset = Int(older.pageNumber) * older.pageSize + LMDBPage.headerSize
    // If this fails, a check reports the page until the next commit has replaced it.
    _ = record.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(offset)) }
    _ = fsync(file)
  }

  /// Whether two meta pages are consistent: of consecutive commits, the even one first.
  private static func agree(_ first: PageMeta, second: PageMeta) -> Bool {
    guard first.isPlausible(0, pageSize: first.pageSize),
      second.isPlausible(1, pageSize: first.pageSize)
    else {
      return false
    }
    guard [first, second].allSatisfy({ $0.version > 0 || $0.isInitial }) else { return false }
    if first.version == 0, second.version == 0 { return true }
    let difference = first.version &- second.version
    return first.version & 1 == 0 && second.version & 1 == 1
      && (difference == 1 || difference == .max)
  }

  /// Whether the page names no trees, as those of a new file.
  private var isInitial: Bool {
    free.root == Tree.noRoot && main.root == Tree.noRoot && lastPage == 1
  }

  private func isPlausible(_ number: UInt64, pageSize: Int) -> Bool {
    pageNumber == number && flags == LMDBPage.metaFlag && magic == FileCheck.magic
      && dataVersion == FileCheck.dataVersion && self.pageSize == pageSize
      && free.flags & Self.treeFlags == Self.integerKeys && main.flags & Self.treeFlags == 0
      && lastPage >= 1
  }
}

/// A fault in the pages of a file.
struct PageFault: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// The layout of LMDB's pages, as far as Cairn reads them without LMDB.
///
/// A page begins with its number (u64 at 0), flags, and the bounds of its free space or, if it
/// begins a value with pages of its own, the number of pages. Branches and leaves then have the
/// offsets of their nodes, u16 each. A node has the size of its value or the page below it (u16 at
/// 0, 2 and 4), flags, the size of its key, the key, and in a leaf the value or the page of the
/// value.
enum LMDBPage {
  static let headerSize = 16
  static let flagsOffset = 10
  /// The end of the node offsets, and the start of the nodes.
  static let lowerOffset = 12
  static let upperOffset = 14
  static let pageCountOffset = 12

  static let branchFlag: UInt16 = 1
  static let leafFlag: UInt16 = 2
  static let overflowFlag: UInt16 = 4
  static let metaFlag: UInt16 = 8

  static let nodeSize = 8
  static let nodeFlagsOffset = 4
  static let keySizeOffset = 6
  /// The flag of a node whose value is on pages of its own.
  static let bigDataFlag: UInt16 = 1

  /// LMDB's own limit for the depth of a tree.
  static let maxDepth = 32

  /// Returns the number of pages of a value with pages of its own.
  static func pageCount(forValueOf size: Int, pageSize: Int) -> Int {
    (headerSize - 1 + size) / pageSize + 1
  }
}
