import CairnSystem

/// A branch or a leaf of an LMDB tree whose nodes lie within the page and do not overlap.
struct TreePage {
  let bytes: FileBytes
  let number: UInt64
  let isBranch: Bool
  /// The offset of each node, in key order.
  private let nodes: [Int]

  /// The location of a leaf node's value: in the page, or on pages of its own.
  struct Value {
    let size: Int
    let offset: Int
    let page: UInt64?
  }

  var count: Int { nodes.count }

  init(_ bytes: FileBytes, number: UInt64, size: Int) throws(PageFault) {
    self.bytes = bytes
    self.number = number
    let flags = bytes.load(UInt16.self, at: LMDBPage.flagsOffset)
    let lower = Int(bytes.load(UInt16.self, at: LMDBPage.lowerOffset))
    let upper = Int(bytes.load(UInt16.self, at: LMDBPage.upperOffset))
    isBranch = flags == LMDBPage.branchFlag
    guard bytes.load(UInt64.self, at: 0) == number, isBranch || flags == LMDBPage.leafFlag,
      lower >= LMDBPage.headerSize, lower & 1 == 0, lower <= upper, upper <= size
    else { throw PageFault("page \(number) does not match the entry for it in its parent page") }
    nodes = (0..<(lower - LMDBPage.headerSize) / 2).map {
      Int(bytes.load(UInt16.self, at: LMDBPage.headerSize + 2 * $0))
    }
    try checkNodes(from: upper, to: size)
  }

  /// Checks that the nodes fill the page from `start` to its end, without a gap.
  private func checkNodes(from start: Int, to end: Int) throws(PageFault) {
    var next = start
    for node in nodes.sorted() {
      guard node == next, node + LMDBPage.nodeSize <= end, node & 1 == 0 else {
        throw fault("has nodes that overlap")
      }
      let size = LMDBPage.nodeSize + keySize(node) + (isBranch ? 0 : storedSize(node))
      next = node + (size + 1) & ~1
      guard node + size <= end else { throw fault("has a node that ends outside of it") }
    }
    guard next == end else { throw fault("has a gap between its nodes") }
  }

  private func keySize(_ node: Int) -> Int {
    Int(bytes.load(UInt16.self, at: node + LMDBPage.keySizeOffset))
  }

  private func dataSize(_ node: Int) -> Int {
    Int(bytes.load(UInt16.self, at: node)) | Int(bytes.load(UInt16.self, at: node + 2)) << 16
  }

  private func isBig(_ node: Int) -> Bool {
    bytes.load(UInt16.self, at: node + LMDBPage.nodeFlagsOffset) == LMDBPage.bigDataFlag
  }

  /// The number of bytes after the key of a leaf node.
  private func storedSize(_ node: Int) -> Int { isBig(node) ? 8 : dataSize(node) }

  /// The key of a node. The key of a branch's first node means nothing.
  func key(_ index: Int) -> [UInt8] {
    let start = nodes[index] + LMDBPage.nodeSize
    return bytes.copy(start..<start + keySize(nodes[index]))
  }

  /// The page below a node of a branch.
  func child(_ index: Int) -> UInt64 {
    let node = nodes[index]
    return UInt64(dataSize(node)) | UInt64(
      bytes.load(UInt16.self, at: node + LMDBPage.nodeFlagsOffset)) << 32
  }

  /// The value of a node of a leaf.
  func value(_ index: Int) -> Value {
    let node = nodes[index]
    let offset = node + LMDBPage.nodeSize + keySize(node)
    return Value(
      size: dataSize(node), offset: offset,
      page: isBig(node) ? bytes.load(UInt64.self, at: offset) : nil)
  }

  /// Throws unless the keys ascend and lie between those of the parent page.
  func checkKeys(
    from low: [UInt8]?, to high: [UInt8]?, asNumbers: Bool
  ) throws(PageFault) {
    var last = low
    for index in (isBranch ? 1 : 0)..<max(count, isBranch ? 1 : 0) {
      let key = key(index)
      let isFirst = index == (isBranch ? 1 : 0)
      guard asNumbers ? key.count == 8 : (1...511).contains(key.count),
        isBranch || hasKnownFlags(index)
      else {
        throw fault("has a key of \(key.count) bytes, or a value of an unknown kind")
      }
      if let last {
        let order = Self.order(last, b: key, asNumbers: asNumbers)
        guard order < 0 || (order == 0 && isFirst && !isBranch) else {
          throw fault("has keys out of order")
        }
      }
      last = key
    }
    if let last, let high, count > 0, Self.order(last, b: high, asNumbers: asNumbers) >= 0 {
      throw fault("has keys out of order")
    }
  }

  private func hasKnownFlags(_ index: Int) -> Bool {
    bytes.load(UInt16.self, at: nodes[index] + LMDBPage.nodeFlagsOffset) & ~LMDBPage.bigDataFlag
      == 0
  }

  /// The order of two keys; negative if `a` comes first.
  private static func order(_ a: [UInt8], b: [UInt8], asNumbers: Bool) -> Int {
    let (x, y) = asNumbers ? (a.reversed(), b.reversed()) : (a, b)
    if x == y { return 0 }
    return x.withUnsafeBytes { x in y.withUnsafeBytes { x.precedes($0) } } ? -1 : 1
  }

  /// Throws unless a value of `count` pages begins here.
  static func checkOverflow(
    _ bytes: FileBytes, number: UInt64, count: Int
  ) throws(PageFault) {
    guard bytes.load(UInt64.self, at: 0) == number,
      bytes.load(UInt16.self, at: LMDBPage.flagsOffset) == LMDBPage.overflowFlag,
      Int(bytes.load(UInt32.self, at: LMDBPage.pageCountOffset)) == count
    else { throw PageFault("page \(number) does not hold the value that its leaf refers to") }
  }

  func fault(_ what: String) -> PageFault { PageFault("page \(number) \(what)") }
}
