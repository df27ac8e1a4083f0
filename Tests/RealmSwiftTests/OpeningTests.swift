import CairnTestSupport
import Dispatch
import Foundation
import RealmSwift
import Testing

/// Opening a realm in the background, and log messages.
@Suite(.serialized) struct OpeningTests {
  private func configuration() -> Realm.Configuration {
    Realm.Configuration(
      fileURL: FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).cairn"))
  }

  @Test func openingInTheBackground() async throws {
    let configuration = configuration()
    defer { _ = try? Realm.deleteFiles(for: configuration) }
    let queue = DispatchQueue(label: "opened")
    let count = await withCheckedContinuation { done in
      Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
        dispatchPrecondition(condition: .onQueue(queue))
        let count = try? result.get().write { () -> Int in
          let realm = try result.get()
          realm.add(Sailor(1, "Ann"))
          return realm.objects(Sailor.self).count
        }
        done.resume(returning: count)
      }
    }
    #expect(count == 1)
  }

  @Test func aStoreThatCannotBeOpened() async {
    let wrong = Realm.Configuration(fileURL: URL(fileURLWithPath: "/nowhere/at/all.cairn"))
    let message: String? = await withCheckedContinuation { done in
      Realm.asyncOpen(configuration: wrong, callbackQueue: DispatchQueue(label: "wrong")) {
        result in
        guard case .failure(let error) = result else { return done.resume(returning: nil) }
        done.resume(returning: "\(error)")
      }
    }
    #expect(message?.contains("/nowhere/at/all.cairn") == true)
  }

  @Test func anOpeningCanBeCancelled() async throws {
    let configuration = configuration()
    defer { _ = try? Realm.deleteFiles(for: configuration) }
    let queue = DispatchQueue(label: "cancelled")
    let called = Locked(false)
    // Nothing runs on the queue before the opening is cancelled.
    queue.suspend()
    let task = Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { _ in
      called.withLock { $0 = true }
    }
    task.cancel()
    queue.resume()
    // The callback of the first opening afterwards runs on its own queue.
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { _ in done.resume() }
    }
    queue.sync {}
    #expect(!called.value)
  }

  @Test @MainActor func openBehaviors() async throws {
    let configuration = Realm.Configuration(inMemoryIdentifier: "\(UUID())")
    for behavior in [Realm.OpenBehavior.never, .once, .always] {
      let realm = try await Realm.open(
        configuration: configuration, downloadBeforeOpen: behavior)
      #expect(realm.isEmpty)
      let other = try await Realm(
        configuration: configuration, actor: MainActor.shared, downloadBeforeOpen: behavior)
      #expect(other.isEmpty)
    }
  }

  // MARK: Messages

  @Test func logLevels() {
    defer { Logger.setLogLevel(.info) }
    Logger.setLogLevel(.warn)
    #expect(Logger.logLevel(for: Category.Storage.query) == .warn)
    Logger.setLogLevel(.trace, for: Category.Storage.all)
    #expect(Logger.logLevel(for: Category.Storage.query) == .trace)
    #expect(Logger.logLevel(for: Category.sdk) == .warn)
    Logger.setLogLevel(.off, for: Category.Storage.query)
    #expect(Logger.logLevel(for: Category.Storage.query) == .off)
    #expect(Logger.logLevel(for: Category.Storage.transaction) == .trace)
    Logger.setLogLevel(.error)
    #expect(Logger.logLevel(for: Category.Storage.query) == .error)
    #expect(LogLevel.allCases.map(\.rawValue) == Array(0...8))
  }

  @Test func logMessages() throws {
    let lines = Locked<[String]>([])
    let former = Logger.shared
    defer {
      Logger.shared = former
      Logger.setLogLevel(.info)
    }
    Logger.shared = Logger { level, category, message in
      lines.withLock { $0.append("\(category.rawValue) \(level) \(message)") }
    }
    let configuration = configuration()
    defer { _ = try? Realm.deleteFiles(for: configuration) }
    let path = try #require(configuration.fileURL?.path)
    try Realm(configuration: configuration).write {}
    #expect(lines.value.filter { $0.contains(path) }.isEmpty)
    Logger.setLogLevel(.debug)
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Sailor(1, "Ann")) }
    realm.beginWrite()
    realm.cancelWrite()
    let seen = lines.value.filter { $0.contains(path) }
    #expect(seen.contains { $0.hasPrefix("Realm.SDK debug opened") })
    #expect(seen.contains { $0.hasPrefix("Realm.Storage.Transaction debug committed") })
    #expect(seen.contains { $0.hasPrefix("Realm.Storage.Transaction debug cancelled") })
    Logger.setLogLevel(.trace, for: Category.Storage.query)
    _ = realm.objects(Sailor.self).filter("name == 'messages'").count
    #expect(lines.value.filter { $0.contains("Sailor where name == 'messages'") }.count == 1)
  }

  /// A log message about a migration names both versions.
  @Test func migrationsAreLoggedWithBothVersions() throws {
    let lines = Locked<[String]>([])
    let former = Logger.shared
    defer {
      Logger.shared = former
      Logger.setLogLevel(.info)
    }
    var configuration = configuration()
    defer { _ = try? Realm.deleteFiles(for: configuration) }
    try Realm(configuration: configuration).write {}
    Logger.shared = Logger { _, _, message in lines.withLock { $0.append(message) } }
    Logger.setLogLevel(.detail, for: Category.Storage.all)
    do {
      let first = try Realm(configuration: configuration)
      try first.write { first.add(Sailor(1, "Ann")) }
    }
    configuration.schemaVersion = 3
    _ = try Realm(configuration: configuration)
    #expect(lines.value.filter { $0.contains("from schema version 0 to 3") }.count == 1)
  }
}
