import CairnSystem
internal import CairnValues

/// The work of a thread on each block.
typealias BlockHandler<Product> = (InputBlock) throws(ParseAbort) -> Product

/// The result of a pass over the files.
///
/// A pass assumes the types that the first blocks of each file have. A later value may contradict
/// them, which is not an error: the import infers the types of the whole input and starts a second
/// pass. So most files are read in full only once.
enum PassResult<Value> {
  /// The pass read all blocks.
  case finished(Value)
  /// A value does not have the type that was inferred for its column.
  case contradicted(column: String)

  /// Returns the result with the value of a finished pass transformed.
  func map<R>(_ transform: (Value) throws(ParseAbort) -> R) throws(ParseAbort) -> PassResult<R> {
    switch self {
    case .finished(let value): .finished(try transform(value))
    case .contradicted(let column): .contradicted(column: column)
    }
  }
}

/// Processes every block of some files on several threads.
struct BlockRun: Sendable {
  let sources: [ImportSource]
  let threads: Int
  let blockSize: Int
  /// The most blocks of each file; the rest is not read.
  var limit = Int.max
  /// The rows of the files that are read.
  var selection = RowSelection()
  /// Ends the run with an error when it is cancelled.
  var cancellation = Cancellation()

  private struct Outcome<Product: Sendable>: Sendable {
    var products: [(number: Int, product: Product)] = []
    /// The earliest known block that failed.
    var stop: (number: Int, reason: ParseAbort)?
  }

  /// Processes the blocks. Returns the products in block order, and whether the whole input was
  /// read, or the contradiction if that is why the first block failed.
  ///
  /// - Throws: The error of the first block that failed, on whichever thread. Blocks are handed out
  ///   in order, so those before it are awaited.
  func run<Product: Sendable>(
    _ makeHandler: @escaping @Sendable () throws(ImportError) -> BlockHandler<Product>,
    progress: (Int64) -> Void
  ) throws(ParseAbort) -> PassResult<(products: [Product], isComplete: Bool)> {
    let queue = BlockQueue(
      sources, limit: limit, selection: selection, cancellation: cancellation)
    let outcome = Mutex(Outcome<Product>())
    let total = sources.reduce(0) { $0 + $1.input.size }
    let size = size(for: total)
    let others = min(threads - 1, Int(clamping: total / Int64(size)))
    Workers.run(others: max(0, others)) {
      Self.work(queue, outcome: outcome, size: size, makeHandler: makeHandler) { _ in }
    } own: {
      Self.work(queue, outcome: outcome, size: size, makeHandler: makeHandler, progress: progress)
    }
    let (products, stop) = outcome.withLock { ($0.products, $0.stop) }
    switch stop?.reason {
    case .contradiction(let column): return .contradicted(column: column)
    case let reason?: throw reason
    case nil:
      let sorted = products.sorted { $0.number < $1.number }.map(\.product)
      return .finished((sorted, queue.isComplete))
    }
  }

  /// Returns the size of a block in bytes. Blocks that fit in the processor's cache are fastest,
  /// but there must not be more of them than can be merged at once. Small inputs get smaller
  /// blocks, so that every thread has work.
  private func size(for total: Int64) -> Int {
    let quickest = max(Self.quickestSize, Int(clamping: total / Self.maxBlocks))
    let share = max(1 << 20, Int(clamping: total / Int64(max(1, threads) * 4)))
    return min(blockSize, quickest, share)
  }

  private static let quickestSize = 8 << 20
  private static let maxBlocks: Int64 = 128

  private static func work<Product: Sendable>(
    _ queue: BlockQueue, outcome: Mutex<Outcome<Product>>, size: Int,
    makeHandler: () throws(ImportError) -> BlockHandler<Product>, progress: (Int64) -> Void
  ) {
    let block = InputBlock(capacity: size)
    do throws(ParseAbort) {
      let handle = try ParseAbort.on(makeHandler)
      while try ParseAbort.on({ () throws(ImportError) in try queue.next(block) }) {
        let product = try handle(block)
        let number = block.number
        outcome.withLock { $0.products.append((number, product)) }
        progress(queue.bytesRead)
      }
    } catch {
      queue.stop()
      let number = block.number
      outcome.withLock {
        if number < $0.stop?.number ?? .max { $0.stop = (number, error) }
      }
    }
  }
}

/// Hands out the blocks of all files, in order, to any number of threads.
final class BlockQueue: Sendable {
  private struct State {
    var file = 0
    var splitter: (any BlockSplitter)?
    var number = 0
    /// The number of blocks handed out of the current file.
    var ofFile = 0
    var isStopped = false
    var bytesRead: Int64 = 0
    var isComplete = true
  }

  private let sources: [ImportSource]
  private let limit: Int
  private let selection: RowSelection
  private let cancellation: Cancellation
  private let state: Mutex<State>

  /// Creates a queue of the blocks of some files.
  ///
  /// - Parameters:
  ///   - limit: The most blocks to hand out of each file.
  ///   - selection: The rows of the files that are read.
  init(
    _ sources: [ImportSource], limit: Int, selection: RowSelection, cancellation: Cancellation
  ) {
    self.sources = sources
    self.limit = limit
    self.selection = selection
    self.cancellation = cancellation
    state = Mutex(State())
  }

  /// Reads the next block. Returns false after the last block.
  ///
  /// - Throws: An error, with `block.number` set to the number that the block would have had.
  func next(_ block: InputBlock) throws(ImportError) -> Bool {
    try state.withLock { (state) throws(ImportError) in
      block.number = state.number
      try cancellation.check()
      while !state.isStopped, state.file < sources.count {
        if try next(block, state: &state) { return true }
        state.file += 1
        state.splitter = nil
        state.ofFile = 0
      }
      return false
    }
  }

  private func next(_ block: InputBlock, state: inout State) throws(ImportError) -> Bool {
    let splitter = state.splitter ?? sources[state.file].makeSplitter(selection.rows[state.file])
    state.splitter = splitter
    guard state.ofFile < limit else {
      state.isComplete = false
      return false
    }
    block.file = state.file
    block.share = nil
    // A splitter that has thrown must not be called again, so the queue is stopped until it
    // returns.
    state.isStopped = true
    guard try splitter.next(into: block) else {
      state.isStopped = false
      return false
    }
    state.isStopped = false
    block.number = state.number
    state.number += 1
    state.ofFile += 1
    state.bytesRead += block.share ?? Int64(block.range.count)
    return true
  }

  /// Stops the queue: no further block is handed out.
  func stop() { state.withLock { $0.isStopped = true } }

  /// The number of bytes handed out.
  var bytesRead: Int64 { state.withLock { $0.bytesRead } }

  /// Whether the limit left nothing out.
  var isComplete: Bool { state.withLock { $0.isComplete } }
}
