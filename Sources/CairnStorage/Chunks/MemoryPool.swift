/// Memory of chunks that were edited, kept for the next ones: what the system hands out anew costs a fault a page.
final class MemoryPool: @unchecked Sendable {
  // Sendable: what changes is touched under `lock`.
  static let shared = MemoryPool()

  private let lock = Lock()
  private var free: [Int: [UnsafeMutableRawPointer]] = [:]
  private var size = 0

  /// Bytes that are kept at most, and pieces that are not worth it.
  private static let most = 4 << 20
  private static let small = 1 << 12

  /// So many bytes, with anything in them.
  func take(_ count: Int) -> UnsafeMutableRawPointer {
    if count > Self.small, let known = lock.withLock({ pop(count) }) { return known }
    return .allocate(byteCount: count, alignment: 16)
  }

  /// Takes back what `take` gave.
  func give(_ memory: UnsafeMutableRawPointer, _ count: Int) {
    if count > Self.small, lock.withLock({ push(memory, count) }) { return }
    memory.deallocate()
  }

  private func pop(_ count: Int) -> UnsafeMutableRawPointer? {
    guard let known = free[count]?.popLast() else { return nil }
    size -= count
    return known
  }

  private func push(_ memory: UnsafeMutableRawPointer, _ count: Int) -> Bool {
    guard size + count <= Self.most else { return false }
    size += count
    free[count, default: []].append(memory)
    return true
  }
}
