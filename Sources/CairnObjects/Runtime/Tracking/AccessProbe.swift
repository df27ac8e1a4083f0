import CairnSystem
import Observation

/// An access that finds out whether accesses are recorded, with the public functions of the
/// Observation library. It takes four times as long as a read of a property, so reads use it only
/// where the library's thread-local word is unknown.
enum AccessProbe {
  /// Whether the library records accesses on the calling thread; false where the system has no
  /// Observation, and true if a probe cannot find out.
  static var isRecorded: Bool {
    guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return false }
    return Probe.isReliable ? Probe.isRecorded : true
  }

  /// Whether a probe finds out within a tracking that it is recorded.
  static var isReliable: Bool {
    guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return false }
    return Probe.isReliable
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
private final class Probe {
  private let registrar = ObservationRegistrar()
  private let subject = Subject()
  private let index: Index
  /// Made once, because that takes most of the time of a probe.
  private let keyPath: KeyPath<Subject, Void>

  private init() {
    let index = Index()
    self.index = index
    keyPath = \.[index]
  }

  /// Accesses a subject. The library stores the key path of a recorded access in a set, and so
  /// hashes its index.
  private func access() -> Bool {
    registrar.access(subject, keyPath: keyPath)
    return index.isHashed
  }

  static let isReliable: Bool = {
    var isRecorded = false
    withObservationTracking {
      isRecorded = Probe().access()
    } onChange: {
    }
    return isRecorded
  }()

  /// The probe that the calling thread keeps for its next call. A probe that was recorded is not
  /// kept, because trackings refer to it.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key) { Probe.release($0) } == 0 ? key : nil
  }()

  static var isRecorded: Bool {
    guard let key else { return Probe().access() }
    if let kept = pthread_getspecific(key) {
      guard Unmanaged<Probe>.fromOpaque(kept).takeUnretainedValue().access() else { return false }
      pthread_setspecific(key, nil)
      release(kept)
      return true
    }
    let probe = Probe()
    if probe.access() { return true }
    pthread_setspecific(key, Unmanaged.passRetained(probe).toOpaque())
    return false
  }

  private static func release(_ probe: UnsafeMutableRawPointer?) {
    if let probe { Unmanaged<Probe>.fromOpaque(probe).release() }
  }

  private struct Subject: Observable {
    subscript(index: Index) -> Void { () }
  }

  private final class Index: Hashable, @unchecked Sendable {
    // Sendable: only the thread of its probe hashes it.
    private(set) var isHashed = false

    static func == (a: Index, b: Index) -> Bool { a === b }
    func hash(into hasher: inout Hasher) { isHashed = true }
  }
}
