internal import CairnIO
import CairnSystem

/// Bytes that grow, for the values of a column. They are kept for the next batch.
package final class ColumnMemory {
  private(set) var base: UnsafeMutableRawPointer
  private(set) var count = 0
  private var capacity: Int

  /// The number of readable bytes behind the last one, as parsers load whole words.
  private static let padding = InputBlock.padding

  init(capacity: Int = 256) {
    self.capacity = capacity
    base = .allocate(byteCount: capacity + Self.padding, alignment: 16)
  }

  deinit { base.deallocate() }

  /// The number of bytes, for other modules: each access to a property that they see is checked for
  /// exclusivity.
  package var size: Int { count }

  func removeAll() { count = 0 }

  /// Appends bytes that the caller fills, and returns their address, which is valid until the next
  /// append.
  @inline(__always)
  package func appendSpace(_ size: Int) -> UnsafeMutableRawPointer {
    assert(size >= 0, "the number of bytes is negative")
    if count + size > capacity { grow(by: size) }
    defer { count += size }
    return base + count
  }

  @inline(__always)
  package func append<Number: BitwiseCopyable>(_ number: Number) {
    appendSpace(MemoryLayout<Number>.size).storeBytes(of: number, as: Number.self)
  }

  @inline(__always)
  package func append(_ start: UnsafeRawPointer, count size: Int) {
    appendSpace(size).copyMemory(from: start, byteCount: size)
  }

  package func append(bytes: UnsafeRawBufferPointer) {
    if let start = bytes.baseAddress { append(start, count: bytes.count) }
  }

  package func append(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      if let start = bytes.baseAddress { append(start, count: bytes.count) }
    }
  }

  /// Overwrites a number that was appended at an offset.
  func set<Number: BitwiseCopyable>(_ number: Number, at offset: Int) {
    assert(offset >= 0 && offset + MemoryLayout<Number>.size <= count, "nothing was appended there")
    base.storeBytes(of: number, toByteOffset: offset, as: Number.self)
  }

  /// All bytes; valid until the next append. Readable bytes follow them.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  private func grow(by size: Int) {
    capacity = max(capacity * 2, count + size)
    let larger = UnsafeMutableRawPointer.allocate(
      byteCount: capacity + Self.padding, alignment: 16)
    larger.copyMemory(from: base, byteCount: count)
    base.deallocate()
    base = larger
  }
}
