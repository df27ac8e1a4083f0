import CairnFormats
import CairnQuery
import CairnStorage
import CairnSystem
import CairnValues

/// The changes to the items of a collection as server-sent events: what enters, changes or leaves,
/// whoever wrote it.
///
/// Each event has the cursor from which a client that was interrupted continues, which its browser
/// sends in `Last-Event-ID`. The events of one commit have the cursor before it, except for the last
/// one, so a commit that was only partly received is sent again.
struct LiveItems {
  private let collection: Collection

  /// The names of the parameters that are not names of properties.
  static let parameters = [
    "bbox", "bbox-crs", "crs", "datetime", "properties", "filter", "filter-lang", "filter-crs",
    "initial", "since",
  ]

  init(_ collection: Collection) throws(Problem) {
    self.collection = collection
    let names = Self.parameters + collection.schema.sortables.map(\.name)
    try collection.context.rejectOtherParameters(than: names)
  }

  func response() throws -> Response {
    let context = collection.context
    guard let place = LivePlace.take(in: context.service) else {
      throw Problem(
        503, detail: "too many clients follow changes", headers: ["Retry-After": "60"])
    }
    let stream = try LiveStream(collection, start: start(), place: place)
    return Response(
      headers: [
        "Content-Type": MediaType.events.header, "Cache-Control": "no-store",
        "X-Accel-Buffering": "no",
      ],
      body: .stream(ByteStream { try await stream.next() }))
  }

  /// The events with which a stream begins.
  enum Start {
    /// Only changes from now on.
    case now
    /// The rows that match.
    case initial
    /// The changes since a cursor.
    case since(CommitCursor)
  }

  private func start() throws(Problem) -> Start {
    let query = collection.context.query
    if let text = collection.context.request.headers["Last-Event-ID"] ?? query["since"] {
      guard let cursor = CommitCursor(text) else {
        throw .badRequest("since: '\(text)' is not the id of an event")
      }
      return .since(cursor)
    }
    switch query["initial"] {
    case nil, "false": return .now
    case "true": return .initial
    default: throw .badRequest("initial: expected true or false")
    }
  }
}

/// One of the streams that a service allows at once.
final class LivePlace: Sendable {
  private let service: Service

  private init(_ service: Service) { self.service = service }

  /// Takes a place, which is free again when the returned object is released; returns nil if all
  /// are taken.
  static func take(in service: Service) -> LivePlace? {
    let isFree = service.liveCount.withLock { count in
      guard count < service.options.maxLiveStreams else { return false }
      count += 1
      return true
    }
    return isFree ? LivePlace(service) : nil
  }

  deinit { service.liveCount.withLock { $0 -= 1 } }
}

/// The events of one client. One task at a time uses it.
final class LiveStream: @unchecked Sendable {
  private let watcher: RowWatcher
  private let texts: LiveTexts
  private let place: LivePlace
  /// Wakes up after commits, and from time to time.
  private var wakeUps: AsyncStream<Void>.AsyncIterator
  private let watch: CommitWatch
  private let ticker: Task<Void, Never>
  /// The events that were not sent yet.
  private var events: (rest: AnyIterator<RowEvent>, left: Int)?
  /// The cursor before those events.
  private var before: CommitCursor
  private var head: String?
  private let served: ServedStore
  /// The number of the file whose changes these are.
  private let file: UInt64
  private var sentAt = MonotonicClock.seconds

  private static let chunkSize = 1 << 16
  /// The seconds after which a comment shows that the connection lives.
  private static let quietSeconds = 15.0
  /// The seconds between two looks at the file.
  private static let checkSeconds = 1.0

