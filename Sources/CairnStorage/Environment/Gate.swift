/// Lets one in at a time, in the order in which they came; unlike a mutex it may be left on another thread than it was
/// entered on.
///
/// Whoever asked without waiting is offered a transaction, and may be long in taking it up: its thread may itself be
/// waiting here. So an offer that lies about for a moment goes to one who waits.
final class Gate: @unchecked Sendable {
  // Sendable: what changes is only touched under `lock`.
  private let lock = Lock()
  private let changed = Condition()
  private var isTaken = false
  /// The longest waiting first.
  private var waiting: [Waiter] = []
  /// What is inside the gate, and may be taken up.
  private var offer: WriteTransaction?
  private var offers = 0

  private final class Waiter {
    /// Whether one who waits was let in.
    var isIn = false
    /// Goes in for one who does not wait.
    let body: (@Sendable () -> Void)?

    init(_ body: (@Sendable () -> Void)? = nil) { self.body = body }
  }

  private static let patience = 5

  /// Enters, once everyone who came before has left.
  func enter() { enterOrTake()?.makeRoom() }

  /// Enters, or takes a transaction that is inside.
  func enterOrTake() -> WriteTransaction? {
    lock.withLock {
      guard isTaken else {
        isTaken = true
        return nil
      }
      let turn = Waiter()
      waiting.append(turn)
      while !turn.isIn {
        let last = offers
        guard offer != nil else {
          changed.wait(lock)
          continue
        }
        changed.wait(lock, milliseconds: Gate.patience)
        if !turn.isIn, last == offers, let taken = takeOffer() {
          waiting.removeAll { $0 === turn }
          return taken
        }
      }
      return nil
    }
  }

  /// Enters without blocking anybody: `body` runs inside, at once or on the thread of whoever leaves.
  func enter(then body: @escaping @Sendable () -> Void) {
    let isFree = lock.withLock {
      if isTaken { waiting.append(Waiter(body)) }
      defer { isTaken = true }
      return !isTaken
    }
    if isFree { body() }
  }

  /// Offers a transaction that is inside; gives the number to claim it by.
  func offer(_ transaction: sending WriteTransaction) -> Int {
    nonisolated(unsafe) let transaction = transaction
    return lock.withLock {
      offer = transaction
      offers += 1
      changed.signalAll()
      return offers
    }
  }

  /// What was offered under a number; nil when somebody has it.
  func claim(_ number: Int) -> WriteTransaction? {
    lock.withLock { number == offers ? takeOffer() : nil }
  }

  private func takeOffer() -> WriteTransaction? {
    defer { offer = nil }
    return offer
  }

  /// Whether somebody waits to be let in.
  var isWanted: Bool { lock.withLock { !waiting.isEmpty } }

  func leave() {
    let body: (@Sendable () -> Void)? = lock.withLock {
      guard !waiting.isEmpty else {
        isTaken = false
        return nil
      }
      let next = waiting.removeFirst()
      next.isIn = true
      if next.body == nil { changed.signalAll() }
      return next.body
    }
    body?()
  }
}
