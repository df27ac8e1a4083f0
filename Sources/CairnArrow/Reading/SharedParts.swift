import CairnSystem

/// Parts of a file that were unpacked, for as long as a thread uses them, so that others need not unpack
/// them again.
final class SharedParts<Key: Hashable & Sendable, Part: AnyObject & Sendable>: Sendable {
  // Sendable: `lock` guards the part.
  private final class Slot: @unchecked Sendable {
    let lock = Lock()
    weak var part: Part?
  }

  private let slots = Mutex<[Key: Slot]>([:])

  /// Returns a part, which is made if no thread uses it.
  func part<Failure: Error>(
    _ key: Key, _ make: () throws(Failure) -> Part
  ) throws(Failure) -> Part {
    let slot = slots.withLock { slots in
      if let slot = slots[key] { return slot }
      let slot = Slot()
      slots[key] = slot
      return slot
    }
    return try slot.lock.withLock { () throws(Failure) in
      if let part = slot.part { return part }
      let part = try make()
      slot.part = part
      return part
    }
  }
}
