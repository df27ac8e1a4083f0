#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Checks, before a process writes to a file for the first time, the pages that LMDB follows and frees.
///
/// LMDB believes what the head of a page says of its number and length. Where pages are exchanged it frees other pages
/// than it gave up, and lists of free pages that lead back to themselves keep it busy until there is no memory left. The
/// check reads branches, leaves and lists of free pages, each once; values on pages of their own are checked when they
/// are replaced (`MappedPages`).
struct WriterCheck {
  private let file: Int32
  private let meta: PageMeta
  private let pageSize: Int
  /// Bit set: the page is in a tree, or free.
  private var seen: [UInt64]
  /// A page for each level of a tree.
  private let buffer: UnsafeMutableRawPointer

  private static let mostDepth = 32
  private static let headerSize = 16
  private static let branchFlag: UInt16 = 1
  private static let leafFlag: UInt16 = 2
  private static let bigDataFlag: UInt16 = 1

  /// Checks the last commit of a file that nobody else writes to meanwhile.
  static func run(_ file: Int32) throws(PageFault) {
    var info = stat()
    guard fstat(file, &info) == 0, let pair = PageMeta.pair(file) else {
      throw PageFault("its two heads do not fit together")
    }
    let meta = pair[0].version > pair[1].version ? pair[0] : pair[1]
    guard meta.lastPage < UInt64(Int(info.st_size) / meta.pageSize) + 1 << 32 else {
      throw PageFault("the number of its pages is \(meta.lastPage)")
    }
    let buffer = UnsafeMutableRawPointer.allocate(
      byteCount: meta.pageSize * (mostDepth + 1), alignment: 16)
    defer { buffer.deallocate() }
    var check = WriterCheck(file, meta, buffer)
    try check.walk(meta.main, holdsFreePages: false)
    try check.walk(meta.free, holdsFreePages: true)
  }

  private init(_ file: Int32, _ meta: PageMeta, _ buffer: UnsafeMutableRawPointer) {
    self.file = file
    self.meta = meta
    self.buffer = buffer
    pageSize = meta.pageSize
    seen = [UInt64](repeating: 0, count: Int(meta.lastPage) / 64 + 1)
    seen[0] = 3
  }

  private mutating func walk(
    _ tree: PageMeta.Tree, holdsFreePages: Bool
  ) throws(PageFault) {
    guard tree.root != PageMeta.Tree.noRoot else { return }
    guard tree.depth > 0, tree.depth <= Self.mostDepth else {
      throw PageFault("a tree is \(tree.depth) pages deep")
    }
    try visit(tree.root, depth: 1, of: tree.depth, holdsFreePages)
  }

  private mutating func visit(
    _ number: UInt64, depth: Int, of most: Int, _ holdsFreePages: Bool
  ) throws(PageFault) {
    try take(number, count: 1)
    let page = buffer + depth * pageSize
    guard pread(file, page, pageSize, off_t(number) * off_t(pageSize)) == pageSize else {
      throw PageFault("page \(number) cannot be read")
    }
    let flags = page.load(fromByteOffset: 10, as: UInt16.self)
    let lower = Int(page.load(fromByteOffset: 12, as: UInt16.self))
    let upper = Int(page.load(fromByteOffset: 14, as: UInt16.self))
    guard page.load(as: UInt64.self) == number,
      flags == (depth < most ? Self.branchFlag : Self.leafFlag),
      lower > Self.headerSize, lower & 1 == 0, lower <= upper, upper <= pageSize
    else { throw PageFault("page \(number) is not what the page above takes it for") }
    for slot in stride(from: Self.headerSize, to: lower, by: 2) {
      let node = Int(page.load(fromByteOffset: slot, as: UInt16.self))
      guard node >= upper, node & 1 == 0, node + 8 <= pageSize else {
        throw PageFault("page \(number) has a node that ends outside it")
      }
      let size =
        UInt64(page.load(fromByteOffset: node, as: UInt16.self))
        | UInt64(page.load(fromByteOffset: node + 2, as: UInt16.self)) << 16
      let flags = page.load(fromByteOffset: node + 4, as: UInt16.self)
      if depth < most {
        try visit(size | UInt64(flags) << 32, depth: depth + 1, of: most, holdsFreePages)
      } else {
        let value = node + 8 + Int(page.load(fromByteOffset: node + 6, as: UInt16.self))
        let isBig = flags & Self.bigDataFlag != 0
        guard value + (isBig ? 8 : Int(size)) <= pageSize else {
          throw PageFault("page \(number) has a node that ends outside it")
        }
        let far = isBig ? page.loadUnaligned(fromByteOffset: value, as: UInt64.self) : nil
        try check(page + value, size: Int(size), far: far, holdsFreePages)
      }
    }
  }

