import CairnValues
import Dispatch

/// What a dispatch queue is known by: several `DispatchQueue`s may stand for one queue.
final class QueueMark: Hashable, @unchecked Sendable {
  // Sendable: nothing in it changes.
  private let key = DispatchSpecificKey<Bool>()
  /// The label of the queue, for messages.
  let label: String

  private static let marks = Mutex(DispatchSpecificKey<QueueMark>())

  /// The mark of the main queue.
  static let main = QueueMark.of(.main)

  private init(_ label: String) { self.label = label }

  /// The mark of a queue.
  static func of(_ queue: DispatchQueue) -> QueueMark {
    marks.withLock { marks in
      if let known = queue.getSpecific(key: marks) { return known }
      let mark = QueueMark(queue.label)
      queue.setSpecific(key: marks, value: mark)
      queue.setSpecific(key: mark.key, value: true)
      return mark
    }
  }

  /// The mark of the queue that the caller runs on; nil for a queue that has none yet.
  static var current: QueueMark? { marks.withLock { DispatchQueue.getSpecific(key: $0) } }

  /// Whether the caller runs on the queue.
  var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

  static func == (a: QueueMark, b: QueueMark) -> Bool { a === b }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
