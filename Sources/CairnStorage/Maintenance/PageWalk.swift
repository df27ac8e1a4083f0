import CairnSystem

/// Compares the pages of an LMDB file with each other, without LMDB. LMDB trusts them, and can
/// crash the process when it reads a damaged page. Every byte that LMDB would follow is followed
/// here first, with checked reads.
///
/// A reader of the same commit must be open meanwhile, so that its pages are not reused.
struct PageWalk {
  let file: Int32
  let meta: PageMeta
  /// The number of whole pages in the file.
  let pageCount: Int
  /// The pages that are in a tree, or free.
  private var seen: BitSet
  private(set) var usedPages = 2
  private(set) var freePages = 0
  /// The latest commit that freed pages; 0 if none did.
  private(set) var lastFreeing: UInt64 = 0

  var pageSize: Int { meta.pageSize }
  private var end: Int { Int(meta.lastPage) + 1 }
  /// The number of pages that are in no tree and not free.
  var lostPages: Int { end - usedPages - freePages }

  /// - Parameter size: the size of the file in bytes.
  init(file: Int32, meta: PageMeta, size: Int) throws(PageFault) {
    self.file = file
    self.meta = meta
    pageCount = size / meta.pageSize
    // A free page at the end may never have been written, so the last one need not be in the file.
    // A number far beyond the end is damage, and would take memory.
    guard meta.lastPage < UInt64(pageCount) + 1 << 32 else {
      throw PageFault("the number of its pages is \(meta.lastPage)")
    }
    seen = BitSet(count: Int(meta.lastPage))
    for page in 0...1 { _ = seen.insert(page) }
  }

  /// Traverses both trees.
  mutating func run() throws(PageFault) {
    var values = PageTree(meta.main, holdsFreePages: false)
    try walk(&values)
    try runFreePages()
    guard lastFreeing <= meta.version else { throw Self.wrongVersion }
  }

  /// Traverses the tree of free pages.
  mutating func runFreePages() throws(PageFault) {
    var free = PageTree(meta.free, holdsFreePages: true)
    try walk(&free)
  }

  /// Throws if the meta page belongs to an earlier commit than that of `older`, as its tree of free
  /// pages shows: a commit lists the pages that it frees under its number.
  func requireLater(than older: PageWalk) throws(PageFault) {
    guard lastFreeing >= older.lastFreeing else { throw Self.wrongVersion }
  }

  private static let wrongVersion = PageFault(
    "a meta page has the number of another commit than its pages")

  private mutating func walk(_ tree: inout PageTree) throws(PageFault) {
    if tree.head.root != PageMeta.Tree.noRoot {
      guard tree.head.depth > 0, tree.head.depth <= LMDBPage.maxDepth else {
        throw PageFault("a tree is \(tree.head.depth) pages deep")
      }
      try walk(tree.head.root, depth: 1, from: nil, to: nil, tree: &tree)
    }
    guard tree.matchesMetaPage else {
      throw PageFault("the page and value counts of a tree differ from its meta page")
    }
  }

  private mutating func walk(
    _ number: UInt64, depth: Int, from low: [UInt8]?, to high: [UInt8]?, tree: inout PageTree
  ) throws(PageFault) {
    try markUsed(number, count: 1)
    let page = try TreePage(read(number, count: 1), number: number, size: pageSize)
    try page.checkKeys(from: low, to: high, asNumbers: tree.holdsFreePages)
    if page.isBranch {
      guard depth < tree.head.depth, page.count >= (tree.holdsFreePages ? 1 : 2) else {
        throw page.fault("is at a level of the tree where its kind is not allowed")
      }
      tree.branchPages += 1
      for index in 0..<page.count {
        try walk(
          page.child(index), depth: depth + 1, from: index == 0 ? low : page.key(index),
          to: index + 1 < page.count ? page.key(index + 1) : high, tree: &tree)
      }
    } else {
      guard depth == tree.head.depth, page.count > 0 else {
        throw page.fault("is at a level of the tree where its kind is not allowed")
      }
      tree.leafPages += 1
      tree.entries += UInt64(page.count)
      if tree.holdsFreePages { noteFreeing(page.key(page.count - 1)) }
      for index in 0..<page.count { try check(page.value(index), of: page, tree: &tree) }
    }
  }

  private mutating func noteFreeing(_ commit: [UInt8]) {
    let number = commit.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    lastFreeing = max(lastFreeing, number)
  }

  private mutating func check(
    _ value: TreePage.Value, of page: TreePage, tree: inout PageTree
  ) throws(PageFault) {
    var bytes = page.bytes
    var start = value.offset
    if let far = value.page {
      let count = LMDBPage.pageCount(forValueOf: value.size, pageSize: pageSize)
      try markUsed(far, count: count)
      guard Int(far) + count <= pageCount else {
        throw PageFault("the value on page \(far) ends outside of the file")
      }
      let head = try read(far, count: tree.holdsFreePages ? count : 1)
      try TreePage.checkOverflow(head, number: far, count: count)
      tree.overflowPages += UInt64(count)
      bytes = head
      start = LMDBPage.headerSize
    }
    if tree.holdsFreePages { try markFree(bytes, at: start, size: value.size) }
  }

  /// Marks the pages of one list of free pages: their count, then their numbers in descending
  /// order.
  private mutating func markFree(
    _ bytes: FileBytes, at start: Int, size: Int
  ) throws(PageFault) {
    guard size >= 8, start + size <= bytes.count else {
      throw PageFault("a list of free pages is truncated")
    }
    let count = bytes.load(UInt64.self, at: start)
    guard count < UInt64(size / 8) else {
      throw PageFault("a list of free pages is truncated")
    }
    var last = UInt64.max
    for index in 0..<Int(count) {
      let number = bytes.load(UInt64.self, at: start + 8 + index * 8)
      guard number < last, number < UInt64(end), seen.insert(Int(number)) else {
        throw PageFault("page \(number) is listed as free, but is used")
      }
      last = number
      freePages += 1
    }
  }

  /// Marks pages as part of a tree.
  private mutating func markUsed(_ number: UInt64, count: Int) throws(PageFault) {
    guard number < UInt64(end), count <= end - Int(number) else {
      throw PageFault("a page points to page \(number), which does not exist")
    }
    for page in Int(number)..<Int(number) + count {
      guard seen.insert(page) else { throw PageFault("page \(page) is used twice") }
    }
    usedPages += count
  }

  private func read(_ number: UInt64, count: Int) throws(PageFault) -> FileBytes {
    guard number < UInt64(pageCount), count <= pageCount - Int(number),
      let bytes = FileBytes(file, at: Int(number) * pageSize, count: count * pageSize)
    else { throw PageFault("page \(number) cannot be read") }
    return bytes
  }
}

/// A tree whose pages are being counted.
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

  var matchesMetaPage: Bool {
    branchPages == head.branchPages && leafPages == head.leafPages
      && overflowPages == head.overflowPages && entries == head.entries
  }
}
