import Dispatch
import Foundation
import RealmSwift
import Testing

/// Opening in the background, and messages.
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

  @Test func whatCannotBeOpened() async {
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

  @Test func cancelling() async throws {
    let configuration = configuration()
    defer { _ = try? Realm.deleteFiles(for: configuration) }
    let queue = DispatchQueue(label: "cancelled")
    let called = Flag()
    // Nothing runs on the queue before the opening is cancelled.
    queue.suspend()
    let task = Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { _ in
      called.raise()
    }
    task.cancel()
    queue.resume()
    // The first opening after it on a queue of its own is called.
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { _ in done.resume() }
    }
    queue.sync {}
    #expect(!called.isRaised)
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

  @Test func levels() {
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

  @Test func messages() throws {
    let lines = Lines()
    let former = Logger.shared
    defer {
      Logger.shared = former
      Logger.setLogLevel(.info)
    }
    Logger.shared = Logger { level, category, message in
      lines.add("\(category.rawValue) \(level) \(message)")
    }
    let configuration = configuration()
    defer { _ = try? Realm.deleteFiles(for: configuration) }
    let path = try #require(configuration.fileURL?.path)
    try Realm(configuration: configuration).write {}
    #expect(lines.containing(path).isEmpty)
    Logger.setLogLevel(.debug)
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Sailor(1, "Ann")) }
    realm.beginWrite()
    realm.cancelWrite()
    let seen = lines.containing(path)
    #expect(seen.contains { $0.hasPrefix("Realm.SDK debug opened") })
    #expect(seen.contains { $0.hasPrefix("Realm.Storage.Transaction debug committed") })
    #expect(seen.contains { $0.hasPrefix("Realm.Storage.Transaction debug cancelled") })
    Logger.setLogLevel(.trace, for: Category.Storage.query)
    _ = realm.objects(Sailor.self).filter("name == 'messages'").count
    #expect(lines.containing("Sailor where name == 'messages'").count == 1)
  }

  /// Migrations are told of with both versions.
  @Test func migrations() throws {
    let lines = Lines()
    let former = Logger.shared
    defer {
      Logger.shared = former
      Logger.setLogLevel(.info)
    }
    var configuration = configuration()
    defer { _ = try? Realm.deleteFiles(for: configuration) }
    try Realm(configuration: configuration).write {}
    Logger.shared = Logger { _, _, message in lines.add(message) }
    Logger.setLogLevel(.detail, for: Category.Storage.all)
    do {
      let first = try Realm(configuration: configuration)
      try first.write { first.add(Sailor(1, "Ann")) }
    }
    configuration.schemaVersion = 3
    _ = try Realm(configuration: configuration)
    #expect(lines.containing("from schema version 0 to 3").count == 1)
  }
}

/// Something that happened on another thread.
private final class Flag: @unchecked Sendable {
  // Sendable: guarded by the lock.
  private let lock = NSLock()
  private var raised = false

  var isRaised: Bool { lock.withLock { raised } }

  func raise() { lock.withLock { raised = true } }
}

/// Messages of any thread.
private final class Lines: @unchecked Sendable {
  // Sendable: guarded by the lock.
  private let lock = NSLock()
  private var lines: [String] = []

  func add(_ line: String) { lock.withLock { lines.append(line) } }

  func containing(_ part: String) -> [String] {
    lock.withLock { lines.filter { $0.contains(part) } }
  }
}
