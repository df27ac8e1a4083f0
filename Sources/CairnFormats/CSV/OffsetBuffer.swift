/// A growing list of offsets at a fixed address, for as long as it is not added to.
final class OffsetBuffer {
  private(set) var base: UnsafeMutablePointer<UInt32>
  private(set) var count = 0
  private var capacity = 1024

  init() { base = .allocate(capacity: capacity) }

  deinit { base.deallocate() }

  func removeAll() { count = 0 }

  func append(_ offsets: UnsafePointer<UInt32>, _ more: Int) {
    reserve(count + more)
    (base + count).update(from: offsets, count: more)
    count += more
  }

  func append(_ offset: UInt32) {
    reserve(count + 1)
    base[count] = offset
    count += 1
  }

  private func reserve(_ needed: Int) {
    guard needed > capacity else { return }
    capacity = max(needed, capacity * 2)
    let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }
}
