import CairnStorage
import CairnSystem
import CairnValues

/// A request that creates, replaces, updates or deletes an item: OGC API – Features, Part 4.
///
/// Each one is a transaction of its own. The item's entity tag, which `If-Match` names, is compared
/// in that transaction, so that nobody overwrites a change that they have not seen.
struct ItemChange {
  private enum Kind {
    case create
    case replace(id: String)
    case update(id: String)
    case delete(id: String)
  }

  private let request: Request
  private let service: Service
  private let className: String
  private let kind: Kind

  /// Returns nil if the request changes nothing, or the service is for reading only.
  init?(_ request: Request, route: Route, service: Service) {
    guard service.options.writeToken != nil else { return nil }
    switch (request.method, route) {
    case ("POST", .items(let name)): (className, kind) = (name, .create)
    case ("PUT", .item(let name, let id)): (className, kind) = (name, .replace(id: id))
    case ("PATCH", .item(let name, let id)): (className, kind) = (name, .update(id: id))
    case ("DELETE", .item(let name, let id)): (className, kind) = (name, .delete(id: id))
    default: return nil
    }
    (self.request, self.service) = (request, service)
  }

  func response() async throws -> Response {
    try WriteToken.check(request, options: service.options)
    guard request.query.isEmpty else {
      throw Problem.badRequest("a request that changes an item has no parameters")
    }
    let result = try await result(try body())
    var response = Response(status: 204)
    if let tag = result.tag {
      response.headers["ETag"] = tag.text("\(service.epoch)-\(MediaType.geojson.parameter)")
    }
    if let id = result.newID {
      let segments = ["collections", className, "items", id]
      let base = BaseURL.of(request, options: service.options)
      response.status = 201
      response.headers["Location"] =
        base + segments.map { "/" + PercentCoding.encoded($0) }.joined()
    }
    return response
  }

  /// The outcome of a change: the item's tag after it, and the identifier of a new item.
  private struct Result {
    var tag: ItemTag?
    var newID: String?
  }

  /// Makes the change in the file at the path. If another file replaces it before the change is
  /// committed, the change is made in that one.
  private func result(_ body: FeatureBody?) async throws -> Result {
    for _ in 0..<Self.maxReplacements {
      do { return try await attempt(body) } catch let error as StoreError
        where error.kind == .replaced
      {
        continue
      }
    }
    return try await attempt(body)
  }

  /// The number of files that may replace each other while a change is made.
  private static let maxReplacements = 2

  private func attempt(_ body: FeatureBody?) async throws -> Result {
    let store = try await service.threads.run { try self.service.store.store() }
    return try await store.change(
      waitingAtMost: service.options.maxWriteWaitSeconds, on: service.threads
    ) { transaction in
      try self.apply(body, in: transaction)
    }
  }

  private func body() throws -> FeatureBody? {
    switch kind {
    case .delete: nil
    case .update: try FeatureBody(request, isPart: true, options: service.options)
    case .create, .replace: try FeatureBody(request, isPart: false, options: service.options)
    }
  }

  /// Makes the change.
  private func apply(_ body: FeatureBody?, in transaction: WriteTransaction) throws -> Result {
    guard let writer = transaction.table(className), !writer.schema.isEmbedded else {
      throw Problem.notFound("collection", name: className)
    }
    func tag(_ key: Int) throws -> ItemTag {
      try ItemTag(key, of: writer.table, in: transaction.schema)
    }
    do {
      switch kind {
      case .create:
        guard let key = try create(body, with: writer) else { return Result() }
        return Result(tag: try tag(key), newID: writer.table.identifier(of: key))
      case .replace(let id), .update(let id):
        let key = try key(id, in: writer.table, of: transaction)
        let values = try body?.values(of: writer.schema, id: id) ?? [:]
        for (position, value) in values.sorted(by: { $0.key < $1.key }) {
          try writer.set(value, position: position, at: key)
        }
        return Result(tag: try tag(key))
      case .delete(let id):
        try writer.delete(key(id, in: writer.table, of: transaction))
        return Result()
      }
    } catch let error as StoreError {
      switch error.kind {
      case .duplicateKey: throw Problem(409, detail: error.message)
      case .invalidValue: throw Problem.badRequest(error.message)
      default: throw error
      }
    }
  }

