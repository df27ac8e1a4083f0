/// Distinct byte strings, numbered in the order of their first occurrence.
package final class DistinctBytes {
  private struct Entry: BitwiseCopyable {
    let hash: UInt64
    let start: Int
    let end: Int
  }

  /// The strings, one after the other.
  private var arena = GrowingMemory<UInt8>(capacity: 1 << 8)
  private var entries = GrowingMemory<Entry>(capacity: 1 << 5)
  /// The numbers of the strings after that of their hash, counted from 1; 0 for a free slot.
  private var slots: UnsafeMutablePointer<UInt32>
  /// A power of two, at least twice the number of strings.
  private var slotCount = 64

  /// Creates an empty table.
  package init() {
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: 0, count: slotCount)
  }

  deinit {
    slots.deallocate()
    arena.deallocate()
    entries.deallocate()
  }

  /// The number of strings.
  package var count: Int { entries.count }

  /// A string; valid until the next change.
  package subscript(number: Int) -> UnsafeRawBufferPointer {
    assert(number >= 0 && number < count, "the table does not have the string")
    let entry = entries.elements[number]
    return UnsafeRawBufferPointer(
      start: arena.elements + entry.start, count: entry.end - entry.start)
  }

  /// The number of a string. A new string gets the next number.
  package func number(of bytes: UnsafeRawBufferPointer) -> Int {
    let hash = Self.hash(bytes)
    var slot = self.slot(of: hash)
    while slots[slot] != 0 {
      let number = Int(slots[slot]) - 1
      if entries.elements[number].hash == hash, isEqual(self[number], bytes) { return number }
      slot = (slot + 1) & (slotCount - 1)
    }
    if count * 2 == slotCount {
      grow()
      slot = freeSlot(of: hash)
    }
    assert(slot >= 0 && slot < slotCount && slots[slot] == 0, "the slot is not free")
    let start = arena.count
    arena.append(bytes.assumingMemoryBound(to: UInt8.self))
    entries.append(Entry(hash: hash, start: start, end: arena.count))
    slots[slot] = UInt32(count)
    return count - 1
  }

  private func isEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard one.count == other.count else { return false }
    guard let start = one.baseAddress, let otherStart = other.baseAddress else { return true }
    return memcmp(start, otherStart, one.count) == 0
  }

  /// Removes all strings, and keeps the memory.
  package func removeAll() {
    if count * 16 < slotCount {
      clearUsedSlots()
    } else {
      slots.update(repeating: 0, count: slotCount)
    }
    arena.removeAll()
    entries.removeAll()
  }

  /// Clears the slots of few strings among many. The slots before that of a string belong to earlier
  /// ones, so the last string goes first.
  private func clearUsedSlots() {
    for number in (0..<count).reversed() {
      var slot = slot(of: entries.elements[number].hash)
      while slots[slot] != UInt32(number + 1) { slot = (slot + 1) & (slotCount - 1) }
      slots[slot] = 0
    }
  }

  private func slot(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slotCount - 1) }

  private func freeSlot(of hash: UInt64) -> Int {
    var slot = slot(of: hash)
    while slots[slot] != 0 { slot = (slot + 1) & (slotCount - 1) }
    return slot
  }

  /// Doubles the number of slots.
  private func grow() {
    assert(slotCount & (slotCount - 1) == 0, "the number of slots is a power of two")
    slotCount *= 2
    slots.deallocate()
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: 0, count: slotCount)
    for number in 0..<count {
      slots[freeSlot(of: entries.elements[number].hash)] = UInt32(number + 1)
    }
  }

  /// A hash of the words of a string.
  package static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var state = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
    var index = 0
    while index + 8 <= bytes.count {
      state = mixed(state ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index += 8
    }
    var rest: UInt64 = 0
    while index < bytes.count {
      rest = rest << 8 | UInt64(bytes[index])
      index += 1
    }
    return mixed(state ^ rest)
  }

  private static func mixed(_ word: UInt64) -> UInt64 {
    let (high, low) = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return high ^ low
  }
}
