import CairnStorage
import CairnTestSupport
import Testing

@testable import CairnObjects

/// A durable write is released with its last user.
@Suite(.tags(.threads)) struct PreparedWriteTests {
  let configuration = Realm.Configuration(inMemoryIdentifier: "sealed \(ObjectId.generate())")

  /// Weak references to the parts of a commit that did not wait for the disk.
  private struct WeakWrite {
    weak var write: PreparedWrite?
    weak var transaction: WriteTransaction?

    init(_ write: PreparedWrite?) {
      self.write = write
      transaction = write?.transaction
    }

    var isThere: Bool { write != nil || transaction != nil }

    /// Waits until the writer thread has released its last call.
    func waitUntilGone() async throws {
      try await eventually("the write is released") { !isThere }
    }
  }

  /// Commits without waiting and returns weak references to the commit.
  private func written(
    _ session: Session, _ id: Int, then body: @escaping @Sendable () -> Void = {}
  ) throws -> WeakWrite {
    try session.beginWrite()
    Realm(session).create(Shelf.self, value: ["id": id])
    let write = try #require(try session.prepareCommit { _ in body() })
    return WeakWrite(write)
  }

  @Test func aDurableWriteIsReleased() async throws {
    let realm = try Realm(configuration: configuration)
    let durable = Signal()
    let write = try written(realm.session, 1) { durable.raise() }
    #expect(write.isThere)
    await durable.wait()
    try realm.session.finishPendingWrite()
    try await write.waitUntilGone()
    #expect(realm.objects(Shelf.self).count == 1)
  }

  /// Each commit builds on the previous one.
  @Test func aChainOfWritesIsReleased() async throws {
    let realm = try Realm(configuration: configuration)
    let writes = try (0..<20).map { try written(realm.session, $0) }
    try realm.session.finishPendingWrite()
    for write in writes { try await write.waitUntilGone() }
    #expect(realm.objects(Shelf.self).count == 20)
  }

  /// The session is released while the write is pending.
  @Test func aWriteIsReleasedWithoutItsSession() async throws {
    weak var session: Session?
    let write: WeakWrite
    do {
      let realm = try Realm(configuration: configuration)
      session = realm.session
      write = try written(realm.session, 1)
    }
    try await write.waitUntilGone()
    #expect(session == nil)
  }
}