  /// Inserts a row, and returns its key.
  private func create(_ body: FeatureBody?, with writer: TableWriter) throws -> Int? {
    guard let values = try body?.newValues(of: writer.schema) else { return nil }
    if let position = writer.schema.primaryKey,
      writer.table.find(primaryKey: values[position]) != nil
    {
      throw Problem(409, detail: "there is already an item '\(values[position].plainText)'")
    }
    return try writer.insert(values)
  }

  /// The row of an item, after its state was compared with the one that the client knows.
  private func key(
    _ id: String, in table: Table, of transaction: WriteTransaction
  ) throws -> Int {
    guard let key = ItemPage.key(id, in: table) else { throw Problem.notFound("item", name: id) }
    if let known = request.headers["If-Match"],
      try !ItemTag(key, of: table, in: transaction.schema).matches(known)
    {
      throw Problem(412, detail: "the item has changed; read it again before you change it")
    }
    return key
  }
}

extension Table {
  /// The identifier of an item: its primary key, or its number if the class has none.
  fileprivate func identifier(of key: Int) -> String {
    schema.primaryKey.map { value($0, at: key).plainText } ?? String(key)
  }
}

/// The secret that allows changes.
enum WriteToken {
  /// - Throws: A problem unless the request has the service's token.
  static func check(_ request: Request, options: ServiceOptions) throws(Problem) {
    let scheme = "bearer "
    guard let header = request.headers["Authorization"], header.lowercased().hasPrefix(scheme)
    else {
      throw Problem(
        401, detail: "changes need the header 'Authorization: Bearer' with the service's token",
        headers: ["WWW-Authenticate": "Bearer"])
    }
    let given = Array(header.utf8.dropFirst(scheme.utf8.count))
    let expected = Array((options.writeToken ?? "").utf8)
    // The time does not depend on the place of the first difference.
    let difference = zip(given, expected).reduce(0) { $0 | ($1.0 ^ $1.1) }
    guard !expected.isEmpty, given.count == expected.count, difference == 0 else {
      throw Problem(
        401, detail: "this is not the token of the service",
        headers: ["WWW-Authenticate": "Bearer error=\"invalid_token\""])
    }
  }
}

extension Store {
  /// Runs `body` in a write transaction and commits its changes; any error rolls everything back.
  /// No thread waits while others write, and one of `threads` waits for the disk.
  ///
  /// - Throws: A problem if others write for longer than `seconds`.
  fileprivate func change<R: Sendable>(
    waitingAtMost seconds: Double, on threads: RequestThreads,
    _ body: @escaping @Sendable (WriteTransaction) throws -> R
  ) async throws -> R {
    while true {
      let grant = try await WriteWait().grant(of: self, within: seconds)
      // A writer that cannot wait may have taken the turn.
      let result = try await threads.run { () -> R? in
        guard let transaction = grant.claim() else { return nil }
        do {
          let result = try body(transaction)
          try transaction.commit()
          return result
        } catch {
          transaction.rollback()
          throw error
        }
      }
      if let result { return result }
    }
  }
}

/// The wait for other writers, which ends with the write grant or when the time is over.
private final class WriteWait: Sendable {
  private let continuation = Mutex<CheckedContinuation<WriteGrant, any Error>?>(nil)

  func grant(of store: Store, within seconds: Double) async throws -> WriteGrant {
    let clock = Mutex<Task<Void, any Error>?>(nil)
    defer { clock.withLock { $0?.cancel() } }
    return try await withCheckedThrowingContinuation { continuation in
      self.continuation.withLock { $0 = continuation }
      clock.withLock {
        $0 = Task {
          try await Task.sleep(for: .seconds(seconds))
          self.end(.failure(Self.problem(seconds)))
        }
      }
      // A grant that comes too late is released, and the lock with it.
      store.beginWrite { self.end($0.mapError { $0 as any Error }) }
    }
  }

  private static func problem(_ seconds: Double) -> Problem {
    Problem(
      503, detail: "another program has been writing for \(seconds) s; nothing was changed",
      headers: ["Retry-After": "10"])
  }

  private func end(_ result: Result<WriteGrant, any Error>) {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(with: result)
  }
}
