/// Operations on ranges of bytes through the C library, which is fast in builds without optimization too.
extension UnsafeRawBufferPointer {
  /// Whether every byte is zero; true for an empty range. O(n).
  package var isZero: Bool {
    guard let base = baseAddress, count > 0 else { return true }
    return base.load(as: UInt8.self) == 0 && memcmp(base, base + 1, count - 1) == 0
  }

  /// Returns whether the bytes come before `other` in lexicographic order. O(n).
  package func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
    let shared = Swift.min(count, other.count)
    guard shared > 0, let mine = baseAddress, let theirs = other.baseAddress else {
      return count < other.count
    }
    let order = memcmp(mine, theirs, shared)
    return order == 0 ? count < other.count : order < 0
  }
}

extension [UInt8] {
  /// Appends zero bytes, without a temporary array.
  package mutating func appendZeros(_ count: Int) {
    var left = count
    while left > 0 {
      let part = Swift.min(left, zeros.count)
      append(contentsOf: UnsafeBufferPointer(rebasing: zeros[..<part]))
      left -= part
    }
  }
}

/// The source of `appendZeros`.
// Sendable: constant.
nonisolated(unsafe) private let zeros = {
  let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 12)
  bytes.initialize(repeating: 0)
  return UnsafeBufferPointer(bytes)
}()
