/// A branch or a leaf of an LMDB tree, every node of which lies within the page and apart from the others.
struct TreePage {
  let bytes: FileBytes
  let number: UInt64
  let isBranch: Bool
  /// Where each node begins, in the order of the keys.
  private let nodes: [Int]

  static let headerSize = 16
  private static let nodeSize = 8
  private static let branchFlag: UInt16 = 1
  private static let leafFlag: UInt16 = 2
  private static let overflowFlag: UInt16 = 4
  private static let bigDataFlag: UInt16 = 1

  /// Where the value of a leaf's node stands: in the page, or on pages of its own.
  struct Value {
    let size: Int
    let offset: Int
    let page: UInt64?
  }

  var count: Int { nodes.count }

  init(_ bytes: FileBytes, number: UInt64, size: Int) throws(PageFault) {
    self.bytes = bytes
    self.number = number
    let flags = bytes.load(UInt16.self, at: 10)
    let lower = Int(bytes.load(UInt16.self, at: 12))
    let upper = Int(bytes.load(UInt16.self, at: 14))
    isBranch = flags == Self.branchFlag
    guard bytes.load(UInt64.self, at: 0) == number, isBranch || flags == Self.leafFlag,
      lower >= Self.headerSize, lower & 1 == 0, lower <= upper, upper <= size
    else { throw PageFault("page \(number) is not what the page above takes it for") }
    nodes = (0..<(lower - Self.headerSize) / 2).map {
      Int(bytes.load(UInt16.self, at: Self.headerSize + 2 * $0))
    }
    try checkNodes(from: upper, to: size)
  }

  /// Nodes fill the page from `start` to its end, without a gap.
  private func checkNodes(from start: Int, to end: Int) throws(PageFault) {
    var next = start
    for node in nodes.sorted() {
      guard node == next, node + Self.nodeSize <= end, node & 1 == 0 else {
        throw fault("has nodes that overlap")
      }
      let size = Self.nodeSize + keySize(node) + (isBranch ? 0 : storedSize(node))
      next = node + (size + 1) & ~1
      guard node + size <= end else { throw fault("has a node that ends outside it") }
    }
    guard next == end else { throw fault("has a gap between its nodes") }
  }

  private func keySize(_ node: Int) -> Int { Int(bytes.load(UInt16.self, at: node + 6)) }

  private func dataSize(_ node: Int) -> Int {
    Int(bytes.load(UInt16.self, at: node)) | Int(bytes.load(UInt16.self, at: node + 2)) << 16
  }

  private func isBig(_ node: Int) -> Bool {
    bytes.load(UInt16.self, at: node + 4) == Self.bigDataFlag
  }

  /// Bytes behind the key of a leaf's node.
  private func storedSize(_ node: Int) -> Int { isBig(node) ? 8 : dataSize(node) }

  /// The key of a node; that of a branch's first one means nothing.
  func key(_ index: Int) -> [UInt8] {
    let node = nodes[index]
    return (0..<keySize(node)).map { bytes.load(UInt8.self, at: node + Self.nodeSize + $0) }
  }

  /// The page below a node of a branch.
  func child(_ index: Int) -> UInt64 {
    let node = nodes[index]
    return UInt64(dataSize(node)) | UInt64(bytes.load(UInt16.self, at: node + 4)) << 32
  }

  /// The value of a node of a leaf.
  func value(_ index: Int) -> Value {
    let node = nodes[index]
    let offset = node + Self.nodeSize + keySize(node)
    return Value(
      size: dataSize(node), offset: offset,
      page: isBig(node) ? bytes.load(UInt64.self, at: offset) : nil)
  }

  /// Throws unless the keys rise, and lie between those of the page above.
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
        throw fault("has a key of \(key.count) bytes, or a value of a kind that no store has")
      }
      if let last {
        let order = Self.order(last, key, asNumbers)
        guard order < 0 || (order == 0 && isFirst && !isBranch) else {
          throw fault("has keys out of order")
        }
      }
      last = key
    }
    if let last, let high, count > 0, Self.order(last, high, asNumbers) >= 0 {
      throw fault("has keys out of order")
    }
  }

  private func hasKnownFlags(_ index: Int) -> Bool {
    bytes.load(UInt16.self, at: nodes[index] + 4) & ~Self.bigDataFlag == 0
  }

  /// Negative where `a` comes first.
  private static func order(_ a: [UInt8], _ b: [UInt8], _ asNumbers: Bool) -> Int {
    let (x, y) = asNumbers ? (a.reversed(), b.reversed()) : (a, b)
    if x == y { return 0 }
    return x.lexicographicallyPrecedes(y) ? -1 : 1
  }

  /// Throws unless a value of `count` pages begins here.
  static func checkOverflow(
    _ bytes: FileBytes, number: UInt64, count: Int
  ) throws(PageFault) {
    guard bytes.load(UInt64.self, at: 0) == number,
      bytes.load(UInt16.self, at: 10) == overflowFlag,
      Int(bytes.load(UInt32.self, at: 12)) == count
    else { throw PageFault("page \(number) does not hold the value that is looked for there") }
  }

  func fault(_ what: String) -> PageFault { PageFault("page \(number) \(what)") }
}
