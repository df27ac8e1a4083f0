/// Elements in memory that grows. The owner must deallocate it.
struct GrowingMemory<Element: BitwiseCopyable> {
  /// The elements; valid until the next append.
  private(set) var elements: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int) {
    assert(capacity > 0, "the memory cannot grow from nothing")
    self.capacity = capacity
    elements = .allocate(capacity: capacity)
  }

  func deallocate() { elements.deallocate() }

  mutating func append(_ element: Element) {
    if count == capacity { grow(to: count + 1) }
    elements[count] = element
    count += 1
  }

  mutating func append(_ more: UnsafeBufferPointer<Element>) {
    guard let base = more.baseAddress else { return }
    if count + more.count > capacity { grow(to: count + more.count) }
    (elements + count).update(from: base, count: more.count)
    count += more.count
  }

  private mutating func grow(to needed: Int) {
    while capacity < needed { capacity *= 2 }
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    larger.update(from: elements, count: count)
    elements.deallocate()
    elements = larger
  }

  /// Removes all elements, and keeps the memory.
  mutating func removeAll() { count = 0 }
}
