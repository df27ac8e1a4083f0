import CairnStorage
import CairnSystem
import CairnTestSupport
import Foundation
import Testing

@testable import CairnServer

/// The limits of a service, each with its answer.
@Suite(.tags(.threads)) struct ServiceLimitTests {
  // MARK: Requests

  /// Begins a request; returns the status and the seconds to wait if it is refused.
  private static func begin(
    _ limits: RequestLimits, _ client: String?, at time: Double
  ) -> (place: RequestLimits.Place?, status: Int, wait: Int) {
    do {
      return (try limits.begin(client, at: time), 200, 0)
    } catch {
      return (nil, error.status, Int(error.headers["Retry-After"] ?? "") ?? -1)
    }
  }

  @Test func requestsAtOnceAreLimited() {
    var options = ServiceOptions()
    options.maxRequests = 3
    let limits = RequestLimits(options)
    var places = (0..<3).map { _ in Self.begin(limits, "a", at: 0).place }
    #expect(places.allSatisfy { $0 != nil })
    for client in ["a", "b", nil] {
      let refused = Self.begin(limits, client, at: 0)
      #expect(refused.status == 503 && refused.wait == 1)
    }
    places[1] = nil
    #expect(Self.begin(limits, "b", at: 0).status == 200)
  }

  @Test func requestsOfAClientAtOnceAreLimited() {
    var options = ServiceOptions()
    options.maxClientRequests = 2
    let limits = RequestLimits(options)
    var places = (0..<2).map { _ in Self.begin(limits, "a", at: 0).place }
    let refused = Self.begin(limits, "a", at: 9)
    #expect(refused.status == 429 && refused.wait == 1)
    let others = ["b", "b", nil, nil, nil].map { Self.begin(limits, $0, at: 0) }
    #expect(others.allSatisfy { $0.status == 200 })
    places[0] = nil
    #expect(Self.begin(limits, "a", at: 9).status == 200)
    places[1] = nil
  }

  /// A client that sends requests at random times gets as many as a simulation of the allowance in
  /// steps of a millisecond.
  @Test(arguments: [1, 2.5, 20] as [Double])
  func theRateOfAClientIsLimited(rate: Double) {
    var options = ServiceOptions()
    options.maxClientRate = rate
    let limits = RequestLimits(options)
    var random = SplitMix64(seed: UInt64(rate * 8))
    var allowance = max(1, rate)
    for millisecond in 0..<20_000 {
      allowance = min(max(1, rate), allowance + rate / 1000)
      guard random.chance(0.02) else { continue }
      let answer = Self.begin(limits, "a", at: Double(millisecond) / 1000)
      // The two sums differ by rounding.
      if abs(allowance - 1) > 0.01 {
        #expect(answer.status == (allowance >= 1 ? 200 : 429), "rate \(rate) at \(millisecond) ms")
      }
      if answer.status == 200 {
        allowance -= 1
      } else {
        let seconds = (1 - allowance) / rate
        #expect(Double(answer.wait) > seconds - 0.01 && Double(answer.wait) < seconds + 1.01)
      }
    }
  }

  /// A clock that stops or goes back gives no allowance.
  @Test func theAllowanceGrowsOnlyWithTime() {
    var options = ServiceOptions()
    options.maxClientRate = 2
    let limits = RequestLimits(options)
    let statuses = [100, 100, 100, 50, 100, 100.5].map { Self.begin(limits, "a", at: $0).status }
    #expect(statuses == [200, 200, 429, 429, 429, 200])
  }

  @Test func idleClientsAreForgotten() {
    var options = ServiceOptions()
    options.maxClientRate = 1
    options.maxClientRequests = 4
    options.maxRequests = .max
    let limits = RequestLimits(options)
    let place = Self.begin(limits, "stays", at: 0).place
    for number in 0..<20_000 { _ = Self.begin(limits, "\(number)", at: Double(number)) }
    #expect(limits.clientCount <= 1025)
    // It has a request in progress all the time.
    let others = (0..<3).map { _ in Self.begin(limits, "stays", at: 1e6).place }
    #expect(others.count { $0 != nil } == 1)
    withExtendedLifetime(place) {}
  }

  @Test func aRefusedRequestHasAProblemDocument() async throws {
    var options = ServiceOptions()
    // The second request comes within the half hour after the first one, however busy the machine is.
    options.maxClientRate = 0.0005
    let world = try World(rows: 1, options: options)
    func send(_ client: String?) async -> Response {
      await world.service.respond(to: Request(target: "/collections", client: client))
    }
    #expect(await send("a").status == 200)
    let refused = await send("a")
    let wait = try #require(refused.headers["Retry-After"].flatMap { Int($0) })
    #expect(refused.status == 429 && (1000...2000).contains(wait))
    #expect(refused.headers["Content-Type"] == "application/problem+json")
    guard case .bytes(let bytes) = refused.body else { return }
    let json = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
    #expect(json["title"] as? String == "Too Many Requests")
    #expect(json["detail"] as? String == "a client can send 0.0005 requests in a second")
    #expect(await send("b").status == 200)
    #expect(await send(nil).status == 200)
  }

  // MARK: Time

  @Test func slowQueriesAreReported() async throws {
    let reports = Mutex<[SlowQuery]>([])
    var options = ServiceOptions()
    options.slowQuerySeconds = 0
    options.reportSlowQuery = { query in reports.withLock { $0.append(query) } }
    let world = try World(rows: 10, options: options)
    let response = await world.service.respond(
      to: Request(target: "/collections/places/items?filter=name%3D'a%0Ab'"))
    #expect(response.status == 200)
    let report = try #require(reports.withLock { $0.first })
    #expect(report.collection == "places" && report.seconds >= 0)
    #expect(report.plan.hasPrefix("places: name == 'a\\nb'\n└─ "), "\(report.plan)")
  }

  /// Everything that runs a query.
  private static let queries = [
    "/collections/places/items?filter=area%3E1",
    "/collections/places/items?sortby=area",
    "/collections/places/items?bbox=-180,-90,180,90",
    "/collections/parcels/items?bbox=0.2,0.1,8.1,3.9",
    "/collections/places/items?f=html&filter=area%3E1",
    "/collections/places/items?f=csv&filter=area%3E1",
    "/collections/places/statistics",
    "/collections/places/statistics?filter=area%3E1",
    "/collections/places/tiles/0/0/0.mvt",
    "/collections/places/tiles/0/0/0.mvt?filter=area%3E1",
    "/collections/parcels/tiles/0/0/0.mvt",
    "/collections/places/live?filter=area%3E1",
  ]

  @Test(arguments: queries) func aQueryEndsWhenItsTimeIsOver(target: String) async throws {
    var options = ServiceOptions()
    options.maxQuerySeconds = 0
    let world = try World(rows: 300, options: options)
    let answer = try await world.service.get(target)
    #expect(answer.status == 503, "\(answer.text)")
    #expect(
      answer.text.contains("the query takes longer than 0.0 s; ask for less of the collection"))
    // No part of a result is kept for others.
    let complete = try await Service(path: world.folder.file()).get(target)
    #expect(complete.status == 200)
  }

  @Test func resourcesWithoutQueriesNeedNoTime() async throws {
    var options = ServiceOptions()
    options.maxQuerySeconds = 0
    let world = try World(rows: 30, options: options)
    for target in [
      "/", "/api", "/collections", "/collections/places", "/collections/places/schema",
      "/collections/places/items/7", "/collections/places/tiles.json",
    ] {
      #expect(try await world.service.get(target).status == 200, "\(target)")
    }
  }

  /// A partial count is not that of the next request.
  @Test func missedDeadlinesLeaveNothingBehind() async throws {
    let world = try World(rows: 200)
    let cache = world.service.cache
    let state = try world.service.store.state()
    #expect(throws: CancellationError.self) {
      try cache.count("key", in: state) { throw CancellationError() }
    }
    #expect(cache.count("key", in: state) { 7 } == 7)
    #expect(cache.count("key", in: state) { 8 } == 7)
  }

  // MARK: Writing

  @Test func aChangeWaitsOnlySoLongForAnotherWriter() async throws {
    var options = ServiceOptions()
    options.writeToken = "correct-horse-battery"
    options.maxWriteWaitSeconds = 0.05
    let world = try World(rows: 3, options: options)
    func delete() async throws -> Answer {
      try await world.service.get(
        "/collections/notes/items/1", headers: ["Authorization": "Bearer correct-horse-battery"],
        method: "DELETE")
    }
    let other = try world.store.beginWrite()
    let refused = try await delete()
    #expect(refused.status == 503 && refused.text.contains("nothing was changed"))
    #expect(refused.response.headers["Retry-After"] == "10")
    other.rollback()
    // The grant that came too late was given back.
    try await eventually("a change does not wait") {
      try await delete().status
    } until: {
      $0 == 204
    }
    #expect(try world.store.snapshot().table("notes")?.liveCount == 2)
  }

  // MARK: Lengths and nesting

  @Test func nestingIsLimited() async throws {
    let world = try World(rows: 3)
    func status(_ filter: String, _ language: String) async throws -> (Int, String) {
      let text = PercentCoding.encoded(filter)
      let answer = try await world.service.get(
        "/collections/places/items?filter-lang=\(language)&filter=\(text)")
      return (answer.status, answer.text)
    }
    let text = { (depth: Int) in
      String(repeating: "NOT (", count: depth) + "id=1" + String(repeating: ")", count: depth)
    }
    #expect(try await status(text(10), "cql2-text").0 == 200)
    let deep = try await status(text(900), "cql2-text")
    #expect(deep.0 == 400 && deep.1.contains("deep"), "\(deep.1)")
    let json = { (depth: Int) in
      String(repeating: #"{"op":"not","args":["#, count: depth)
        + #"{"op":"=","args":[{"property":"id"},1]}"# + String(repeating: "]}", count: depth)
    }
    #expect(try await status(json(10), "cql2-json").0 == 200)
    let deepJSON = try await status(json(250), "cql2-json")
    #expect(deepJSON.0 == 400 && deepJSON.1.contains("deep"), "\(deepJSON.1)")
  }
}
