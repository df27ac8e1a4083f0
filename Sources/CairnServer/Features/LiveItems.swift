import CairnQuery
import CairnStorage
import CairnSystem

/// The changes to the items of a collection as server-sent events: what enters, changes or leaves,
/// whoever wrote it.
///
/// Each event has the cursor from which a client that was interrupted continues, which its browser
/// sends in `Last-Event-ID`. The events of one commit have the cursor before it, except for the last
/// one, so a commit that was only partly received is sent again. Of the rows at the beginning only the
/// last one has a cursor, so that a client that has not received all of them begins again.
struct LiveItems {
  private let collection: Collection

  /// The names of the parameters that are not names of properties.
  static let parameters = [
    "bbox", "bbox-crs", "crs", "datetime", "properties", "filter", "filter-lang", "filter-crs",
    "initial", "since", "fences",
  ]
  /// The parameters that only this resource has.
  static let ownParameters: Set = ["initial", "since", "fences"]

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
    let stream = try stream(place: place)
    return Response(
      headers: [
        "Content-Type": MediaType.events.header, "Cache-Control": "no-store",
        "X-Accel-Buffering": "no",
      ],
      body: .stream(ByteStream(isEndless: true) { try await stream.next() }))
  }

  /// The stream of the events.
  ///
  /// - Parameters:
  ///   - place: The place that the stream takes; nil for one that the service itself reads.
  ///   - quietSeconds: The seconds after which a comment shows that the connection lives.
  func stream(place: LivePlace?, quietSeconds: Double = 15) throws -> LiveStream {
    try LiveStream(
      source(), of: collection, start: start(), place: place, quietSeconds: quietSeconds)
  }

  /// The rows that enter and leave the result, or the fences of another class.
  private func source() throws -> any LiveSource {
    let query = try ItemsQuery(collection, others: Self.ownParameters)
    guard let name = collection.context.query["fences"], !name.isEmpty else {
      return try ItemSource(query)
    }
    return try FenceSource(query, fences: Collection(name, context: collection.context))
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

/// The changes that a stream reports. One task at a time uses it.
protocol LiveSource: AnyObject {
  /// The point behind the events so far.
  var cursor: CommitCursor { get }
  /// Whether a class was removed, so that no events follow.
  var isRemoved: Bool { get }
  /// The events at the beginning.
  func initial() throws -> LiveEvents
  /// The events since a cursor.
  ///
  /// - Throws: `CommitCursor.Problem` if they are not known.
  func changes(since cursor: CommitCursor) throws -> LiveEvents
  /// The events of the commits since the last call; nil without one.
  func advance() throws -> LiveEvents?
}

/// The events of a step, which become text when they are sent.
struct LiveEvents {
  /// Writes an event with its cursor; nil for none.
  typealias Text = (CommitCursor?) throws -> String

  /// The number of events.
  let count: Int
  /// The events.
  let texts: AnyIterator<Text>
}

/// The events of one client. While nothing is to be sent, it keeps only the last state of the store.
final class LiveStream: @unchecked Sendable {
  // Sendable: one task at a time uses it, and waits while a request thread does a step for it.
  private let source: any LiveSource
  private let place: LivePlace?
  /// Wakes up after commits, and from time to time.
  private var wakeUps: AsyncStream<Void>.AsyncIterator
  private let watch: CommitWatch
  private let ticker: Task<Void, Never>
  /// The events that were not sent yet.
  private var events: (rest: AnyIterator<LiveEvents.Text>, left: Int)?
  /// The time by which the client has to have received them, because they keep their states of the
  /// store.
  private var deadline = Double.infinity
  /// The seconds for which events may wait for their client; hooks have a limit of their own.
  private let maxPendingSeconds: Double
  /// The cursor from which a client that knows all events so far continues; nil while there are rows of
  /// the beginning that were not sent yet.
  private(set) var cursor: CommitCursor?
  private var head: String?
  private let served: ServedStore
  private let threads: RequestThreads
  /// The file whose changes these are.
  private let file: FileIdentity
  private var sentAt = MonotonicClock.seconds
  /// Whether the stream was woken up since it looked for commits.
  private var isAwake = false

  private let quietSeconds: Double

  private static let chunkSize = 1 << 16
  /// The seconds between two looks at the file.
  private static let checkSeconds = 1.0

  init(
    _ source: any LiveSource, of collection: Collection, start: LiveItems.Start,
    place: LivePlace?, quietSeconds: Double
  ) throws {
    let state = collection.context.state
    self.source = source
    self.place = place
    self.quietSeconds = quietSeconds
    served = collection.context.service.store
    threads = collection.context.service.threads
    file = state.store.file
    maxPendingSeconds =
      place == nil ? .infinity : collection.context.options.maxStreamSeconds
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
    cursor = source.cursor
    // A commit may have come before the watch.
    continuation.yield()
    try begin(start)
  }

  deinit { ticker.cancel() }

  private func begin(_ start: LiveItems.Start) throws {
    switch start {
    case .now: break
    case .initial:
      cursor = nil
      take(try source.initial())
    case .since(let start):
      do {
        cursor = start
        take(try source.changes(since: start))
      } catch is CommitCursor.Problem {
        throw Problem(
          410, detail: "the changes since \(start) are no longer known; begin with initial=true")
      }
    }
    let id = cursor.map { "id: \($0)\n" } ?? ""
    let data: JSON = ["cursor": cursor.map { .string($0.description) } ?? .null]
    head = "retry: 2000\nevent: ready\n\(id)data: \(data.text)\n\n"
  }

  private func take(_ found: LiveEvents) {
    if found.count == 0 { cursor = source.cursor }
    events = found.count == 0 ? nil : (found.texts, found.count)
    deadline = MonotonicClock.seconds + maxPendingSeconds
  }

  /// Returns the next events; nil when the class was removed, another file took the place of the
  /// store, or the task was cancelled.
  func next() async throws -> [UInt8]? {
    while true {
      switch try await threads.run({ try self.step() }) {
      case .text(let text): return text
      case .end: return nil
      case .wait:
        guard await wakeUps.next(isolation: nil) != nil, !Task.isCancelled else { return nil }
        isAwake = true
      }
    }
  }

  /// The outcome of a step.
  private enum Step {
    case text([UInt8])
    case wait
    case end
  }

  private func step() throws -> Step {
    if let head {
      self.head = nil
      return sent(head)
    }
    if let text = try pending() { return sent(text) }
    if source.isRemoved { return .end }
    guard isAwake else { return .wait }
    isAwake = false
    // A client that continues learns that its cursor belongs to the old file.
    guard !served.isReplaced(file) else { return .end }
    if let found = try source.advance() { take(found) }
    if let text = try pending() { return sent(text) }
    if source.isRemoved { return .end }
    return MonotonicClock.seconds - sentAt >= quietSeconds ? sent(":\n\n") : .wait
  }

  private func sent(_ text: String) -> Step {
    sentAt = MonotonicClock.seconds
    return .text(Array(text.utf8))
  }

  /// The text of the next events; nil if nothing has changed.
  ///
  /// - Throws: `StreamTimeout` if the client reads too slowly.
  private func pending() throws -> String? {
    guard case (let rest, var left)? = events else { return nil }
    guard MonotonicClock.seconds < deadline else { throw StreamTimeout() }
    let end = source.cursor
    var text = ""
    while text.utf8.count < Self.chunkSize, let event = rest.next() {
      left -= 1
      text += try event(left == 0 ? end : cursor)
    }
    if left == 0 { cursor = end }
    events = left == 0 ? nil : (rest, left)
    return text
  }
}
