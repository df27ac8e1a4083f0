import Cairn
import CairnModelTestSupport
import CairnTestSupport
import Dispatch
import Foundation
import Testing

class Mutt: Object {
  @Persisted var name = ""
  @Persisted var age = 0
}

class Walker: Object {
  @Persisted var name = ""
  @Persisted var mutts: List<Mutt>
}

/// The observations of closures on a queue, for the test to read afterwards.
///
/// It has a lock although the test reads after the queue has written, because the thread sanitizer does not
/// see the order that a continuation makes.
private final class Log: Sendable {
  private let all = Locked<[String]>([])

  var lines: [String] {
    get { all.value }
    set { all.withLock { $0 = newValue } }
  }
}

/// Writes of a dispatch queue's realm.
@Suite(.tags(.threads)) struct QueueRealmTests {
  let configuration = Realm.Configuration(inMemoryIdentifier: "queues \(ObjectId.generate())")
  let queue = DispatchQueue(label: "cairn.tests")

  /// Runs a closure on the queue with its realm, and waits until it calls back.
  private func onQueue(
    _ body: @escaping @Sendable (Realm, Log, @escaping @Sendable () -> Void) throws -> Void
  ) async -> [String] {
    let (configuration, queue) = (configuration, queue)
    let log = Log()
    await withCheckedContinuation { done in
      queue.async {
        do {
          try body(try Realm(configuration: configuration, queue: queue), log) { done.resume() }
        } catch { Issue.record(error) }
      }
    }
    return log.lines
  }

  @Test func addsInTheBackground() async throws {
    let lines = await onQueue { realm, log, done in
      try realm.write { realm.add(Walker(value: ["name": "Dora"])) }
      let walker = realm.objects(Walker.self).where { $0.name == "Dora" }.first
      realm.writeAsync {
        walker?.mutts.append(objectsIn: [
          Mutt(value: ["name": "Bruno", "age": 13]), Mutt(value: ["name": "Lotte", "age": 9]),
          Mutt(value: ["name": "Momo", "age": 1]),
        ])
      } onComplete: { error in
        log.lines.append("\(String(describing: error)) \(walker?.mutts.count ?? -1)")
        log.lines.append("\(realm.objects(Mutt.self).where { $0.name == "Bruno" }.count)")
        done()
      }
      log.lines.append(
        "\(realm.isPerformingAsynchronousWriteOperations) \(walker?.mutts.count ?? -1)")
    }
    #expect(lines == ["true 0", "nil 3", "1"])
  }

  @Test func errorsRollBack() async throws {
    struct Refusal: Error {}
    let lines = await onQueue { realm, log, done in
      realm.writeAsync {
        realm.add(Mutt())
        throw Refusal()
      } onComplete: { error in
        log.lines.append("\(error is Refusal) \(realm.objects(Mutt.self).count)")
        done()
      }
    }
    #expect(lines == ["true 0"])
  }

  @Test func anUncommittedWriteIsDropped() async throws {
    let lines = await onQueue { realm, log, done in
      realm.beginAsyncWrite { realm.add(Mutt(value: ["name": "dropped"])) }
      realm.beginAsyncWrite {
        log.lines.append("\(realm.objects(Mutt.self).count)")
        let mutt = Mutt(value: ["name": "kept"])
        realm.add(mutt)
        realm.commitAsyncWrite { error in
          log.lines.append("\(error == nil) \(mutt.name) \(realm.isInWriteTransaction)")
          done()
        }
        log.lines.append("\(mutt.name) \(realm.isInWriteTransaction)")
        log.lines.append("\(realm.objects(Mutt.self).where { $0.name == "kept" }.count)")
      }
    }
    #expect(lines == ["0", "kept false", "1", "true kept false"])
  }

  @Test func asynchronousWritesCanBeCancelled() async throws {
    let lines = await onQueue { realm, log, done in
      let first = realm.beginAsyncWrite { log.lines.append("first") }
      let second = realm.writeAsync {
        log.lines.append("second")
      } onComplete: { _ in
        log.lines.append("second done")
      }
      realm.writeAsync {
        log.lines.append("third")
        realm.add(Mutt())
        realm.cancelWrite()
      } onComplete: { error in
        log.lines.append("third \(error == nil) \(realm.objects(Mutt.self).count)")
      }
      try realm.cancelAsyncWrite(first)
      try realm.cancelAsyncWrite(second)
      realm.beginAsyncWrite {
        realm.add(Mutt())
        let commit = realm.commitAsyncWrite { _ in log.lines.append("never") }
        try? realm.cancelAsyncWrite(commit)
        realm.writeAsync {
        } onComplete: { _ in
          log.lines.append("\(realm.objects(Mutt.self).count)")
          done()
        }
      }
    }
    #expect(lines == ["third", "third true 0", "1"])
  }

  @Test func synchronousWritesRunBetweenAsynchronousOnes() async throws {
    let lines = await onQueue { realm, log, done in
      for turn in 0..<10 {
        realm.writeAsync { realm.add(Mutt(value: ["name": "later", "age": turn])) }
        try realm.write { realm.add(Mutt(value: ["name": "at once", "age": turn])) }
      }
      log.lines.append("\(realm.objects(Mutt.self).count)")
      realm.writeAsync {
      } onComplete: { _ in
        let ages = realm.objects(Mutt.self).where { $0.name == "later" }.map(\.age)
        log.lines.append("\(Array(ages) == Array(0..<10)) \(realm.objects(Mutt.self).count)")
        log.lines.append("\(realm.isPerformingAsynchronousWriteOperations)")
        done()
      }
    }
    #expect(lines == ["10", "true 20", "false"])
  }

  @Test func aQueueHasOneRealm() async throws {
    let (configuration, queue) = (configuration, queue)
    let lines = await onQueue { realm, log, done in
      log.lines.append("\(realm == (try Realm(configuration: configuration, queue: queue)))")
      log.lines.append("\(realm == (try Realm(configuration: configuration)))")
      done()
    }
    #expect(lines == ["true", "true"])
  }
}

/// The errors of asynchronous writes where they are not possible.
@Suite(.tags(.threads)) struct AsyncWriteErrorTests {
  @Test func aPlainThreadHasNoQueue() {
    let text = Misuse.trap("asynchronous write: on a thread without a queue")
    #expect(text.contains("Cannot schedule async transaction: "))
  }

  @Test func aReadOnlyStore() async throws {
    let temporary = try TemporaryRealm()
    var configuration = temporary.realm.configuration
    configuration.readOnly = true
    let actor = try await ErrandActor(configuration)
    await #expect(throws: Realm.Error.self) { try await actor.add("never") }
    _ = temporary
  }
}
