import CairnStorage

/// One chunk of a column in one snapshot of a session, with the live-row bitmap of the chunk.
struct ChunkView {
  /// Comes first, because reading a number needs nothing else.
  let numbers: NumbersView
  let chunk: Chunk

  init(time: Int, rowCount: Int, liveRowBitmap: UnsafePointer<UInt64>?, chunk: Chunk) {
    numbers = NumbersView(
      time: time, rowCount: rowCount, liveRowBitmap: liveRowBitmap, codes: chunk.codes,
      frame: chunk.frame,
      width: chunk.width, isDoubles: chunk.encoding == .doubles)
    self.chunk = chunk
  }
}

/// The fields that reading a number of a chunk takes.
struct NumbersView {
  /// The time of the session's clock at which the view was taken.
  let time: Int
  /// The number of rows in the chunk if every row is live, otherwise 0.
  private let allLiveCount: Int
  /// The codes of the chunk. Valid until the session's clock ticks.
  let codes: UnsafeRawPointer
  let frame: Int64
  let width: Int
  /// Whether the codes are plain doubles.
  let isDoubles: Bool
  /// The number of rows in the chunk, deleted ones included.
  private let rowCount: Int
  /// The live-row bitmap: a set bit is a live row; nil if every row is live.
  private let liveRowBitmap: UnsafePointer<UInt64>?

  init(
    time: Int, rowCount: Int, liveRowBitmap: UnsafePointer<UInt64>?, codes: UnsafeRawPointer,
    frame: Int64, width: Int, isDoubles: Bool
  ) {
    self.time = time
    allLiveCount = liveRowBitmap == nil ? rowCount : 0
    self.codes = codes
    self.frame = frame
    self.width = width
    self.isDoubles = isDoubles
    self.rowCount = rowCount
    self.liveRowBitmap = liveRowBitmap
  }

  /// Whether the row exists and was not deleted.
  @inline(__always)
  func holds(_ row: Int) -> Bool {
    assert(row >= 0, "a row is outside of the chunk")
    if row < allLiveCount { return true }
    guard let liveRowBitmap, row < rowCount else { return false }
    return liveRowBitmap[row &>> 6] &>> UInt64(truncatingIfNeeded: row & 63) & 1 != 0
  }

  /// The integer of a row in a column of integers.
  @inline(__always)
  func int(_ row: Int) -> Int64 {
    assert(row >= 0 && row < rowCount, "a row is outside of the chunk")
    let code: UInt64 =
      switch width {
      case 0: 0
      case 1: UInt64(codes.load(fromByteOffset: row, as: UInt8.self))
      case 2: UInt64(codes.load(fromByteOffset: row &* 2, as: UInt16.self))
      case 4: UInt64(codes.load(fromByteOffset: row &* 4, as: UInt32.self))
      default: codes.load(fromByteOffset: row &* 8, as: UInt64.self)
      }
    return frame &+ Int64(bitPattern: code)
  }
}

/// The chunks of a class that properties were read from. The next read of a chunk finds it without
/// counting a reference.
///
/// A view is valid until the session's clock ticks. No address is null, because each test would cost
/// every read of a property: an unused column has a block of no chunks, and a chunk that was not read
/// has a view that is never valid.
struct ChunkCache {
  private typealias View = UnsafeMutablePointer<ChunkView>
  /// The capacity in views, followed by the addresses of the views.
  private typealias Block = UnsafeMutablePointer<Int>

  /// The time of the session, followed by the pointer of the thread on which its caller was last
  /// checked, and the address of that thread's `TrackingScope` word.
  let clock: UnsafePointer<Int>
  private let blocks: UnsafeMutablePointer<Block>
  let columnCount: Int

  // Sendable: the memory is written once and never changes.
  private nonisolated(unsafe) static let emptyBlock: Block = {
    let block = Block.allocate(capacity: 1)
    block.initialize(to: 0)
    return block
  }()
  // Sendable: the memory is written once and never changes.
  private nonisolated(unsafe) static let invalidView: UnsafePointer<NumbersView> = {
    let view = UnsafeMutablePointer<NumbersView>.allocate(capacity: 1)
    view.initialize(
      to: NumbersView(
        time: .min, rowCount: 0, liveRowBitmap: nil, codes: UnsafeRawPointer(emptyBlock), frame: 0,
        width: 0, isDoubles: false))
    return UnsafePointer(view)
  }()

