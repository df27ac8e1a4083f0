/// Turns works into items on several threads, at most a few ahead, and passes the items to the caller
/// in the order of the works.
package final class OrderedPipeline<Work, Item, Failure: Error>: @unchecked Sendable {
  // Sendable: `lock` guards everything that changes. A work and an item are used by one thread at a
  // time, and are passed on under the lock.

  /// Makes the item of a work. It is used by one thread only.
  package typealias Maker = (Work) throws(Failure) -> Item

  private let lock = Lock()
  private let changed = ConditionVariable()
  private let ahead: Int
  private let newMaker: @Sendable () throws(Failure) -> Maker
  /// The works that no thread has taken, the first one last.
  private var waiting: [(index: Int, work: Work)] = []
  private var ready: [Int: Result<Item, Failure>] = [:]
  private var isStopped = false

  /// - Parameters:
  ///   - ahead: The most works and items that wait at a time, which bounds the memory.
  ///   - newMaker: Called once by each thread.
  package init(ahead: Int, newMaker: @escaping @Sendable () throws(Failure) -> Maker) {
    self.ahead = max(1, ahead)
    self.newMaker = newMaker
  }

  /// Makes all items on `threads` threads, or on the calling thread if there are to be none or the
  /// system cannot start any.
  ///
  /// - Parameters:
  ///   - next: Returns the next work, or nil after the last one. Called on the calling thread.
  ///   - consume: Takes an item. Called in the order of the works, on the calling thread.
  /// - Throws: The first error in the order of the works.
  package func run(
    threads: Int, next: () throws(Failure) -> Work?, consume: (Item) throws(Failure) -> Void
  ) throws(Failure) {
    let workers = (0..<threads).compactMap { _ in Threads.startIfPossible { self.make() } }
    guard !workers.isEmpty else {
      let maker = try newMaker()
      while let work = try next() { try consume(try maker(work)) }
      return
    }
    defer { finish(workers) }
    var (given, taken, isComplete) = (0, 0, false)
    func giveMore() throws(Failure) {
      while !isComplete, given - taken < ahead {
        guard let work = try next() else {
          isComplete = true
          return
        }
        give(work, given)
        given += 1
      }
    }
    try giveMore()
    while taken < given {
      let item = try take(taken).get()
      taken += 1
      // The threads go on while the item is consumed.
      try giveMore()
      try consume(item)
    }
  }

  private func give(_ work: Work, _ index: Int) {
    lock.withLock {
      waiting.insert((index, work), at: 0)
      changed.signalAll()
    }
  }

  private func take(_ index: Int) -> Result<Item, Failure> {
    lock.lock()
    defer { lock.unlock() }
    while true {
      if let item = ready.removeValue(forKey: index) { return item }
      changed.wait(lock)
    }
  }

  private func finish(_ workers: [JoinableThread]) {
    lock.withLock {
      isStopped = true
      changed.signalAll()
    }
    for worker in workers { worker.join() }
  }

  // MARK: Threads

  private func make() {
    var maker: Maker?
    while let (index, work) = claim() {
      let result: Result<Item, Failure>
      do throws(Failure) {
        if maker == nil { maker = try newMaker() }
        guard let maker else { return }
        result = .success(try maker(work))
      } catch { result = .failure(error) }
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
