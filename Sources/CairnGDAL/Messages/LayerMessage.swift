import CairnSystem

// The messages of the process that reads a file with GDAL, and to the process that writes one. The
// reader of the messages trusts none of their bytes: a damaged file may have made GDAL overwrite its
// own memory.

/// The kind of a message.
enum LayerMessageKind: UInt32 {
  /// The layers of a file.
  case layers = 1
  /// The columns of a layer.
  case schema
  /// Some rows of a layer, by column.
  case rows
  /// The end of a layer.
  case end
  /// The reason why the file cannot be read or written.
  case failure
}

/// The bytes before each message: its kind, and the number of its bytes.
struct LayerMessageHeader {
  static let size = 16
  /// The most bytes of a message.
  static let longest = 1 << 31

  let kind: LayerMessageKind
  let count: Int

  init(_ kind: LayerMessageKind, count: Int) {
    self.kind = kind
    self.count = count
  }

  /// Returns nil when the bytes are not a header.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.size,
      let kind = LayerMessageKind(rawValue: bytes.loadUnaligned(as: UInt32.self)),
      let count = Int(
        exactly: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)), count <= Self.longest
    else { return nil }
    self.kind = kind
    self.count = count
  }
}

/// The bytes of a message that is being written. Its memory is kept for the next one.
final class LayerMessage {
  private var base = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 16)
  private var capacity = 4096
  private(set) var count = LayerMessageHeader.size

  deinit { base.deallocate() }

  func removeAll() { count = LayerMessageHeader.size }

  /// Appends a number.
  @inline(__always)
  func append<T: BitwiseCopyable>(_ value: T) {
    let size = MemoryLayout<T>.size
    if count + size > capacity { grow(by: size) }
    assert(count + size <= capacity, "a number is outside of the message")
    base.storeBytes(of: value, toByteOffset: count, as: T.self)
    count += size
  }

  @inline(__always)
  func append(bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    assert(
      start >= base + capacity || start + bytes.count <= base,
      "a message cannot append its own bytes")
    if count + bytes.count > capacity { grow(by: bytes.count) }
    assert(count + bytes.count <= capacity, "the bytes are outside of the message")
    (base + count).copyMemory(from: start, byteCount: bytes.count)
    count += bytes.count
  }

  /// Appends a text after its length.
  func append(text: String) {
    var text = text
    text.withUTF8 { bytes in
      append(UInt32(bytes.count))
      append(bytes: UnsafeRawBufferPointer(bytes))
    }
  }

  /// Appends uninitialized bytes, which the caller fills. Valid until the next append.
  func appendSpace(_ size: Int) -> UnsafeMutableRawPointer {
    assert(size >= 0, "the number of bytes is negative")
    if count + size > capacity { grow(by: size) }
    defer { count += size }
    return base + count
  }

  /// Overwrites a number that was appended at an offset.
  func set<T: BitwiseCopyable>(_ value: T, at offset: Int) {
    assert(
      offset >= 0 && offset + MemoryLayout<T>.size <= count, "the number was not appended before")
    base.storeBytes(of: value, toByteOffset: offset, as: T.self)
  }

  /// Completes the header, and returns all bytes of the message; valid until the next append.
  func sealed(as kind: LayerMessageKind) -> UnsafeRawBufferPointer {
    set(kind.rawValue, at: 0)
    set(UInt32(0), at: 4)
    set(UInt64(count - LayerMessageHeader.size), at: 8)
    return UnsafeRawBufferPointer(start: base, count: count)
  }

  /// Writes the message, with its header, to a pipe. Returns false if nobody reads the pipe.
  func send(as kind: LayerMessageKind, to descriptor: Int32) -> Bool {
    _ = sealed(as: kind)
    var done = 0
    while done < count {
      let written = write(descriptor, base + done, count - done)
      if written <= 0, written == 0 || errno != EINTR { return false }
      done += max(0, written)
    }
    return true
  }

  private func grow(by size: Int) {
    capacity = max(capacity * 2, count + size)
    let grown = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    grown.copyMemory(from: base, byteCount: count)
    base.deallocate()
    base = grown
  }
}

/// Reads the parts of a message in order.
struct LayerMessageReader {
  /// The message is not what it should be.
  struct Damage: Error {}

  private let bytes: UnsafeRawBufferPointer
  private var index = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Reads a message in an array.
  static func read<R>(
    _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(Damage) -> R
  ) throws(Damage) -> R {
    let result = bytes.withUnsafeBytes { buffer -> Result<R, Damage> in
      do throws(Damage) { return .success(try body(buffer)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  var isAtEnd: Bool { index == bytes.count }

  mutating func take<T: BitwiseCopyable>(_ type: T.Type = T.self) throws(Damage) -> T {
    try take(count: MemoryLayout<T>.size).loadUnaligned(as: T.self)
  }

  /// Takes a count of things that have at least one byte each.
  mutating func takeCount() throws(Damage) -> Int {
    let count = Int(try take(UInt32.self))
    guard count <= bytes.count - index else { throw Damage() }
    return count
  }

  mutating func takeText() throws(Damage) -> String {
    let count = try takeCount()
    return String(decoding: try take(count: count), as: UTF8.self)
  }

  /// Takes bytes, which are valid as long as the message.
  mutating func take(count: Int) throws(Damage) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= bytes.count - index else { throw Damage() }
    defer { index += count }
    return UnsafeRawBufferPointer(rebasing: bytes[index..<index + count])
  }
}
