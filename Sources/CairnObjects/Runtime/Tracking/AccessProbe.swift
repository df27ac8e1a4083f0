import Observation

/// An access that finds out whether accesses are recorded, with the public functions of the
/// Observation library. It allocates memory, so reads use it only where the library's thread-local
/// word is unknown.
enum AccessProbe {
  /// Whether the library records accesses on the calling thread; false where the system has no
  /// Observation.
  static var isRecorded: Bool {
    guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return false }
    return Probe().isRecorded()
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
private struct Probe {
  private let registrar = ObservationRegistrar()
  private let index = Index()

  /// Accesses a subject. The library stores the key path of a recorded access in a set, and so
  /// hashes its index.
  func isRecorded() -> Bool {
    registrar.access(Subject(), keyPath: \.[index])
    return index.isHashed
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
