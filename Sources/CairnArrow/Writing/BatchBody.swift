internal import CairnIO

/// The buffers of a batch, one behind the other.
final class BatchBody {
  /// The ranges of the buffers.
  private(set) var buffers: [Range<Int>] = []
  /// The number of nulls in each column.
  private(set) var nullCounts: [Int] = []
  private let memory = OutputSink.memory()

  /// The number of bytes that buffers begin at a multiple of.
  private static let alignment = 64

  /// All bytes; valid until the next change.
  var bytes: UnsafeRawBufferPointer { memory.collected }

  var size: Int { memory.count }

  func removeAll() {
    memory.removeAll()
    buffers.removeAll(keepingCapacity: true)
    nullCounts.removeAll(keepingCapacity: true)
  }

  /// Appends the buffers of a column: the bits of those that are not null, and the values.
  func append(_ values: ColumnBuffer, _ type: ArrowColumnType) {
    let marks = values.markBytes
    let nullCount = marks.count { $0 == LayerMark.null.rawValue }
    nullCounts.append(nullCount)
    add { if nullCount > 0 { appendBits(marks.count) { marks[$0] != LayerMark.null.rawValue } } }
    let bytes = values.valueBytes
    switch type {
    case .bool: add { appendBits(bytes.count) { bytes[$0] != 0 } }
    case .int, .double: add { memory.append(bytes) }
    case .float:
      add { appendNumbers(bytes) { Float(Double(bitPattern: $0)).bitPattern } }
    case .timestamp: add { appendNumbers(bytes) { Self.microseconds(Double(bitPattern: $0)) } }
    case .text, .data, .geometry:
      add {
        memory.append(bits: UInt32(0))
        memory.append(bytes)
      }
      add { memory.append(values.heapBytes) }
    }
  }

  /// Adds a buffer that the body appends.
  private func add(_ append: () -> Void) {
    let start = memory.count
    append()
    buffers.append(start..<memory.count)
    while memory.count % Self.alignment != 0 { memory.append(0 as UInt8) }
  }

  private func appendBits(_ count: Int, _ isSet: (Int) -> Bool) {
    for first in stride(from: 0, to: count, by: 8) {
      var byte: UInt8 = 0
      for index in first..<min(first + 8, count) where isSet(index) {
        byte |= 1 << UInt8(index - first)
      }
      memory.append(byte)
    }
  }

  @inline(__always)
  private func appendNumbers<Number: BitwiseCopyable>(
    _ bytes: UnsafeRawBufferPointer, _ convert: (UInt64) -> Number
  ) {
    for offset in stride(from: 0, to: bytes.count, by: 8) {
      memory.append(bits: convert(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
    }
  }

  /// Converts seconds since 2001 to microseconds since 1970, as far as the numbers reach.
  private static func microseconds(_ seconds: Double) -> Int64 {
    let exact = (seconds * 1_000_000).rounded() + 978_307_200_000_000
    return Int64(exactly: exact) ?? (exact > 0 ? .max : .min)
  }
}
