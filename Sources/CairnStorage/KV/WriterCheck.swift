import CairnSystem

/// Checks the pages that LMDB follows and frees, before a process writes to a file for the first
/// time.
///
/// LMDB trusts the number and length in the header of a page. If pages are exchanged, it frees
/// other pages than it gave up, and lists of free pages that lead back to themselves keep it busy
/// until memory is exhausted. The check reads branches, leaves and lists of free pages, each once.
/// Values on pages of their own are checked when they are replaced (`MappedPages`).
struct WriterCheck {
  private let file: Int32
  private let meta: PageMeta
  private let pageSize: Int
  /// The pages that are in a tree, or free.
  private var seen: BitSet
  /// A page for each level of a tree.
  private let buffer: UnsafeMutableRawPointer

  /// Checks the last commit of a file. Nobody else may write to it meanwhile.
  static func run(_ file: Int32) throws(PageFault) {
    var info = stat()
    guard fstat(file, &info) == 0, let pair = PageMeta.pair(file) else {
      throw PageFault("its two meta pages contradict each other")
    }
    let meta = pair[0].version > pair[1].version ? pair[0] : pair[1]
    guard meta.lastPage < UInt64(Int(info.st_size) / meta.pageSize) + 1 << 32 else {
      throw PageFault("the number of its pages is \(meta.lastPage)")
    }
    let buffer = UnsafeMutableRawPointer.allocate(
      byteCount: meta.pageSize * (LMDBPage.maxDepth + 1), alignment: 16)
    defer { buffer.deallocate() }
    var check = WriterCheck(file, meta: meta, buffer: buffer)
    try check.walk(meta.main, holdsFreePages: false)
    try check.walk(meta.free, holdsFreePages: true)
  }

  private init(_ file: Int32, meta: PageMeta, buffer: UnsafeMutableRawPointer) {
    self.file = file
    self.meta = meta
    self.buffer = buffer
    pageSize = meta.pageSize
    seen = BitSet(count: Int(meta.lastPage))
    for page in 0...1 { _ = seen.insert(page) }
  }

  private mutating func walk(
    _ tree: PageMeta.Tree, holdsFreePages: Bool
  ) throws(PageFault) {
    guard tree.root != PageMeta.Tree.noRoot else { return }
    guard tree.depth > 0, tree.depth <= LMDBPage.maxDepth else {
      throw PageFault("a tree is \(tree.depth) pages deep")
    }
    try visit(tree.root, depth: 1, of: tree.depth, holdsFreePages: holdsFreePages)
  }

  private mutating func visit(
    _ number: UInt64, depth: Int, of most: Int, holdsFreePages: Bool
  ) throws(PageFault) {
    try markUsed(number, count: 1)
    assert(depth > 0 && depth <= most && most <= LMDBPage.maxDepth, "no page for the level")
    let page = buffer + depth * pageSize
    guard pread(file, page, pageSize, off_t(number) * off_t(pageSize)) == pageSize else {
      throw PageFault("page \(number) cannot be read")
    }
    let flags = page.load(fromByteOffset: LMDBPage.flagsOffset, as: UInt16.self)
    let lower = Int(page.load(fromByteOffset: LMDBPage.lowerOffset, as: UInt16.self))
    let upper = Int(page.load(fromByteOffset: LMDBPage.upperOffset, as: UInt16.self))
    guard page.load(as: UInt64.self) == number,
      flags == (depth < most ? LMDBPage.branchFlag : LMDBPage.leafFlag),
      lower > LMDBPage.headerSize, lower & 1 == 0, lower <= upper, upper <= pageSize
    else { throw PageFault("page \(number) does not match the entry for it in its parent page") }
    for slot in stride(from: LMDBPage.headerSize, to: lower, by: 2) {
      let node = Int(page.load(fromByteOffset: slot, as: UInt16.self))
      guard node >= upper, node & 1 == 0, node + LMDBPage.nodeSize <= pageSize else {
        throw PageFault("page \(number) has a node that ends outside of it")
      }
      let size =
        UInt64(page.load(fromByteOffset: node, as: UInt16.self))
        | UInt64(page.load(fromByteOffset: node + 2, as: UInt16.self)) << 16
      let flags = page.load(fromByteOffset: node + LMDBPage.nodeFlagsOffset, as: UInt16.self)
      if depth < most {
        try visit(
          size | UInt64(flags) << 32, depth: depth + 1, of: most, holdsFreePages: holdsFreePages)
      } else {
        let value =
          node + LMDBPage.nodeSize
          + Int(page.load(fromByteOffset: node + LMDBPage.keySizeOffset, as: UInt16.self))
        let isBig = flags & LMDBPage.bigDataFlag != 0
        guard value + (isBig ? 8 : Int(size)) <= pageSize else {
          throw PageFault("page \(number) has a node that ends outside of it")
        }
        let far = isBig ? page.loadUnaligned(fromByteOffset: value, as: UInt64.self) : nil
        try check(page + value, size: Int(size), far: far, holdsFreePages: holdsFreePages)
      }
    }
  }

