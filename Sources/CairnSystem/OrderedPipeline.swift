/// Turns works into items on several threads, at most a few ahead, and passes the items to the caller
/// in the order of the works.
///
///     let pipeline = OrderedPipeline(ahead: 8, makers: makers)
///     defer { pipeline.stop() }
///     while let work = next() { try pipeline.add(work, consume) }
///     try pipeline.drain(consume)
package final class OrderedPipeline<Work, Item, Failure: Error>: @unchecked Sendable {
  // Sendable: `lock` guards what threads share. A work, an item and a maker are used by one thread at a
  // time; works and items are passed on under the lock.

  /// Makes the item of a work. It is used by one thread only.
  package typealias Maker = (Work) throws(Failure) -> Item

  private let lock = Lock()
  private let changed = ConditionVariable()
  private let ahead: Int
  private let makers: [Maker]
  private var workers: [JoinableThread] = []
  /// The number of works that were added, and of items that were taken.
  private var (given, taken) = (0, 0)
  /// The works that no thread has taken, the first one last.
  private var waiting: [(index: Int, work: Work)] = []
  private var ready: [Int: Result<Item, Failure>] = [:]
  private var isStopped = false

  /// Starts a thread for each maker. A single maker works on the calling thread, as does the first one
  /// if the system cannot start any thread.
  ///
  /// - Parameters:
  ///   - ahead: The most works and items that wait at a time, which bounds the memory.
  ///   - makers: One for each thread, at least one.
  package init(ahead: Int, makers: [Maker]) {
    precondition(!makers.isEmpty, "somebody has to make the items")
    self.ahead = max(1, ahead)
    self.makers = makers
    guard makers.count > 1 else { return }
    workers = makers.indices.compactMap { index in
      Threads.startIfPossible { self.make(with: self.makers[index]) }
    }
  }

  /// Adds a work. If too many wait, the first item is consumed.
  ///
  /// - Throws: The error of the maker of that item, or of `consume`.
  package func add(
    _ work: Work, _ consume: (Item) throws(Failure) -> Void
  ) throws(Failure) {
    guard !workers.isEmpty else { return try consume(try makers[0](work)) }
    guard given - taken >= ahead else { return give(work) }
    let item = try take()
    // The threads go on while the item is consumed.
    give(work)
    try consume(item)
  }

  /// Consumes all items that are left.
  ///
  /// - Throws: The first error in the order of the works, or that of `consume`.
  package func drain(_ consume: (Item) throws(Failure) -> Void) throws(Failure) {
    while taken < given { try consume(try take()) }
  }

  /// Ends the threads. Items that were not consumed are lost.
  package func stop() {
    lock.withLock {
      isStopped = true
      changed.signalAll()
    }
    for worker in workers { worker.join() }
    workers = []
  }

  private func give(_ work: Work) {
    lock.withLock {
      waiting.insert((given, work), at: 0)
      changed.signalAll()
    }
    given += 1
  }

  /// Waits for the next item.
  private func take() throws(Failure) -> Item {
    defer { taken += 1 }
    return try lock.withLock { () -> Result<Item, Failure> in
      while true {
        if let item = ready.removeValue(forKey: taken) { return item }
        changed.wait(lock)
      }
    }.get()
  }

  // MARK: Threads

  private func make(with maker: Maker) {
    while let (index, work) = claim() {
      let result: Result<Item, Failure>
      do throws(Failure) { result = .success(try maker(work)) } catch { result = .failure(error) }
      lock.withLock {
        ready[index] = result
        changed.signalAll()
      }
    }
  }

  private func claim() -> (index: Int, work: Work)? {
    lock.lock()
    defer { lock.unlock() }
    while waiting.isEmpty, !isStopped { changed.wait(lock) }
    return isStopped ? nil : waiting.popLast()
  }
}
