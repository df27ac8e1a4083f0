import CairnModelTestSupport
import CairnSystem
import CairnTestSupport
import Dispatch
import Testing

@testable import CairnObjects

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The warning of a reader that makes a store grow.
@Suite struct GrowthTests {
  private let file = TemporaryStore()
  private let growth = Events()

  private func configuration() -> Realm.Configuration {
    var configuration = Realm.Configuration(fileURL: file.url)
    configuration.growthLimits = .init(seconds: 0, bytes: 200_000)
    configuration.events = { [growth] event in
      if case .growing = event.kind { growth.append(event) }
    }
    return configuration
  }

  /// Commits until there is an event, at most as often as freeing twice the limit takes.
  private func write(_ configuration: Realm.Configuration) throws -> Realm.Event.Growth? {
    let realm = try Realm(configuration: configuration)
    for number in 0..<100 where growth.values.isEmpty {
      try realm.write { realm.create(Book.self, value: ["title": "\(number)"]) }
    }
    let events = growth.values
    guard case .growing(let found) = events.first?.kind else { return nil }
    #expect(found.bytes >= 200_000)
    #expect(found.commits > 0 && found.commits <= 100)
    return found
  }

  @Test func aFrozenRealmIsReported() throws {
    let configuration = configuration()
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.create(Book.self) }
    let frozen = realm.freeze()
    let found = try write(configuration)
    #expect(found?.holders == [])
    #expect(growth.values.first?.description.contains("a frozen object has held") == true)
    #expect(frozen.objects(Book.self).count == 1)
  }

  @Test func aThreadThatReadsNothingIsNamed() async throws {
    let configuration = configuration()
    let opened = DispatchSemaphore(value: 0)
    let written = DispatchSemaphore(value: 0)
    async let reader: Void = onNewThread {
      let realm = try Realm(configuration: configuration)
      opened.signal()
      written.wait()
      withExtendedLifetime(realm) {}
    }
    let found = try await onNewThread { [self] in
      opened.wait()
      defer { written.signal() }
      return try write(configuration)
    }
    try await reader
    let holder = try #require(found?.holders.first)
    #expect(holder.hasPrefix("thread 0x"))
    #expect(
      growth.values.first?.description.contains("\(holder) has held the same version") == true)
  }

  /// A warning follows only when the cost has doubled, and none after the reader has ended.
  @Test func aWarningIsNotRepeated() throws {
    let configuration = configuration()
    let realm = try Realm(configuration: configuration)
    var frozen: Realm? = realm.freeze()
    for number in 0..<200 {
      try realm.write { realm.create(Book.self, value: ["title": "\(number)"]) }
    }
    let count = growth.values.count
    #expect(count > 0 && count < 8)
    withExtendedLifetime(frozen) {}
    frozen = nil
    for number in 0..<50 {
      try realm.write { realm.create(Book.self, value: ["title": "\(number)"]) }
    }
    #expect(growth.values.count == count)
  }
}

/// Events that any thread has reported.
private final class Events: Sendable {
  private let events = Mutex<[Realm.Event]>([])

  var values: [Realm.Event] { events.withLock { $0 } }
  func append(_ event: Realm.Event) { events.withLock { $0.append(event) } }
}