  init(columns: Int, clock: UnsafePointer<Int>) {
    self.clock = clock
    columnCount = columns
    blocks = .allocate(capacity: max(columns, 1))
    blocks.initialize(repeating: Self.emptyBlock, count: max(columns, 1))
  }

  /// The view of a chunk; nil if the cache has no view of the present time, the caller was last
  /// checked on another thread, or the read may be tracked. Valid until the session's clock ticks.
  ///
  /// - Parameter thread: `Caller.threadPointer`. Read it before the cache: it is a call, and after a call
  ///   the compiler counts references to everything that is used later.
  @inline(__always)
  func view(_ column: Int, chunk: Int, on thread: UInt) -> UnsafeMutablePointer<ChunkView>? {
    numbers(column, chunk: chunk, on: thread).flatMap {
      View(mutating: UnsafeRawPointer($0).assumingMemoryBound(to: ChunkView.self))
    }
  }

  /// The part of the view that reading a number takes. Valid until the session's clock ticks.
  @inline(__always)
  func numbers(_ column: Int, chunk: Int, on thread: UInt) -> UnsafePointer<NumbersView>? {
    guard UInt(bitPattern: clock[1]) == thread, !TrackingScope.mayBeActive(wordAt: clock[2]) else {
      return nil
    }
    return numbersForAnyThread(column, chunk: chunk)
  }

  /// The view of a chunk of a frozen class. Valid while the session exists.
  @inline(__always)
  func viewForAnyThread(_ column: Int, chunk: Int) -> UnsafeMutablePointer<ChunkView>? {
    numbersForAnyThread(column, chunk: chunk).flatMap {
      View(mutating: UnsafeRawPointer($0).assumingMemoryBound(to: ChunkView.self))
    }
  }

  /// The part of the view of a chunk on any thread. Valid until the session's clock ticks.
  @inline(__always)
  private func numbersForAnyThread(_ column: Int, chunk: Int) -> UnsafePointer<NumbersView>? {
    assert(column >= 0 && column < columnCount, "the column does not exist")
    assert(chunk >= 0, "the chunk does not exist")
    let block = blocks[column]
    guard chunk < block[0] else { return nil }
    let view = UnsafeRawPointer(block + 1).load(
      fromByteOffset: chunk &* MemoryLayout<Int>.size, as: UnsafePointer<NumbersView>.self)
    return view.pointee.time == clock.pointee ? view : nil
  }

  /// Stores a view, and returns its address in the cache. Valid until the session's clock ticks.
  func keep(_ fresh: ChunkView, column: Int, chunk: Int) -> UnsafeMutablePointer<ChunkView> {
    let block = block(column, holding: chunk)
    if let old = madeView(block, chunk) {
      old.pointee = fresh
      return old
    }
    let view = View.allocate(capacity: 1)
    view.initialize(to: fresh)
    block[chunk + 1] = Int(bitPattern: view)
    return view
  }

  /// The view of a chunk, valid or not; nil if there has never been one.
  private func madeView(_ block: Block, _ chunk: Int) -> View? {
    assert(chunk >= 0 && chunk < block[0], "the chunk is outside of the block")
    let address = block[chunk + 1]
    return address == Int(bitPattern: Self.invalidView) ? nil : View(bitPattern: address)
  }

  /// The block of a column, grown to hold the chunk. A block may grow safely, because only one
  /// caller at a time fills the cache.
  private func block(_ column: Int, holding chunk: Int) -> Block {
    assert(column >= 0 && column < columnCount, "the column does not exist")
    assert(chunk >= 0, "the chunk does not exist")
    let old = blocks[column]
    let capacity = old[0]
    if chunk < capacity { return old }
    let wanted = max(chunk + 1, capacity * 2, 16)
    let block = Block.allocate(capacity: wanted + 1)
    block.initialize(repeating: Int(bitPattern: Self.invalidView), count: wanted + 1)
    if capacity > 0 {
      (block + 1).update(from: old + 1, count: capacity)
      old.deallocate()
    }
    block[0] = wanted
    blocks[column] = block
    return block
  }

  /// Frees the memory. The cache must not be used afterwards.
  func free() {
    for column in 0..<columnCount {
      let block = blocks[column]
      guard block[0] > 0 else { continue }
      for chunk in 0..<block[0] { madeView(block, chunk)?.deallocate() }
      block.deallocate()
    }
    blocks.deallocate()
  }
}
