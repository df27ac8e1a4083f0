import CairnSystem

/// A buffered writer of bytes to a file descriptor.
///
/// A broken pipe throws `OutputError.closed`; for that, the process must ignore `SIGPIPE`. For use
/// by one thread.
package final class OutputSink {
  private let descriptor: Int32
  /// Writes to the descriptor in place of the sink, so that a reader that pauses does not
  /// block it; nil to write directly.
  private let spool: OutputSpool?
  /// The bytes that were not written yet. They are outside of the sink, because each access to a
  /// property that other modules see is checked for exclusivity.
  @usableFromInline let buffer: UnsafeMutablePointer<Buffer>
  private var ownBytesWritten = 0
  /// The compressor of the bytes, and the sink of the compressed bytes; nil to write them as they
  /// are.
  private let packing: (compressor: GzipCompressor, sink: OutputSink)?
  /// The file that a process writes with the bytes; nil if the descriptor is the destination.
  package let process: (any OutputProcess)?

  private static let flushSize = 1 << 16

  /// The number of bytes written to the descriptor.
  package var bytesWritten: Int { packing?.sink.ownBytesWritten ?? ownBytesWritten }

  /// Creates a sink for an open descriptor, which the caller closes.
  ///
  /// - Parameters:
  ///   - isCompressed: Whether the bytes are written in the gzip format.
  ///   - spool: The writer to the descriptor; nil to write directly. Call its `complete` after
  ///     `finish`.
  package init(descriptor: Int32, isCompressed: Bool = false, spool: OutputSpool? = nil) {
    self.descriptor = descriptor
    self.spool = spool
    packing =
      isCompressed ? (GzipCompressor(), OutputSink(descriptor: descriptor, spool: spool)) : nil
    process = nil
    buffer = Buffer.allocate(capacity: Self.flushSize * 2)
  }

  /// Creates a sink that leads to the process that writes a file.
  package init(_ process: any OutputProcess) {
    descriptor = process.input
    (packing, spool) = (nil, nil)
    self.process = process
    buffer = Buffer.allocate(capacity: Self.flushSize * 2)
  }

  deinit {
    bytes.deallocate()
    buffer.deallocate()
  }

  /// Memory for bytes.
  @usableFromInline
  struct Buffer {
    @usableFromInline var bytes: UnsafeMutableRawPointer
    @usableFromInline var capacity: Int
    @usableFromInline var count: Int

    static func allocate(capacity: Int) -> UnsafeMutablePointer<Buffer> {
      let buffer = UnsafeMutablePointer<Buffer>.allocate(capacity: 1)
      buffer.initialize(
        to: Buffer(
          bytes: .allocate(byteCount: capacity, alignment: 16), capacity: capacity, count: 0))
      return buffer
    }
  }

  /// The number of bytes that were not written yet.
  @inlinable
  package var count: Int { buffer.pointee.count }

  @inlinable
  var bytes: UnsafeMutableRawPointer { buffer.pointee.bytes }

  @inlinable
  var capacity: Int { buffer.pointee.capacity }

  /// Whether the sink only collects bytes.
  private var isMemory: Bool { descriptor == Self.nowhere }
  private static let nowhere = Int32.min

  /// Creates a sink that keeps its bytes in memory.
  package static func memory() -> OutputSink { OutputSink(descriptor: nowhere) }

  /// Calls `body` with the bytes that were not written yet.
  package func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    body(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// The bytes that were not written yet; valid until the next append.
  package var collected: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes, count: count)
  }

  /// Discards the collected bytes.
  package func removeAll() { buffer.pointee.count = 0 }

  /// Writes all collected bytes to the descriptor.
  package func flush() throws(OutputError) {
    guard !isMemory else { return }
    guard packing == nil else { return try pack(isLast: false) }
    if let spool {
      try spool.write(collected)
      return drop(count)
    }
    var done = 0
    defer { drop(done) }
    try send(collected, &done)
  }

  /// Writes bytes to the descriptor, and counts them.
  private func send(_ bytes: UnsafeRawBufferPointer, _ done: inout Int) throws(OutputError) {
    while done < bytes.count, let base = bytes.baseAddress {
      let written = write(descriptor, base + done, bytes.count - done)
      if written > 0 {
        done += written
      } else if written == 0 || errno != EINTR {
        let error = Self.error(written == 0 ? EIO : errno)
        throw error == .closed ? process?.failure() ?? error : error
      }
    }
  }

  /// Appends the bytes of another sink that collects them, without a copy if there are many.
  func append(contentsOf other: OutputSink) throws(OutputError) {
    guard other.count >= Self.flushSize, !isMemory, packing == nil, spool == nil else {
      append(other.collected)
      return try flushWhenFull()
    }
    try flush()
    var done = 0
    defer { ownBytesWritten += done }
    try send(other.collected, &done)
  }

  /// Writes everything to the descriptor, with the end of compressed data. Nothing may be appended
  /// afterwards.
  package func finish() throws(OutputError) {
    guard let packing else { return try flush() }
    try pack(isLast: true)
    try packing.sink.flush()
  }

  private func pack(isLast: Bool) throws(OutputError) {
    guard let packing else { return }
    try packing.compressor.compress(collected, isLast: isLast, into: packing.sink)
    buffer.pointee.count = 0
  }

  /// Writes the collected bytes if there are many of them.
  package func flushWhenFull() throws(OutputError) {
    if count >= Self.flushSize { try flush() }
  }

  private func drop(_ done: Int) {
    assert(done >= 0 && done <= count, "more bytes were written than there are")
    ownBytesWritten += done
    bytes.copyMemory(from: bytes + done, byteCount: count - done)
    buffer.pointee.count -= done
  }

  static func error(_ code: Int32) -> OutputError {
    switch code {
    case EPIPE: .closed
    case ENOSPC, EDQUOT: .diskFull
    default: .io(code)
    }
  }

  /// Reserves space for more bytes, which is valid until the next append. The caller writes there and
  /// then calls `advance`.
  @inlinable
  package func reserve(_ more: Int) -> UnsafeMutableRawPointer {
    assert(more >= 0, "the number of bytes is negative")
    if count + more > capacity { grow(count + more) }
    return bytes + count
  }

  /// Adds the bytes that were written into the reserved space.
  @inlinable
  package func advance(_ more: Int) {
    assert(more >= 0 && count + more <= capacity, "more bytes were written than reserved")
    buffer.pointee.count += more
  }

  @usableFromInline
  func grow(_ needed: Int) {
    var capacity = capacity
    while capacity < needed { capacity *= 2 }
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: bytes, byteCount: count)
    bytes.deallocate()
    (buffer.pointee.bytes, buffer.pointee.capacity) = (larger, capacity)
  }

  /// Appends a byte.
  @inlinable
  package func append(_ byte: UInt8) {
    reserve(1).storeBytes(of: byte, as: UInt8.self)
    advance(1)
  }

  /// Appends the bytes of a number in memory.
  @inlinable
  @inline(__always)
  package func append<T: BitwiseCopyable>(bits value: T) {
    reserve(MemoryLayout<T>.size).storeBytes(of: value, as: T.self)
    advance(MemoryLayout<T>.size)
  }

  /// Replaces bytes that were appended and not yet written by those of a number in memory.
  @inline(__always)
  func set<T: BitwiseCopyable>(bits value: T, at offset: Int) {
    precondition(offset >= 0 && offset + MemoryLayout<T>.size <= count)
    bytes.storeBytes(of: value, toByteOffset: offset, as: T.self)
  }

  /// Removes what was appended since `count` was `start`, and not yet written.
  func removeAll(from start: Int) {
    assert(start >= 0, "the bytes begin at their pointer")
    buffer.pointee.count = min(count, start)
  }

  /// Appends bytes of other memory.
  @inlinable
  package func append(_ raw: UnsafeRawBufferPointer) {
    guard let base = raw.baseAddress else { return }
    assert(
      base >= bytes + capacity || base + raw.count <= bytes, "a sink cannot append its own bytes")
    reserve(raw.count).copyMemory(from: base, byteCount: raw.count)
    advance(raw.count)
  }

  /// Appends a text as UTF-8.
  package func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Replaces a byte by another in what was appended since `count` was `start`.
  func replace(_ byte: UInt8, by other: UInt8, from start: Int) {
    assert(start >= 0 && start <= count, "the bytes were not appended")
    for index in start..<count where bytes.load(fromByteOffset: index, as: UInt8.self) == byte {
      bytes.storeBytes(of: other, toByteOffset: index, as: UInt8.self)
    }
  }

  /// Appends bytes.
  package func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

  /// Appends a text as UTF-8.
  package func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }
}

