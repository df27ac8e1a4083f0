import CairnStorage
import CairnTestSupport
import Testing

@testable import CairnObjects

/// A write that became durable ends with those who use it.
@Suite(.timeLimit(.minutes(10))) struct SealedWriteTests {
  let configuration = Realm.Configuration(inMemoryIdentifier: "sealed \(ObjectId.generate())")

  /// The parts of a write that was committed without waiting.
  private struct WeakWrite {
    weak var write: SealedWrite?
    weak var transaction: WriteTransaction?

    init(_ write: SealedWrite?) {
      self.write = write
      transaction = write?.transaction
    }

    var isThere: Bool { write != nil || transaction != nil }

    /// Gives the thread that writes the time to let go of its last call.
    func waitUntilGone() async throws {
      for _ in 0..<10_000 where isThere { try await Task.sleep(for: .milliseconds(1)) }
    }
  }

  /// Writes without waiting, and gives the write weakly.
  private func written(
    _ session: Session, _ id: Int, then body: @escaping @Sendable () -> Void = {}
  ) throws -> WeakWrite {
    try session.beginWrite()
    Realm(session).create(Shelf.self, value: ["id": id])
    let write = try #require(try session.seal { _ in body() })
    return WeakWrite(write)
  }

  @Test func endsOnceItIsDurable() async throws {
    let realm = try Realm(configuration: configuration)
    let durable = Signal()
    let write = try written(realm.session, 1) { durable.raise() }
    #expect(write.isThere)
    await durable.wait()
    try realm.session.settle()
    try await write.waitUntilGone()
    #expect(!write.isThere)
    #expect(realm.objects(Shelf.self).count == 1)
  }

  /// Each lies upon the one before.
  @Test func aChainOfThemEnds() async throws {
    let realm = try Realm(configuration: configuration)
    let writes = try (0..<20).map { try written(realm.session, $0) }
    try realm.session.settle()
    for write in writes {
      try await write.waitUntilGone()
      #expect(!write.isThere)
    }
    #expect(realm.objects(Shelf.self).count == 20)
  }

  /// The session goes, and the write is still on its way.
  @Test func endsWithoutItsSession() async throws {
    weak var session: Session?
    let write: WeakWrite
    do {
      let realm = try Realm(configuration: configuration)
      session = realm.session
      write = try written(realm.session, 1)
    }
    try await write.waitUntilGone()
    #expect(!write.isThere && session == nil)
  }
}
