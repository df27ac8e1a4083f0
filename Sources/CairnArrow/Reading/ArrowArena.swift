internal import CairnIO

/// Memory for the arrays of some rows, freed at once. For use by one thread at a time.
final class ArrowArena {
  private var chunks: [UnsafeMutableRawBufferPointer] = []
  private var current = 0
  private var used = 0

  private static let chunkSize = 1 << 20
  private static let alignment = 16

  deinit { for chunk in chunks { chunk.deallocate() } }

  /// Allows the memory to be used again. Pointers to it become invalid.
  func removeAll() { (current, used) = (0, 0) }

  /// Returns memory with readable bytes behind it. Valid until `removeAll`.
  func allocate(_ count: Int) -> UnsafeMutableRawPointer {
    let size = (count + InputBlock.padding + Self.alignment - 1) & ~(Self.alignment - 1)
    while current < chunks.count, chunks[current].count - used < size {
      (current, used) = (current + 1, 0)
    }
    if current == chunks.count {
      chunks.append(
        .allocate(byteCount: max(size, Self.chunkSize), alignment: Self.alignment))
    }
    defer { used += size }
    guard let base = chunks[current].baseAddress else {
      preconditionFailure("a chunk has at least a byte")
    }
    return base + used
  }

  /// Returns memory for values. Valid until `removeAll`.
  func allocate<Value: BitwiseCopyable>(
    _ count: Int, of type: Value.Type
  ) -> UnsafeMutablePointer<Value> {
    allocate(count * MemoryLayout<Value>.stride).bindMemory(to: Value.self, capacity: count)
  }
}
