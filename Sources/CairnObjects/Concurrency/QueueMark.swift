import CairnValues
import Dispatch

/// What a dispatch queue is known by: several `DispatchQueue`s may stand for one queue.
final class QueueMark: Hashable, @unchecked Sendable {
  // Sendable: nothing in it changes.
  private let key = DispatchSpecificKey<Bool>()

  private static let marks = Mutex(DispatchSpecificKey<QueueMark>())

  /// The mark of a queue.
  static func of(_ queue: DispatchQueue) -> QueueMark {
    marks.withLock { marks in
      if let known = queue.getSpecific(key: marks) { return known }
      let mark = QueueMark()
      queue.setSpecific(key: marks, value: mark)
      queue.setSpecific(key: mark.key, value: true)
      return mark
    }
  }

  /// Whether the caller runs on the queue.
  var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

  static func == (a: QueueMark, b: QueueMark) -> Bool { a === b }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
