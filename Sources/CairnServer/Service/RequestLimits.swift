import CairnSystem

/// Limits the requests that a service answers at once, and those of each client.
final class RequestLimits: Sendable {
  /// A request that is being answered. It ends when this object is released.
  final class Place: Sendable {
    private let limits: RequestLimits
    private let client: String?

    fileprivate init(_ limits: RequestLimits, client: String?) {
      self.limits = limits
      self.client = client
    }

    deinit { limits.end(client) }
  }

  /// The requests of one client.
  private struct Client {
    /// The number of requests that are being answered.
    var active = 0
    /// The number of requests that the client may send at once. It grows with time.
    var allowance: Double
    /// The time in seconds at which the allowance was computed.
    var time: Double
  }

  private struct State {
    var active = 0
    var clients: [String: Client] = [:]
  }

  private let state = Mutex(State())
  private let maxRequests: Int
  private let maxClientRequests: Int?
  private let maxClientRate: Double?

  /// Clients that have nothing in progress and their full allowance are forgotten when there are more
  /// than this.
  private static let maxIdleClients = 1024

  init(_ options: ServiceOptions) {
    maxRequests = options.maxRequests
    maxClientRequests = options.maxClientRequests
    maxClientRate = options.maxClientRate
  }

  /// The number of clients in memory.
  var clientCount: Int { state.withLock { $0.clients.count } }

  /// Begins a request.
  ///
  /// - Parameters:
  ///   - client: The address of the client; nil if it is unknown, and only the common limit applies.
  ///   - time: The present time in seconds.
  /// - Throws: A problem with the seconds to wait if there are too many requests.
  func begin(_ client: String?, at time: Double) throws(Problem) -> Place {
    let isCounted = client != nil && (maxClientRequests != nil || maxClientRate != nil)
    let problem = state.withLock { state -> Problem? in
      if let client, isCounted, let problem = take(client, at: time, from: &state) {
        return problem
      }
      guard state.active < maxRequests else {
        return Problem(
          503, detail: "the server answers \(maxRequests) requests at once, and has as many",
          headers: ["Retry-After": "1"])
      }
      state.active += 1
      if let client, isCounted { state.clients[client]?.active += 1 }
      return nil
    }
    if let problem { throw problem }
    return Place(self, client: isCounted ? client : nil)
  }

  /// Uses the allowance of a client for a request; returns a problem if it does not suffice.
  private func take(_ name: String, at time: Double, from state: inout State) -> Problem? {
    if state.clients.count >= Self.maxIdleClients, state.clients[name] == nil {
      let full = state.clients.filter { isIdle($0.value, at: time) }
      for other in full.keys { state.clients[other] = nil }
    }
    var client = state.clients[name] ?? Client(allowance: burst, time: time)
    defer { state.clients[name] = client }
    if let maxClientRequests, client.active >= maxClientRequests {
      return Problem(
        429, detail: "a client can have \(maxClientRequests) requests in progress",
        headers: ["Retry-After": "1"])
    }
    guard let maxClientRate else { return nil }
    client.allowance = allowance(of: client, at: time)
    // A clock that goes back must not give an allowance twice.
    client.time = max(client.time, time)
    guard client.allowance >= 1 else {
      let seconds = ((1 - client.allowance) / maxClientRate).rounded(.up)
      return Problem(
        429, detail: "a client can send \(maxClientRate) requests in a second",
        headers: ["Retry-After": String(Int(max(1, min(seconds, 3600))))])
    }
    client.allowance -= 1
    return nil
  }

  /// The most requests that a client may send at once: those of a second.
  private var burst: Double { max(1, maxClientRate ?? 1) }

  private func allowance(of client: Client, at time: Double) -> Double {
    min(burst, client.allowance + max(0, time - client.time) * (maxClientRate ?? 0))
  }

  private func isIdle(_ client: Client, at time: Double) -> Bool {
    client.active == 0 && (maxClientRate == nil || allowance(of: client, at: time) >= burst)
  }

  private func end(_ client: String?) {
    state.withLock { state in
      state.active -= 1
      guard let client else { return }
      state.clients[client]?.active -= 1
    }
  }
}
