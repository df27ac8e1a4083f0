import CairnValues

/// Something that remembers what it read of a session's present state, as results and collections do. When the session goes
/// on to another state it forgets that, so that what a program holds idle keeps no old pages of the file.
public class _StateMemory {
  fileprivate var next: Unmanaged<_StateMemory>?
  fileprivate var previous: Unmanaged<_StateMemory>?
  /// Those that the session lets forget, this one among them; nil until it remembers something.
  private var home: StateMemories?

  init() {}

  deinit { home?.remove(self) }

  /// To be called before something is remembered.
  final func willRemember(_ session: Session) {
    guard home == nil else { return }
    home = session.memories
    session.memories.add(self)
  }

  /// Forgets what was remembered, and gives it away.
  func surrender() -> Any? { nil }
}

/// What remembers something of the state of a session. It keeps none of them: each leaves when it ends, on whatever thread.
final class StateMemories {
  private let first = Mutex<Unmanaged<_StateMemory>?>(nil)

  fileprivate func add(_ memory: _StateMemory) {
    first.withLock { first in
      let added = Unmanaged.passUnretained(memory)
      memory.next = first
      first?.takeUnretainedValue().previous = added
      first = added
    }
  }

  fileprivate func remove(_ memory: _StateMemory) {
    first.withLock { first in
      memory.next?.takeUnretainedValue().previous = memory.previous
      if let previous = memory.previous {
        previous.takeUnretainedValue().next = memory.next
      } else {
        first = memory.next
      }
    }
  }

  /// Lets all of them forget.
  func forgetAll() {
    // What is given away ends outside the lock: it may be the last to hold another of them.
    var forgotten: [Any] = []
    first.withLock { first in
      var memory = first
      while let here = memory {
        here._withUnsafeGuaranteedRef { memory in
          if let content = memory.surrender() { forgotten.append(content) }
        }
        memory = here._withUnsafeGuaranteedRef { $0.next }
      }
    }
  }
}
