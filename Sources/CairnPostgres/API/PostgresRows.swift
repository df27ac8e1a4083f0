import CairnFormats
import CairnQuery
import CairnStorage
import CairnSystem
import CairnValues

/// The rows of a table that meet a condition, as they arrive. Each iteration runs the query anew, and
/// at most a few thousand rows wait in memory.
public struct PostgresRows: AsyncSequence, Sendable {
  /// The type of the elements.
  public typealias Element = PostgresRow

  let address: PostgresAddress
  let table: String
  let predicate: Predicate
  let columns: [String]?

  /// Begins an iteration.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// An iteration over the rows. Its end, or that of its task, cancels the query.
  public struct Iterator: AsyncIteratorProtocol {
    private let rows: PostgresRows
    private var channel: ChannelEnd?
    private var batch: FetchedBatch?
    private var index = 0
    private var hasEnded = false

    fileprivate init(_ rows: PostgresRows) { self.rows = rows }

    /// Returns the next row; nil after the last one.
    ///
    /// - Throws: ``PostgresError``, `PredicateError`, `SQLError`, `CancellationError`.
    public mutating func next() async throws -> PostgresRow? { try await next(isolation: nil) }

    /// Returns the next row; nil after the last one.
    ///
    /// - Parameter actor: The actor of the caller.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> PostgresRow? {
      while !hasEnded {
        if let batch, index < batch.rows.count {
          index += 1
          return PostgresRow(columns: batch.columns, row: batch.rows[index - 1])
        }
        hasEnded = true
        let channel = channel ?? ChannelEnd(rows.start())
        self.channel = channel
        guard let next = try await channel.next(isolation: actor) else { break }
        (batch, index, hasEnded) = (next, 0, false)
      }
      (batch, channel) = (nil, nil)
      return nil
    }
  }

  /// Starts the query on a thread of its own.
  fileprivate func start() -> BatchChannel {
    let channel = BatchChannel()
    PostgresThread.start {
      channel.finish(
        Result {
          let connection = try channel.operation.connect(address)
          try PostgresRequest(table, where: predicate, in: connection, columns: columns)
            .forEachBatch { columns, rows in
              channel.put(FetchedBatch(columns: columns, rows: rows))
            }
        })
    } orElse: {
      channel.finish(.failure($0))
    }
    return channel
  }
}

/// A row of a table. It does not change, and may be kept and passed to other tasks; it keeps some
/// thousand rows in memory with it.
public struct PostgresRow: Sendable {
  fileprivate let columns: FetchedColumns
  fileprivate let row: Int

  /// The names of the fetched columns.
  public var names: [String] { columns.names }

  /// The value of a column; null if it was not fetched, and for arrays.
  public subscript(name: String) -> RecordValue {
    columns.names.firstIndex(of: name).map { RecordValue(columns.fetched($0, row: row)) } ?? .null
  }
}

/// A batch, and the rows of it that meet the condition.
struct FetchedBatch: Sendable {
  let columns: FetchedColumns
  let rows: [Int]
}

/// Passes batches from the thread of a query to a task. The thread waits while two batches are left.
final class BatchChannel: @unchecked Sendable {
  // Sendable: `lock` guards the state.
  let operation = RunningOperation()
  private let lock = Lock()
  private let changed = ConditionVariable()
  private var batches: [FetchedBatch] = []
  private var end: Result<Void, any Error>?
  private var isClosed = false
  private var waiting: CheckedContinuation<FetchedBatch?, any Error>?

  /// Adds a batch.
  ///
  /// - Returns: False if nobody reads it.
  func put(_ batch: FetchedBatch) -> Bool {
    let reader = lock.withLock { () -> CheckedContinuation<FetchedBatch?, any Error>? in
      while batches.count >= 2, !isClosed { changed.wait(lock) }
      guard let reader = waiting else {
        batches.append(batch)
        return nil
      }
      waiting = nil
      return reader
    }
    reader?.resume(returning: batch)
    return lock.withLock { !isClosed }
  }

  /// Ends the sequence, with an error or without.
  func finish(_ result: Result<Void, any Error>) {
    let reader = lock.withLock { () -> CheckedContinuation<FetchedBatch?, any Error>? in
      end = result
      defer { waiting = nil }
      return waiting
    }
    reader?.resume(with: result.map { () -> FetchedBatch? in nil })
  }

  /// Returns the next batch; nil after the last one.
  func next(isolation actor: isolated (any Actor)?) async throws -> FetchedBatch? {
    try Task.checkCancellation()
    do {
      let batch = try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let known = lock.withLock { () -> Result<FetchedBatch?, any Error>? in
            if !batches.isEmpty {
              changed.signalAll()
              return .success(batches.removeFirst())
            }
            if let end { return end.map { () -> FetchedBatch? in nil } }
            waiting = continuation
            return nil
          }
          if let known { continuation.resume(with: known) }
        }
      } onCancel: {
        close()
      }
      // A cancelled query may end without an error.
      if batch == nil { try Task.checkCancellation() }
      return batch
    } catch let error as PostgresError where error.kind == .cancelled { throw CancellationError() }
  }

  /// Ends the query, because nobody reads its rows any more.
  func close() {
    let isRunning = lock.withLock {
      isClosed = true
      changed.signalAll()
      return end == nil
    }
    if isRunning { operation.cancel() }
  }
}

/// The reader's end of a channel. Its end closes the channel.
private final class ChannelEnd: Sendable {
  private let channel: BatchChannel

  init(_ channel: BatchChannel) { self.channel = channel }

  deinit { channel.close() }

  func next(isolation actor: isolated (any Actor)?) async throws -> FetchedBatch? {
    try await channel.next(isolation: actor)
  }
}
