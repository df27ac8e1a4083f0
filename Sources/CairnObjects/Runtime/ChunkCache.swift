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
  /// The number of rows in the chunk, deleted ones included.
  let rowCount: Int
  /// The live-row bitmap: a set bit is a live row; nil if every row is live.
  let liveRowBitmap: UnsafePointer<UInt64>?
  let codes: UnsafeRawPointer
  let frame: Int64
  let width: Int
  /// Whether the codes are plain doubles.
  let isDoubles: Bool

  /// Whether the row exists and was not deleted.
  @inline(__always)
  func holds(_ row: Int) -> Bool {
    guard row < rowCount else { return false }
    guard let liveRowBitmap else { return true }
    return liveRowBitmap[row &>> 6] &>> UInt64(truncatingIfNeeded: row & 63) & 1 != 0
  }

  /// The integer of a row in a column of integers.
  @inline(__always)
  func int(_ row: Int) -> Int64 {
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
/// A view is valid until the session's clock ticks.
struct ChunkCache {
  private typealias View = UnsafeMutablePointer<ChunkView>
  /// The capacity in views, followed by the views.
  private typealias Block = UnsafeMutablePointer<Int>

  /// The time of the session, followed by the thread on which its caller was last checked.
  let clock: UnsafePointer<Int>
  private let blocks: UnsafeMutablePointer<Block?>
  let columnCount: Int

  init(columns: Int, clock: UnsafePointer<Int>) {
    self.clock = clock
    columnCount = columns
    blocks = .allocate(capacity: max(columns, 1))
    blocks.initialize(repeating: nil, count: max(columns, 1))
  }

  /// The view of a chunk; nil if the cache has no view of the present time, or the caller was last
  /// checked on another thread.
  ///
  /// - Parameter thread: `Caller.thread`. Read it before the cache: it is a call, and after a call
  ///   the compiler counts references to everything that is used later.
  @inline(__always)
  func view(_ column: Int, chunk: Int, on thread: UInt) -> UnsafeMutablePointer<ChunkView>? {
    numbers(column, chunk: chunk, on: thread).flatMap {
      View(mutating: UnsafeRawPointer($0).assumingMemoryBound(to: ChunkView.self))
    }
  }

  /// The part of the view that reading a number takes.
  @inline(__always)
  func numbers(_ column: Int, chunk: Int, on thread: UInt) -> UnsafePointer<NumbersView>? {
    UInt(bitPattern: clock[1]) == thread ? numbersForAnyThread(column, chunk: chunk) : nil
  }

  /// The view of a chunk of a frozen class.
  @inline(__always)
  func viewForAnyThread(_ column: Int, chunk: Int) -> UnsafeMutablePointer<ChunkView>? {
    numbersForAnyThread(column, chunk: chunk).flatMap {
      View(mutating: UnsafeRawPointer($0).assumingMemoryBound(to: ChunkView.self))
    }
  }

  @inline(__always)
  private func numbersForAnyThread(_ column: Int, chunk: Int) -> UnsafePointer<NumbersView>? {
    guard let block = blocks[column], chunk < block[0],
      let view = UnsafePointer<NumbersView>(bitPattern: block[chunk &+ 1]),
      view.pointee.time == clock.pointee
    else { return nil }
    return view
  }

  /// Stores a view, and returns its address in the cache.
  func keep(_ fresh: ChunkView, column: Int, chunk: Int) -> UnsafeMutablePointer<ChunkView> {
    let block = block(column, holding: chunk)
    if let old = View(bitPattern: block[chunk + 1]) {
      old.pointee = fresh
      return old
    }
    let view = View.allocate(capacity: 1)
    view.initialize(to: fresh)
    block[chunk + 1] = Int(bitPattern: view)
    return view
  }

  /// The block of a column, grown to hold the chunk. A block may grow safely, because only one
  /// caller at a time fills the cache.
  private func block(_ column: Int, holding chunk: Int) -> Block {
    let old = blocks[column]
    let capacity = old?[0] ?? 0
    if let old, chunk < capacity { return old }
    let wanted = max(chunk + 1, capacity * 2, 16)
    let block = Block.allocate(capacity: wanted + 1)
    block.initialize(repeating: 0, count: wanted + 1)
    if let old {
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
      guard let block = blocks[column] else { continue }
      for index in 1...block[0] { View(bitPattern: block[index])?.deallocate() }
      block.deallocate()
    }
    blocks.deallocate()
  }
}
