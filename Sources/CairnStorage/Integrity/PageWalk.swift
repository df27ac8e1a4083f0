#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What is wrong with the pages of a file.
struct PageFault: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// Holds the pages of an LMDB file against one another, without LMDB: it trusts them, and a process that lets it read a
/// damaged one may be killed. Every byte that LMDB would follow is followed here first, by reads that cannot fail badly.
///
/// A reader of the same commit must be open meanwhile, so that its pages are not used again.
struct PageWalk {
  let file: Int32
  let meta: PageMeta
  /// Whole pages in the file.
  let pageCount: Int
  /// Bit set: the page is in a tree, or free.
  private var seen: [UInt64]
  private(set) var usedPages = 2
  private(set) var freePages = 0

  /// LMDB's own limit.
  private static let mostDepth = 32

  var pageSize: Int { meta.pageSize }
  private var end: Int { Int(meta.lastPage) + 1 }
  /// Pages that are in no tree and not free.
  var lostPages: Int { end - usedPages - freePages }

  /// - Parameter size: bytes of the file.
  init(file: Int32, meta: PageMeta, size: Int) throws(PageFault) {
    self.file = file
    self.meta = meta
    pageCount = size / meta.pageSize
    // A free page at the end may never have been written, so the last one need not be in the file; but a number far
    // beyond it is damage, and would take memory.
    guard meta.lastPage < UInt64(pageCount) + 1 << 32 else {
      throw PageFault("the number of its pages is \(meta.lastPage)")
    }
    seen = [UInt64](repeating: 0, count: Int(meta.lastPage) / 64 + 1)
    seen[0] = 3
  }

  /// Goes through both trees.
  mutating func run() throws(PageFault) {
    var values = PageTree(meta.main, holdsFreePages: false)
    try walk(&values)
    var free = PageTree(meta.free, holdsFreePages: true)
    try walk(&free)
  }

  private mutating func walk(_ tree: inout PageTree) throws(PageFault) {
    if tree.head.root != PageMeta.Tree.noRoot {
      guard tree.head.depth > 0, tree.head.depth <= Self.mostDepth else {
        throw PageFault("a tree is \(tree.head.depth) pages deep")
      }
      try walk(tree.head.root, depth: 1, from: nil, to: nil, &tree)
    }
    guard tree.isAsItsHeadSays else {
      throw PageFault("a tree has other numbers of pages or values than its head says")
    }
  }

  private mutating func walk(
    _ number: UInt64, depth: Int, from low: [UInt8]?, to high: [UInt8]?, _ tree: inout PageTree
  ) throws(PageFault) {
    try take(number, count: 1)
    let page = try TreePage(read(number, count: 1), number: number, size: pageSize)
    try page.checkKeys(from: low, to: high, asNumbers: tree.holdsFreePages)
    if page.isBranch {
      guard depth < tree.head.depth, page.count >= (tree.holdsFreePages ? 1 : 2) else {
        throw page.fault("stands where none of its kind may")
      }
      tree.branchPages += 1
      for index in 0..<page.count {
        try walk(
          page.child(index), depth: depth + 1, from: index == 0 ? low : page.key(index),
          to: index + 1 < page.count ? page.key(index + 1) : high, &tree)
      }
    } else {
      guard depth == tree.head.depth, page.count > 0 else {
        throw page.fault("stands where none of its kind may")
      }
      tree.leafPages += 1
      tree.entries += UInt64(page.count)
      for index in 0..<page.count { try check(page.value(index), of: page, &tree) }
    }
  }

  private mutating func check(
    _ value: TreePage.Value, of page: TreePage, _ tree: inout PageTree
  ) throws(PageFault) {
    var bytes = page.bytes
    var start = value.offset
    if let far = value.page {
      let count = (TreePage.headerSize - 1 + value.size) / pageSize + 1
      try take(far, count: count)
      guard Int(far) + count <= pageCount else {
        throw PageFault("the value on page \(far) ends outside the file")
      }
      let head = try read(far, count: tree.holdsFreePages ? count : 1)
      try TreePage.checkOverflow(head, number: far, count: count)
      tree.overflowPages += UInt64(count)
      bytes = head
      start = TreePage.headerSize
    }
    if tree.holdsFreePages { try takeFree(bytes, at: start, size: value.size) }
  }

  /// Takes the page numbers of one list of free ones: their count, then the numbers, falling.
  private mutating func takeFree(
    _ bytes: FileBytes, at start: Int, size: Int
  ) throws(PageFault) {
    guard size >= 8, start + size <= bytes.count else {
      throw PageFault("a list of free pages ends early")
    }
    let count = bytes.load(UInt64.self, at: start)
    guard count < UInt64(size / 8) else { throw PageFault("a list of free pages ends early") }
    var last = UInt64.max
    for index in 0..<Int(count) {
      let number = bytes.load(UInt64.self, at: start + 8 + index * 8)
      guard number < last, number < UInt64(end), mark(Int(number)) else {
        throw PageFault("page \(number) is said to be free, and is not")
      }
      last = number
      freePages += 1
    }
  }

  /// Notes that pages belong to a tree.
  private mutating func take(_ number: UInt64, count: Int) throws(PageFault) {
    guard number < UInt64(end), count <= end - Int(number) else {
      throw PageFault("a page points to page \(number), which there is not")
    }
    for page in Int(number)..<Int(number) + count {
      guard mark(page) else { throw PageFault("page \(page) is in use twice") }
    }
    usedPages += count
  }

  /// False when the page was marked before.
  private mutating func mark(_ page: Int) -> Bool {
    let bit = UInt64(1) << UInt64(page & 63)
    guard seen[page >> 6] & bit == 0 else { return false }
    seen[page >> 6] |= bit
    return true
  }

  private func read(_ number: UInt64, count: Int) throws(PageFault) -> FileBytes {
    guard number < UInt64(pageCount), count <= pageCount - Int(number),
      let bytes = FileBytes(file, at: Int(number) * pageSize, count: count * pageSize)
    else { throw PageFault("page \(number) cannot be read") }
    return bytes
  }
}

/// A tree while its pages are counted.
private struct PageTree {
  let head: PageMeta.Tree
  let holdsFreePages: Bool
  var branchPages: UInt64 = 0
  var leafPages: UInt64 = 0
  var overflowPages: UInt64 = 0
  var entries: UInt64 = 0

  init(_ head: PageMeta.Tree, holdsFreePages: Bool) {
    self.head = head
    self.holdsFreePages = holdsFreePages
  }

  var isAsItsHeadSays: Bool {
    branchPages == head.branchPages && leafPages == head.leafPages
      && overflowPages == head.overflowPages && entries == head.entries
  }
}
