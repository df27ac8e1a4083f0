import CairnStorage

/// One chunk of a column as it is in one state of a session, and which of its rows live.
struct ChunkView {
  /// Stands first: whoever reads a number alone looks at no more.
  let numbers: NumbersView
  let chunk: Chunk

  init(time: Int, rowCount: Int, liveness: UnsafePointer<UInt64>?, chunk: Chunk) {
    numbers = NumbersView(
      time: time, rowCount: rowCount, liveness: liveness, codes: chunk.codes, frame: chunk.frame,
      width: chunk.width, isDoubles: chunk.encoding == .doubles)
    self.chunk = chunk
  }
}

/// What reading a number of a chunk takes.
struct NumbersView {
  /// The state of the session, by its clock.
  let time: Int
  /// Rows of the chunk that exist.
  let rowCount: Int
  /// Bit set: the row lives; nil when every row does.
  let liveness: UnsafePointer<UInt64>?
  let codes: UnsafeRawPointer
  let frame: Int64
  let width: Int
  /// Whether the codes are doubles as they are.
  let isDoubles: Bool

  /// Whether the row exists and was not deleted.
  @inline(__always)
  func holds(_ row: Int) -> Bool {
    guard row < rowCount else { return false }
    guard let liveness else { return true }
    return liveness[row &>> 6] &>> UInt64(truncatingIfNeeded: row & 63) & 1 != 0
  }

  /// The integer of a row of a column of integers.
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

/// The chunks of a class that properties were read from: the next read of one finds it without counting a reference.
///
/// A view is good as long as the clock of the session stands still.
struct ChunkCache {
  private typealias View = UnsafeMutablePointer<ChunkView>
  /// How many views there is room for, and behind that the views.
  private typealias Block = UnsafeMutablePointer<Int>

  /// The time of the session, and behind it the thread on which its caller was checked last.
  let clock: UnsafePointer<Int>
  private let blocks: UnsafeMutablePointer<Block?>
  let columnCount: Int

  init(columns: Int, clock: UnsafePointer<Int>) {
    self.clock = clock
    columnCount = columns
    blocks = .allocate(capacity: max(columns, 1))
    blocks.initialize(repeating: nil, count: max(columns, 1))
  }

  /// The view of a chunk; nil when it was taken at another time, or never, and where the caller was not checked on its
  /// thread.
  ///
  /// - Parameter thread: `Caller.thread`, asked for before the cache is: it is a call, and behind one the compiler counts
  ///   references to everything that is used later.
  @inline(__always)
  func view(_ column: Int, _ chunk: Int, on thread: UInt) -> UnsafeMutablePointer<ChunkView>? {
    numbers(column, chunk, on: thread).flatMap {
      View(mutating: UnsafeRawPointer($0).assumingMemoryBound(to: ChunkView.self))
    }
  }

  /// The same, as far as it takes to read a number.
  @inline(__always)
  func numbers(_ column: Int, _ chunk: Int, on thread: UInt) -> UnsafePointer<NumbersView>? {
    UInt(bitPattern: clock[1]) == thread ? numbersForAnyThread(column, chunk) : nil
  }

  /// The view of a chunk of a frozen class.
  @inline(__always)
  func viewForAnyThread(_ column: Int, _ chunk: Int) -> UnsafeMutablePointer<ChunkView>? {
    numbersForAnyThread(column, chunk).flatMap {
      View(mutating: UnsafeRawPointer($0).assumingMemoryBound(to: ChunkView.self))
    }
  }

  @inline(__always)
  private func numbersForAnyThread(_ column: Int, _ chunk: Int) -> UnsafePointer<NumbersView>? {
    guard let block = blocks[column], chunk < block[0],
      let view = UnsafePointer<NumbersView>(bitPattern: block[chunk &+ 1]),
      view.pointee.time == clock.pointee
    else { return nil }
    return view
  }

  /// Keeps a view.
  func keep(_ fresh: ChunkView, _ column: Int, _ chunk: Int) -> UnsafeMutablePointer<ChunkView> {
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

  /// The block of a column, with room for a chunk. Blocks only grow while someone writes, alone.
  private func block(_ column: Int, holding chunk: Int) -> Block {
    let old = blocks[column]
    let room = old?[0] ?? 0
    if let old, chunk < room { return old }
    let wanted = max(chunk + 1, room * 2, 16)
    let block = Block.allocate(capacity: wanted + 1)
    block.initialize(repeating: 0, count: wanted + 1)
    if let old {
      (block + 1).update(from: old + 1, count: room)
      old.deallocate()
    }
    block[0] = wanted
    blocks[column] = block
    return block
  }

  /// Frees the memory; nobody may use the cache after that.
  func free() {
    for column in 0..<columnCount {
      guard let block = blocks[column] else { continue }
      for place in 1...block[0] { View(bitPattern: block[place])?.deallocate() }
      block.deallocate()
    }
    blocks.deallocate()
  }
}