extension OutputSink {
  /// Appends an integer.
  package func append(int value: Int64) {
    var digits = value.magnitude
    var length = 1
    var bound: UInt64 = 10
    while length < 19, digits >= bound {
      length += 1
      bound &*= 10
    }
    if length == 19, digits >= 10_000_000_000_000_000_000 { length = 20 }
    let isNegative = value < 0
    let target = reserve(21)
    if isNegative { target.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self) }
    let first = isNegative ? 1 : 0
    for offset in stride(from: first + length - 1, through: first, by: -1) {
      let (quotient, digit) = digits.quotientAndRemainder(dividingBy: 10)
      target.storeBytes(of: UInt8(48 + digit), toByteOffset: offset, as: UInt8.self)
      digits = quotient
    }
    advance(first + length)
  }

  /// Appends the shortest text that reads back as the same double. It always has a point or an
  /// exponent.
  package func append(double value: Double) {
    if appendDecimal(value) { return }
    append(value.description)
  }

  /// Appends the shortest text that reads back as the same float.
  package func append(float value: Float) { append(value.description) }

  /// Appends a number with few decimals, as most data has. m / 10^k is rounded correctly, so it
  /// reads back as the value; with at most 15 digits no other text is as short.
  private func appendDecimal(_ value: Double) -> Bool {
    let magnitude = value.magnitude
    guard magnitude < 1e8, magnitude >= 1e-3 else { return false }
    var power = 1.0
    for places in 1...7 {
      power *= 10
      let scaled = (magnitude * power).rounded()
      if scaled / power == magnitude {
        append(scaled: UInt64(scaled), places: places, isNegative: value < 0)
        return true
      }
    }
    return false
  }

  private func append(scaled: UInt64, places: Int, isNegative: Bool) {
    var rest = scaled
    let target = reserve(32)
    var offset = 31
    for _ in 0..<places { Self.put(&rest, target: target, at: &offset) }
    target.storeBytes(of: UInt8(ascii: "."), toByteOffset: offset, as: UInt8.self)
    offset -= 1
    repeat { Self.put(&rest, target: target, at: &offset) } while rest > 0
    if isNegative {
      target.storeBytes(of: UInt8(ascii: "-"), toByteOffset: offset, as: UInt8.self)
      offset -= 1
    }
    assert(offset >= 0, "the digits are outside of the reserved bytes")
    let length = 31 - offset
    target.copyMemory(from: target + offset + 1, byteCount: length)
    advance(length)
  }

  private static func put(
    _ rest: inout UInt64, target: UnsafeMutableRawPointer, at offset: inout Int
  ) {
    assert(offset >= 0, "the digits are outside of the reserved bytes")
    let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
    target.storeBytes(of: UInt8(48 + digit), toByteOffset: offset, as: UInt8.self)
    offset -= 1
    rest = quotient
  }
}