  init(_ collection: Collection, start: LiveItems.Start, place: LivePlace) throws {
    let state = collection.context.state
    let query = try ItemsQuery(collection, others: ["initial", "since"])
    watcher = try RowWatcher(
      TableQuery(table: collection.name, predicate: query.predicate), on: state.snapshot,
      table: collection.table, of: state.store, deadline: collection.context.deadline)
    texts = LiveTexts(query)
    self.place = place
    served = collection.context.service.store
    file = state.file
    let (stream, continuation) = AsyncStream<Void>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    wakeUps = stream.makeAsyncIterator()
    watch = state.store.watch { _ in continuation.yield() }
    ticker = Task {
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(Self.checkSeconds))
        continuation.yield()
      }
      continuation.finish()
    }
    before = watcher.cursor
    // A commit may have come before the watch.
    continuation.yield()
    try begin(start)
  }

  deinit { ticker.cancel() }

  private func begin(_ start: LiveItems.Start) throws {
    switch start {
    case .now: break
    case .initial: take(watcher.initial())
    case .since(let cursor):
      do {
        before = cursor
        take(try watcher.changes(since: cursor))
      } catch is CommitCursor.Problem {
        throw Problem(
          410, detail: "the changes since \(cursor) are no longer known; begin with initial=true"
        )
      }
    }
    head = "retry: 2000\nevent: ready\nid: \(before)\ndata: {\"cursor\":\"\(before)\"}\n\n"
  }

  private func take(_ found: RowEvents) {
    let count = found.count
    if count == 0 { before = watcher.cursor }
    events = count == 0 ? nil : (found.makeIterator(), count)
  }

  /// Returns the next events; nil when the class was removed, another file took the place of the
  /// store, or the task was cancelled.
  func next() async throws -> [UInt8]? {
    while true {
      if let head {
        self.head = nil
        return sent(head)
      }
      if let text = try pending() { return sent(text) }
      if watcher.isRemoved { return nil }
      guard await wakeUps.next(isolation: nil) != nil, !Task.isCancelled else { return nil }
      // The new file can be opened only when nobody holds the old one.
      guard served.isCurrent(file) else { return nil }
      if let found = try watcher.advance() { take(found) }
      if events == nil, MonotonicClock.seconds - sentAt >= Self.quietSeconds {
        return sent(":\n\n")
      }
    }
  }

  private func sent(_ text: String) -> [UInt8] {
    sentAt = MonotonicClock.seconds
    return Array(text.utf8)
  }

  /// The text of the next events; nil if nothing has changed.
  private func pending() throws -> String? {
    guard case (let rest, var left)? = events else { return nil }
    let end = watcher.cursor
    var text = ""
    while text.utf8.count < Self.chunkSize, let event = rest.next() {
      left -= 1
      text += try texts.text(of: event, cursor: left == 0 ? end : before)
    }
    if left == 0 { before = end }
    events = left == 0 ? nil : (rest, left)
    return text
  }
}

/// Writes events. One task at a time uses it.
final class LiveTexts {
  private let query: ItemsQuery
  /// The writer of the rows, and the class that it was made for.
  private var writer: (schema: TableSchema, writer: ItemWriter)?

  init(_ query: ItemsQuery) { self.query = query }

  /// The lines of an event.
  func text(of event: RowEvent, cursor: CommitCursor) throws -> String {
    var members: [(String, JSON)] = [("row", .int(event.key))]
    if event.kind == .change {
      members.append(("changed", .array(event.changed.map { .string($0) })))
    }
    if event.kind == .leave { members.append(("deleted", .bool(event.isDeleted))) }
    let start = JSON.object(members).text.dropLast()
    let feature = try event.table.map { try self.feature(event.key, of: $0) } ?? "null"
    return """
      event: \(event.kind.rawValue)
      id: \(cursor)
      data: \(start),"feature":\(feature)}


      """
  }

  /// The row as a feature, on one line.
  private func feature(_ key: Int, of table: Table) throws -> String {
    if writer?.schema != table.schema {
      writer = (table.schema, try query.featureWriter(for: table))
    }
    guard let writer = writer?.writer else { return "null" }
    try writer.write(key, of: table)
    return String(decoding: writer.take().dropLast(), as: UTF8.self)
  }
}

extension ItemsQuery {
  /// A writer of features, one on each line, with the properties that a class still has.
  fileprivate func featureWriter(for table: Table) throws -> ItemWriter {
    let same = Collection(table, context: collection.context)
    let kept = properties.filter { table.schema.column(named: $0.name) != nil }
    return try ItemWriter(
      features: ItemColumns(kept, of: same), of: table, in: system, members: "",
      isCollection: false)
  }
}
