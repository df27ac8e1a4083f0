import CairnSystem
import CairnValues

/// An object that caches what it read of a session's present snapshot, such as results and
/// collections. It evicts the cache when the session advances, so that idle objects do not keep old
/// pages of the file in use.
public class _SnapshotCache {
  fileprivate var next: Unmanaged<_SnapshotCache>?
  fileprivate var previous: Unmanaged<_SnapshotCache>?
  /// The list that the object is part of; nil until it caches something.
  private var list: SnapshotCaches?

  init() {}

  deinit { list?.remove(self) }

  /// Registers the object; call this before caching something.
  final func willCache(_ session: Session) {
    guard list == nil else { return }
    list = session.snapshotCaches
    session.snapshotCaches.add(self)
  }

  /// Evicts the cache and returns its content, which the caller releases.
  func evict() -> Any? { requireOverride() }
}

/// The list of a session's snapshot caches. The references are unowned: each object leaves the list
/// when it ends, on any thread.
final class SnapshotCaches {
  private let first = Mutex<Unmanaged<_SnapshotCache>?>(nil)

  fileprivate func add(_ cache: _SnapshotCache) {
    first.withLock { first in
      let added = Unmanaged.passUnretained(cache)
      cache.next = first
      first?.takeUnretainedValue().previous = added
      first = added
    }
  }

  fileprivate func remove(_ cache: _SnapshotCache) {
    first.withLock { first in
      cache.next?.takeUnretainedValue().previous = cache.previous
      if let previous = cache.previous {
        previous.takeUnretainedValue().next = cache.next
      } else {
        first = cache.next
      }
    }
  }

  /// Evicts all caches.
  func evictAll() {
    // The contents are released outside the lock, because one may hold the last reference to
    // another object of the list.
    var evicted: [Any] = []
    first.withLock { first in
      var cache = first
      while let node = cache {
        node._withUnsafeGuaranteedRef { cache in
          if let content = cache.evict() { evicted.append(content) }
        }
        cache = node._withUnsafeGuaranteedRef { $0.next }
      }
    }
  }
}
