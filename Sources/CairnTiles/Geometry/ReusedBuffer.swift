/// An array that keeps its memory for the next use.
///
/// Swift checks each access to an array in a class for exclusivity, which costs more than the work on
/// a vertex. It does not check the memory behind a pointer.
final class ReusedBuffer<Element: BitwiseCopyable> {
  /// The memory of the elements; valid until the next change.
  private(set) var elements: UnsafeMutablePointer<Element>
  private var capacity: Int
  private(set) var count = 0

  /// - Parameter capacity: The number of elements to have memory for at first, at least 1.
  init(capacity: Int = 1024) {
    self.capacity = capacity
    elements = .allocate(capacity: capacity)
  }

  deinit { elements.deallocate() }

  @inline(__always)
  subscript(index: Int) -> Element {
    get {
      assert(index >= 0 && index < count, "the element does not exist")
      return elements[index]
    }
    set {
      assert(index >= 0 && index < count, "the element does not exist")
      elements[index] = newValue
    }
  }

  /// The elements; valid until the next change.
  var contents: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: elements, count: count) }

  /// The last element, or nil if the buffer is empty.
  @inline(__always)
  var last: Element? { count == 0 ? nil : elements[count - 1] }

  @inline(__always)
  func append(_ element: Element) {
    if count == capacity { grow() }
    elements[count] = element
    count += 1
  }

  /// Appends elements of other memory.
  func append(contentsOf more: UnsafeBufferPointer<Element>) {
    guard let start = more.baseAddress else { return }
    while capacity < count + more.count { grow() }
    (elements + count).update(from: start, count: more.count)
    count += more.count
  }

  /// Replaces the content by a number of elements.
  ///
  /// - Parameter initialize: Writes all elements to the memory.
  func replaceAll(count: Int, by initialize: (UnsafeMutableBufferPointer<Element>) -> Void) {
    while capacity < count { grow() }
    initialize(UnsafeMutableBufferPointer(start: elements, count: count))
    self.count = count
  }

  /// Removes and returns the last element, or returns nil if the buffer is empty.
  @inline(__always)
  func popLast() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    return elements[count]
  }

  private func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
    larger.update(from: elements, count: count)
    elements.deallocate()
    elements = larger
    capacity *= 2
  }

  /// Removes the elements from an index on.
  func removeAll(from index: Int = 0) {
    assert(index >= 0 && index <= count, "the index is outside of the elements")
    count = index
  }
}
