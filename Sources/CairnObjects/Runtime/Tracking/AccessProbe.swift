import CairnSystem
import Observation

/// An access that finds out whether accesses are recorded, with the public functions of the
/// Observation library.
enum AccessProbe {
  /// Whether the library records accesses on the calling thread; false where the system has no
  /// Observation.
  static var isRecorded: Bool {
    guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return false }
    return ReusedProbe.all[Int(Caller.thread >> 12 & 63)].isRecorded
  }
}

/// A probe that several threads use in turn, so that an access that is not recorded allocates
/// nothing.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
private final class ReusedProbe: Sendable {
  static let all = (0..<64).map { _ in ReusedProbe() }

  private let probe = Mutex(Probe())

  var isRecorded: Bool {
    probe.withLock { probe in
      guard probe.isRecorded() else { return false }
      // The tracking keeps what it records of the old probe, and releases it.
      probe = Probe()
      return true
    }
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
private struct Probe {
  private let registrar = ObservationRegistrar()
  private let index = Index()
  private let keyPath: KeyPath<Subject, Void>

  init() {
    let index = index
    keyPath = \.[index]
  }

  /// Accesses the subject. The library stores the key path of a recorded access in a set, and so
  /// hashes its index.
  func isRecorded() -> Bool {
    registrar.access(Subject(), keyPath: keyPath)
    return index.isHashed
  }

  private struct Subject: Observable {
    subscript(index: Index) -> Void { () }
  }

  private final class Index: Hashable, @unchecked Sendable {
    // Sendable: a lock protects the probe until the first recorded access ends its use.
    private(set) var isHashed = false

    static func == (a: Index, b: Index) -> Bool { a === b }
    func hash(into hasher: inout Hasher) { isHashed = true }
  }
}
