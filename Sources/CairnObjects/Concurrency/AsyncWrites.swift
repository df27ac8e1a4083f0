import CairnStorage

/// Names a write, or a commit, that is under way.
public typealias AsyncTransactionId = UInt32

/// A write that waits for its turn.
final class PendingWrite {
  let id: AsyncTransactionId
  /// Called on any thread once the turn may have come.
  let wake: @Sendable (PendingWrite) -> Void
  /// Runs in the transaction, or with what was in the way of one.
  let run: (Realm.Error?) -> Void

  init(
    _ id: AsyncTransactionId, wake: @escaping @Sendable (PendingWrite) -> Void,
    run: @escaping (Realm.Error?) -> Void = { _ in }
  ) {
    self.id = id
    self.wake = wake
    self.run = run
  }
}

/// The writes of a session that are under way, in the order in which they were asked for. The session's owner alone
/// touches them.
final class AsyncWrites {
  /// A turn to write that was asked for.
  struct Turn {
    let write: PendingWrite
    let arrival: Arrival<Result<WriteTurn, StoreError>>
  }

  var pending: [PendingWrite] = []
  /// The turn of the first of them.
  var turn: Turn?
  /// The write whose block is being run.
  var current: PendingWrite?
  /// Commits that are not durable yet, or whose block was not called yet.
  var unfinished = 0
  /// What is called when writes are durable, by number.
  var completions: [AsyncTransactionId: ((any Error)?) -> Void] = [:]
  private var last: AsyncTransactionId = 0

  /// A number for the next write or commit.
  func nextID() -> AsyncTransactionId {
    last &+= 1
    return last
  }

  var isEmpty: Bool { pending.isEmpty && current == nil && unfinished == 0 }
}

extension Session {
  /// Lets a write wait for its turn.
  func enqueue(_ write: PendingWrite) {
    asyncWrites.pending.append(write)
    askForTurn()
  }

  /// Asks for a turn for the first write that waits, unless that is done, or the session is writing.
  func askForTurn() {
    let writes = asyncWrites
    guard transaction == nil, writes.turn == nil, let next = writes.pending.first else { return }
    let arrival = Arrival<Result<WriteTurn, StoreError>>()
    writes.turn = AsyncWrites.Turn(write: next, arrival: arrival)
    let write = Handover(next)
    store.beginWrite { result in
      arrival.come(result)
      write.value.wake(write.value)
    }
  }

  /// Opens the transaction of a write whose turn has come; false where it has not: another had it.
  func takeTurn(of write: PendingWrite) throws -> Bool {
    let writes = asyncWrites
    guard let turn = writes.turn, turn.write === write, let result = turn.arrival.present else {
      return false
    }
    writes.turn = nil
    guard let begun = result.claimed else {
      askForTurn()
      return false
    }
    writes.pending.removeFirst()
    do {
      try open(begun)
    } catch {
      askForTurn()
      throw error
    }
    return true
  }

  /// The transaction whose turn has come already, for a write that cannot wait in the queue; nil where there is none.
  /// The writes that wait ask again when that one is over.
  func turnAtHand() -> Result<WriteTransaction, StoreError>? {
    defer { asyncWrites.turn = nil }
    return asyncWrites.turn?.arrival.present?.claimed
  }

  /// Runs a write, if its turn has come. One that its block leaves open is dropped.
  func run(_ write: PendingWrite) {
    do {
      guard try takeTurn(of: write) else { return }
    } catch {
      return write.run(error as? Realm.Error ?? Realm.Error(.fail, "\(error)"))
    }
    let open = transaction
    asyncWrites.current = write
    write.run(nil)
    if asyncWrites.current === write { asyncWrites.current = nil }
    if let open, transaction === open { cancelWrite() }
  }

  /// Drops a write that waits, or is being run, or the block that is called when one is durable.
  func cancel(_ id: AsyncTransactionId) {
    let writes = asyncWrites
    if let place = writes.pending.firstIndex(where: { $0.id == id }) {
      let write = writes.pending.remove(at: place)
      if writes.turn?.write === write { writes.turn = nil }
      askForTurn()
    } else if writes.current?.id == id, transaction != nil {
      cancelWrite()
    } else {
      writes.completions[id] = nil
    }
  }
}

extension Result<WriteTurn, StoreError> {
  /// The transaction, or what was in the way of it; nil when somebody else has it.
  fileprivate var claimed: Result<WriteTransaction, StoreError>? {
    switch self {
    case .success(let turn): turn.claim().map { .success($0) }
    case .failure(let error): .failure(error)
    }
  }
}