  private mutating func check(
    _ value: UnsafeMutableRawPointer, size: Int, far: UInt64?, holdsFreePages: Bool
  ) throws(PageFault) {
    guard let far else {
      if holdsFreePages { try markFree(UnsafeRawBufferPointer(start: value, count: size)) }
      return
    }
    let count = LMDBPage.pageCount(forValueOf: size, pageSize: pageSize)
    try markUsed(far, count: count)
    guard holdsFreePages else { return }
    guard let bytes = FileBytes(file, at: Int(far) * pageSize, count: count * pageSize) else {
      throw PageFault("page \(far) cannot be read")
    }
    try TreePage.checkOverflow(bytes, number: far, count: count)
    let list = (0..<size / 8).map { bytes.load(UInt64.self, at: LMDBPage.headerSize + 8 * $0) }
    let result = list.withUnsafeBytes { list in
      Result { () throws(PageFault) in try markFree(list) }
    }
    try result.get()
  }

  /// Marks the pages of one list of free pages: their count, then their numbers in descending
  /// order.
  private mutating func markFree(_ list: UnsafeRawBufferPointer) throws(PageFault) {
    guard list.count >= 8 else { throw PageFault("a list of free pages is truncated") }
    let count = list.loadUnaligned(as: UInt64.self)
    guard count < UInt64(list.count / 8) else {
      throw PageFault("a list of free pages is truncated")
    }
    var last = UInt64.max
    for index in 0..<Int(count) {
      let number = list.loadUnaligned(fromByteOffset: 8 + index * 8, as: UInt64.self)
      guard number < last else { throw PageFault("a list of free pages is out of order") }
      last = number
      try markUsed(number, count: 1)
    }
  }

  /// Marks pages as in use or free.
  private mutating func markUsed(_ number: UInt64, count: Int) throws(PageFault) {
    guard number <= meta.lastPage, UInt64(count) <= meta.lastPage + 1 - number else {
      throw PageFault("a page points to page \(number), which does not exist")
    }
    for page in Int(number)..<Int(number) + count {
      guard seen.insert(page) else { throw PageFault("page \(page) is used twice") }
    }
  }
}

/// The pages of a file as LMDB has mapped them, for a write transaction.
struct MappedPages {
  private let base: UInt
  private let size: UInt
  private let pageSize: UInt

  private static let headerSize = UInt(LMDBPage.headerSize)

  /// - Parameters:
  ///   - value: a value on a leaf that the transaction has not changed and `WriterCheck` has
  ///     checked.
  ///   - size: the bytes of the file as the last commit left it.
  /// - Returns: nil if the system's pages are smaller than the file's, which then need not be
  ///   aligned.
  init?(around value: UnsafeRawBufferPointer, pageSize: Int, size: Int) {
    guard let start = value.baseAddress, pageSize <= sysconf(Int32(_SC_PAGESIZE)) else {
      return nil
    }
    let page = UInt(bitPattern: start) & ~UInt(pageSize - 1)
    guard let head = UnsafeRawPointer(bitPattern: page) else { return nil }
    let number = UInt(head.load(as: UInt64.self))
    guard number < UInt(size / pageSize) else { return nil }
    base = page - number * UInt(pageSize)
    self.size = UInt(size)
    self.pageSize = UInt(pageSize)
  }

  /// Whether the page count of a value with pages of its own is plausible, because LMDB frees as
  /// many.
  func areSound(_ value: UnsafeRawBufferPointer) -> Bool {
    let start = UInt(bitPattern: value.baseAddress)
    // Other addresses are pages that the transaction has written. On a leaf no value is so near to
    // the start of the page.
    guard start >= base, start - base < size, (start - base) % pageSize == Self.headerSize,
      let head = UnsafeRawPointer(bitPattern: start - Self.headerSize)
    else { return true }
    let number = (start - base) / pageSize
    let pages = UInt(head.load(fromByteOffset: LMDBPage.pageCountOffset, as: UInt32.self))
    return head.load(as: UInt64.self) == UInt64(number)
      && head.load(fromByteOffset: LMDBPage.flagsOffset, as: UInt16.self) == LMDBPage.overflowFlag
      && pages >= (Self.headerSize + UInt(value.count) + pageSize - 1) / pageSize
      && pages <= size / pageSize - number
  }
}
