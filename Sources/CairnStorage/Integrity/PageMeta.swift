#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One of the two meta pages of an LMDB file: where the trees of a commit begin.
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
  private static let metaFlag: UInt16 = 8
  private static let integerKeys: UInt16 = 8
  /// Flags of a tree that change how it is read: reverse keys, duplicates, integer keys and their kin.
  private static let treeFlags: UInt16 = 0x7E

  init(_ bytes: FileBytes) {
    pageNumber = bytes.load(UInt64.self, at: 0)
    flags = bytes.load(UInt16.self, at: 10)
    magic = bytes.load(UInt32.self, at: 16)
    dataVersion = bytes.load(UInt32.self, at: 20)
    pageSize = Int(bytes.load(UInt32.self, at: 40))
    free = Tree(bytes, at: 40)
    main = Tree(bytes, at: 88)
    lastPage = bytes.load(UInt64.self, at: 136)
    version = bytes.load(UInt64.self, at: 144)
  }

  /// Both meta pages of a file; nil where they do not fit together.
  ///
  /// A writer may be between the two; then looking again helps.
  static func pair(_ file: Int32) -> [PageMeta]? {
    for look in 0..<looks {
      if look > 0 { usleep(1000) }
      guard let first = FileBytes(file, at: 0, count: size).map(PageMeta.init),
        first.pageSize >= 512,
        let second = FileBytes(file, at: first.pageSize, count: size).map(PageMeta.init)
      else { continue }
      if agree(first, second) { return [first, second] }
    }
    return nil
  }

  private static let looks = 5

  /// Whether two meta pages are such as LMDB leaves behind: of neighbouring commits, the even one first.
  private static func agree(_ first: PageMeta, _ second: PageMeta) -> Bool {
    guard first.isPlausible(0, first.pageSize), second.isPlausible(1, first.pageSize) else {
      return false
    }
    if first.version == 0, second.version == 0 { return true }
    let difference = first.version &- second.version
    return first.version & 1 == 0 && second.version & 1 == 1
      && (difference == 1 || difference == .max)
  }

  private func isPlausible(_ number: UInt64, _ pageSize: Int) -> Bool {
    pageNumber == number && flags == Self.metaFlag && magic == FileCheck.magic
      && dataVersion == FileCheck.dataVersion && self.pageSize == pageSize
      && free.flags & Self.treeFlags == Self.integerKeys && main.flags & Self.treeFlags == 0
      && lastPage >= 1
  }
}
