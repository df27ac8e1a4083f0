import CairnSystem

/// Makes items 0, 1, 2, … on several threads, at most a few ahead, and passes them to the caller in
/// order.
final class OrderedPipeline<Item>: @unchecked Sendable {
  // Sendable: `lock` guards everything that changes.
  private let lock = Lock()
  private let changed = ConditionVariable()
  private let count: Int
  private let ahead: Int
  private let make: @Sendable (Int) throws(StoreError) -> Item
  private var next = 0
  private var consumed = 0
  private var ready: [Int: Result<Item, StoreError>] = [:]
  private var isStopped = false

  /// - Parameter ahead: The number of items that may wait for the consumer.
  init(
    count: Int, ahead: Int, make: @escaping @Sendable (Int) throws(StoreError) -> Item
  ) {
    self.count = count
    self.ahead = ahead
    self.make = make
  }

  /// Makes every item on `threads` threads, or on the calling thread if the system cannot start
  /// any. `consume` receives them in order on the calling thread.
  func run(
    threads: Int, _ consume: (Item) throws(StoreError) -> Void
  ) throws(StoreError) {
    let workers = (0..<min(threads, count)).compactMap { _ in
      Threads.startIfPossible { self.work() }
    }
    defer { finish(workers) }
    for index in 0..<count {
      try consume(workers.isEmpty ? try make(index) : try take(index).get())
    }
  }

  private func take(_ index: Int) -> Result<Item, StoreError> {
    lock.lock()
    defer { lock.unlock() }
    while true {
      if let item = ready.removeValue(forKey: index) {
        consumed = index + 1
        changed.signalAll()
        return item
      }
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

  private func work() {
    while let index = claim() {
      let result: Result<Item, StoreError>
      do throws(StoreError) { result = .success(try make(index)) } catch {
        result = .failure(error)
      }
      lock.withLock {
        ready[index] = result
        changed.signalAll()
      }
    }
  }

  private func claim() -> Int? {
    lock.lock()
    defer { lock.unlock() }
    while next < count, next >= consumed + ahead, !isStopped { changed.wait(lock) }
    guard next < count, !isStopped else { return nil }
    defer { next += 1 }
    return next
  }
}
