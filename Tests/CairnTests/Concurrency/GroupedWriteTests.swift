import Cairn
import CairnTestSupport
import Dispatch
import Foundation
import Testing

class Parcel: Object {
  @Persisted(primaryKey: true) var number = 0
  @Persisted var place: GeoPoint?
}

/// The notes of a queue, for the test to read afterwards.
///
/// They have a lock although the test reads after the queue has written, because the thread sanitizer does
/// not see the order that a continuation makes.
private final class Notes: Sendable {
  private let all = Locked<(numbers: [Int], failures: [String])>(([], []))

  var numbers: [Int] {
    get { all.value.numbers }
    set { all.withLock { $0.numbers = newValue } }
  }

  var failures: [String] {
    get { all.value.failures }
    set { all.withLock { $0.failures = newValue } }
  }
}

/// An actor that delivers parcels.
private actor Postman {
  private var realm: Realm?

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  func deliver(_ numbers: Range<Int>) async throws {
    guard let realm else { return }
    for number in numbers {
      try await realm.asyncWrite { realm.add(Parcel(value: ["number": number])) }
    }
  }
}

/// Writes that become durable in one group commit.
@Suite(.tags(.threads)) struct GroupedWriteTests {
  private let configuration: Realm.Configuration
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    configuration = Realm.Configuration(fileURL: folder.url.appendingPathComponent("parcels.cairn"))
  }

  /// Runs a closure on a queue with a realm of that queue, and waits until it calls back.
  private func onQueue(
    _ body: @escaping @Sendable (Realm, Notes, @escaping @Sendable () -> Void) throws -> Void
  ) async -> Notes {
    let (configuration, queue) = (configuration, DispatchQueue(label: "cairn.parcels"))
    let notes = Notes()
    await withCheckedContinuation { done in
      queue.async {
        do {
          try body(try Realm(configuration: configuration, queue: queue), notes) { done.resume() }
        } catch { Issue.record(error) }
      }
    }
    return notes
  }

  @Test func consecutiveAsynchronousWrites() async throws {
    let notes = await onQueue { realm, notes, done in
      let parcels = realm.objects(Parcel.self)
      for number in 0..<50 {
        realm.beginWrite()
        realm.add(Parcel(value: ["number": number]))
        realm.commitAsyncWrite(allowGrouping: true) { error in
          notes.numbers.append(number)
          if let error { notes.failures.append("\(error)") }
          if number == 49 { done() }
        }
        // The realm shows the object immediately.
        if parcels.count != number + 1 { notes.failures.append("\(number): \(parcels.count)") }
        if realm.object(ofType: Parcel.self, forPrimaryKey: number) == nil {
          notes.failures.append("\(number) is missing")
        }
      }
    }
    #expect(notes.numbers == Array(0..<50), "each write is confirmed, in order")
    #expect(notes.failures == [])
    #expect(try Realm(configuration: configuration).objects(Parcel.self).count == 50)
  }

  @Test func aCancelledWriteDoesNotAffectPendingOnes() async throws {
    let notes = await onQueue { realm, notes, done in
      let parcels = realm.objects(Parcel.self)
      realm.beginWrite()
      realm.add(Parcel(value: ["number": 1]))
      realm.commitAsyncWrite(allowGrouping: true)
      realm.beginWrite()
      let dropped = Parcel(value: ["number": 2])
      realm.add(dropped)
      notes.numbers.append(parcels.count)
      realm.cancelWrite()
      notes.numbers.append(parcels.count)
      if !dropped.isInvalidated { notes.failures.append("the cancelled object is valid") }
      realm.beginWrite()
      realm.cancelWrite()
      notes.numbers.append(parcels.count)
      realm.beginWrite()
      realm.add(Parcel(value: ["number": 3]))
      realm.commitAsyncWrite { _ in
        notes.numbers.append(parcels.count)
        if !dropped.isInvalidated { notes.failures.append("the cancelled object is valid again") }
        done()
      }
    }
    #expect(notes.numbers == [2, 1, 1, 2])
    #expect(notes.failures == [])
  }

  /// A write that waits for the disk is durable only when the earlier asynchronous writes are.
  @Test func aWaitingWriteIsDurableLast() async throws {
    let notes = await onQueue { realm, notes, done in
      for number in 0..<10 {
        realm.beginWrite()
        realm.add(Parcel(value: ["number": number]))
        realm.commitAsyncWrite(allowGrouping: true)
      }
      try realm.write { realm.add(Parcel(value: ["number": 10])) }
      notes.numbers.append(realm.objects(Parcel.self).count)
      realm.beginWrite()
      realm.add(Parcel(value: ["number": 11]))
      realm.commitAsyncWrite(allowGrouping: true)
      realm.refresh()
      notes.numbers.append(realm.objects(Parcel.self).freeze().count)
      done()
    }
    #expect(notes.numbers == [11, 12])
    #expect(try Realm(configuration: configuration).objects(Parcel.self).count == 12)
  }

  @Test func actorsThatWriteConcurrently() async throws {
    let each = 20
    let configuration = configuration
    try await withThrowingTaskGroup(of: Void.self) { group in
      for courier in 0..<8 {
        group.addTask {
          try await Postman(configuration).deliver(courier * each..<(courier + 1) * each)
        }
      }
      try await group.waitForAll()
    }
    let numbers = try Realm(configuration: configuration).objects(Parcel.self)
      .map(\.number).sorted()
    #expect(numbers == Array(0..<8 * each))
  }
}
