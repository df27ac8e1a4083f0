import CairnSystem

/// Parts of a file that were unpacked, for as long as a thread uses them, so that others need not unpack
/// them again.
final class SharedParts<Key: Hashable & Sendable, Part: AnyObject & Sendable>: Sendable {
  private struct Loan: Sendable {
    weak var part: Part?
  }

  /// The place of a part, which one thread at a time makes.
  private final class Slot: Sendable {
    let loan = Mutex(Loan())
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
    return try slot.loan.withLock { (loan) throws(Failure) in
      if let part = loan.part { return part }
      let part = try make()
      loan.part = part
      return part
    }
  }
}
