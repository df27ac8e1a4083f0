import CairnModelTestSupport
import CairnStorage
import CairnSystem
import CairnTestSupport
import Observation
import Testing

@testable import CairnObjects

/// The assumptions of `docs/toolchain.md`. Each failure names the page, which tells the fallback that
/// programs take meanwhile.
@Suite(
  .enabled(if: Shortcuts.areAllowed, "CAIRN_PLAIN=1 forces the fallbacks of docs/toolchain.md"))
struct ToolchainTests {
  private static let page: Comment = "an assumption of docs/toolchain.md no longer holds"

  @Test func threadsHavePointersOfTheirOwn() async throws {
    #expect(ThreadFacts.havePointers, Self.page)
    let seen = Mutex<[UInt]>([])
    let threads = (0..<8).map { _ in
      Threads.startJoinable {
        let pointer = Caller.threadPointer
        seen.withLock { $0.append(pointer) }
        // All threads live until the last one has come.
        while seen.withLock({ $0.count }) < 8 { sched_yield() }
        if Caller.threadPointer != pointer { seen.withLock { $0.append(pointer) } }
      }
    }
    for thread in threads { thread.join() }
    #expect(seen.withLock { Set($0).count } == 8, Self.page)
    #expect(seen.withLock { $0.count } == 8, Self.page)
  }

  @Test func theWordOfTheObservationLibraryIsFound() {
    #if canImport(Glibc) || canImport(Darwin)
    #expect(ThreadFacts.trackingWord != nil, Self.page)
    let word = TrackingScope.word(of: Caller.threadPointer)
    #expect(!TrackingScope.mayBeActive(wordAt: word), Self.page)
    withObservationTracking {
      #expect(TrackingScope.mayBeActive(wordAt: word), Self.page)
    } onChange: {
    }
    #expect(!TrackingScope.mayBeActive(wordAt: word), Self.page)
    #endif
    #expect(TrackingScope.mayBeActive(wordAt: TrackingScope.unknownWord))
  }

  @Test func theRuntimeTellsTasksAndExecutors() async {
    #expect(Caller.knowsTasks, Self.page)
    #expect(Caller.task != nil, Self.page)
    let outside = Mutex<(UInt64?, UInt)>((1, 1))
    Threads.startJoinable {
      let here = (Caller.task, Executor.current.identity)
      outside.withLock { $0 = here }
    }.join()
    #expect(outside.withLock { $0.0 } == nil && outside.withLock { $0.1 } == 0, Self.page)
    let main = await MainActor.run { Executor.current == Executor.main }
    #expect(main && Executor.main.identity != 0, Self.page)
  }

  /// The offsets of fields, which the runtime reports, are where the compiler has put them.
  @Test func fieldsAreWhereTheRuntimeSays() {
    let object = FieldModel(first: 1, second: "two", third: 3.5)
    let fields = Field.fields(of: FieldModel.self)
    let names = ["row", "isOpen", "_first", "note", "any", "_second", "_third"]
    #expect(fields.map(\.name) == names, Self.page)
    func state<Value: _Persistable>(_ name: String, _ type: Value.Type) -> Value? {
      guard let field = fields.first(where: { $0.name == name }),
        field.type == Persisted<Value>.self,
        case .value(let value) = object.storage(at: field.offset)
          .assumingMemoryBound(to: Persisted<Value>.self).pointee.state
      else { return nil }
      return value
    }
    #expect(state("_first", Int.self) == 1, Self.page)
    #expect(state("_second", String.self) == "two", Self.page)
    #expect(state("_third", Double?.self) == 3.5, Self.page)
  }

  /// The binder copies and compares the bits of properties, and takes an optional of one class for an
  /// optional of any.
  @Test func theBitsOfPropertiesAreUnderstood() {
    for type in [TrackedCity.self, TrackedPerson.self, TrackedSeal.self, FieldModel.self]
      as [ObjectBase.Type]
    {
      for property in ObjectLayout.of(type).properties {
        #expect(property.representation != .typed, "\(property.name): \(Self.page.rawValue)")
      }
    }
    #expect(MemoryLayout<Persisted<Int>>.offset(of: \.state) == 0, Self.page)
    #expect(MemoryLayout<Persisted<TrackedCity?>>.offset(of: \.state) == 0, Self.page)
  }

  /// The cache of chunks takes the address of a view for that of its first field.
  @Test func aViewBeginsWithItsNumbers() {
    #expect(MemoryLayout<ChunkView>.offset(of: \.numbers) == 0, Self.page)
  }

  /// This module has copies of constants of CairnStorage, because Swift does not inline those.
  @Test func copiesAgree() {
    #expect(1 << RowLayout.shift == ChunkShape.rows)
    #expect(RowLayout.rowMask == ChunkShape.rows - 1)
  }
}

/// The fallback of the fallback: an access that is recorded tells that accesses are.
@Suite struct AccessProbeTests {
  @Test func probesTellWhetherAccessesAreRecorded() {
    #expect(AccessProbe.isReliable, "an assumption of docs/toolchain.md no longer holds")
    for _ in 0..<3 {
      #expect(!AccessProbe.isRecorded && !TrackingScope.isActive)
      withObservationTracking {
        #expect(AccessProbe.isRecorded && TrackingScope.isActive)
        #expect(AccessProbe.isRecorded)
      } onChange: {
      }
    }
  }

  @Test func probesOfOneThreadSayNothingAboutOthers() {
    let others = Mutex<[Bool]>([])
    withObservationTracking {
      Threads.startJoinable {
        let isRecorded = AccessProbe.isRecorded
        others.withLock { $0.append(isRecorded) }
      }.join()
    } onChange: {
    }
    #expect(others.withLock { $0 } == [false])
  }
}

/// A class with fields that are no properties.
private final class FieldModel: Object {
  var isOpen = true
  @Persisted var first = 0
  var note: String? = "note"
  var any: any CustomStringConvertible = 7
  @Persisted var second = ""
  @Persisted var third: Double?

  convenience init(first: Int, second: String, third: Double?) {
    self.init()
    self.first = first
    self.second = second
    self.third = third
  }
}