  private mutating func check(
    _ value: UnsafeMutableRawPointer, size: Int, far: UInt64?, _ holdsFreePages: Bool
  ) throws(PageFault) {
    guard let far else {
      if holdsFreePages { try takeFree(UnsafeRawBufferPointer(start: value, count: size)) }
      return
    }
    let count = (Self.headerSize - 1 + size) / pageSize + 1
    try take(far, count: count)
    guard holdsFreePages else { return }
    guard let bytes = FileBytes(file, at: Int(far) * pageSize, count: count * pageSize) else {
      throw PageFault("page \(far) cannot be read")
    }
    try TreePage.checkOverflow(bytes, number: far, count: count)
    let list = (0..<size / 8).map { bytes.load(UInt64.self, at: Self.headerSize + 8 * $0) }
    let result = list.withUnsafeBytes { list in
      Result { () throws(PageFault) in try takeFree(list) }
    }
    try result.get()
  }

  /// Takes the numbers of one list of free pages: their count, then the numbers, falling.
  private mutating func takeFree(_ list: UnsafeRawBufferPointer) throws(PageFault) {
    guard list.count >= 8 else { throw PageFault("a list of free pages ends early") }
    let count = list.loadUnaligned(as: UInt64.self)
    guard count < UInt64(list.count / 8) else { throw PageFault("a list of free pages ends early") }
    var last = UInt64.max
    for index in 0..<Int(count) {
      let number = list.loadUnaligned(fromByteOffset: 8 + index * 8, as: UInt64.self)
      guard number < last else { throw PageFault("a list of free pages is out of order") }
      last = number
      try take(number, count: 1)
    }
  }

  /// Notes that pages are in use or free.
  private mutating func take(_ number: UInt64, count: Int) throws(PageFault) {
    guard number <= meta.lastPage, UInt64(count) <= meta.lastPage + 1 - number else {
      throw PageFault("a page points to page \(number), which there is not")
    }
    for page in Int(number)..<Int(number) + count {
      let bit = UInt64(1) << UInt64(page & 63)
      guard seen[page >> 6] & bit == 0 else {
        throw PageFault("page \(page) is in use twice")
      }
      seen[page >> 6] |= bit
    }
  }
}

/// The pages of a file as LMDB has mapped them, for a write transaction.
struct MappedPages {
  private let base: UInt
  private let size: UInt
  private let pageSize: UInt

  private static let headerSize: UInt = 16
  private static let overflowFlag: UInt16 = 4

  /// - Parameters:
  ///   - value: one on a leaf that the transaction has not changed, and `WriterCheck` has seen.
  ///   - size: bytes of the file as the last commit left it.
  /// - Returns: nil where the system's pages are smaller than the file's, which then need not be aligned.
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

  /// Whether the pages of a value's own, if it has any, are those that their head says: LMDB frees as many.
  func areSound(_ value: UnsafeRawBufferPointer) -> Bool {
    let start = UInt(bitPattern: value.baseAddress)
    // Elsewhere are pages that the transaction has written; on a leaf no value stands so near to the page's start.
    guard start >= base, start - base < size, (start - base) % pageSize == Self.headerSize,
      let head = UnsafeRawPointer(bitPattern: start - Self.headerSize)
    else { return true }
    let number = (start - base) / pageSize
    let pages = UInt(head.load(fromByteOffset: 12, as: UInt32.self))
    return head.load(as: UInt64.self) == UInt64(number)
      && head.load(fromByteOffset: 10, as: UInt16.self) == Self.overflowFlag
      && pages >= (Self.headerSize + UInt(value.count) + pageSize - 1) / pageSize
      && pages <= size / pageSize - number
  }
}
