internal import CZlib
import CairnSystem

/// A stream of bytes that can be read once.
protocol ByteSource: AnyObject {
  /// Reads up to `count` bytes. Returns 0 only at the end of the stream.
  func read(into target: UnsafeMutableRawPointer, count: Int) throws(ImportError) -> Int
}

/// The bytes of an open file or pipe.
final class DescriptorSource: ByteSource {
  private let descriptor: Int32
  private let name: String
  private(set) var bytesRead: Int64 = 0

  init(_ descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  func read(into target: UnsafeMutableRawPointer, count: Int) throws(ImportError) -> Int {
    while true {
      let got = readOnce(descriptor, target: target, count: count)
      if got >= 0 {
        bytesRead += Int64(got)
        return got
      }
      guard errno == EINTR else {
        throw ImportError(.io, message: "\(name): reading failed: \(errorText(errno))")
      }
    }
  }
}

/// Calls the system's `read`, which the method of that name hides inside the class.
private func readOnce(_ descriptor: Int32, target: UnsafeMutableRawPointer, count: Int) -> Int {
  read(descriptor, target, count)
}

/// A source whose first bytes can be inspected in advance.
final class PeekedSource: ByteSource {
  private let source: any ByteSource
  /// The first bytes, as many as requested unless the source is shorter.
  let head: [UInt8]
  private var given = 0

  init(_ source: any ByteSource, count: Int) throws(ImportError) {
    self.source = source
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { buffer.deallocate() }
    var filled = 0
    while filled < count, let base = buffer.baseAddress {
      let got = try source.read(into: base + filled, count: count - filled)
      if got == 0 { break }
      filled += got
    }
    head = Array(buffer.prefix(filled))
  }

  /// Skips bytes of the head.
  func skip(_ count: Int) { given = min(head.count, given + count) }

  func read(into target: UnsafeMutableRawPointer, count: Int) throws(ImportError) -> Int {
    guard given < head.count else { return try source.read(into: target, count: count) }
    let part = min(count, head.count - given)
    head.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      assert(part >= 0 && part <= bytes.count - given, "the part is outside of the head")
      target.copyMemory(from: base + given, byteCount: part)
    }
    given += part
    return part
  }
}

/// The unpacked content of a gzip file, which may consist of several members, or of a file in a ZIP
/// archive.
final class InflateSource: ByteSource {
  /// The bytes that begin a gzip file.
  static let magic: [UInt8] = [0x1F, 0x8B]
  private static let inputSize = 1 << 18

  private let source: any ByteSource
  private let name: String
  private let isRaw: Bool
  private let input: UnsafeMutablePointer<UInt8>
  private var stream = z_stream()
  private var isOpen: Bool
  /// Whether a member has begun and not ended.
  private var isWithin = true
  private var hasEnded = false
  private var packedCount = 0
  private var unpackedCount = 0

  /// The unpacked size in bytes up to which a file is accepted whatever its growth.
  private static let harmlessSize = 256 << 20
  /// The largest growth that is accepted. Data with distinct rows grows ten to fifty times; the
  /// format allows at most 1030.
  private static let maxGrowth = 250

  /// - Parameter isRaw: Whether the packed data has no header, as in a ZIP archive.
  init(_ source: any ByteSource, name: String, isRaw: Bool = false) throws(ImportError) {
    self.source = source
    self.name = name
    self.isRaw = isRaw
    input = .allocate(capacity: Self.inputSize)
    isOpen = (isRaw ? czlib_inflate_raw(&stream) : czlib_inflate_gzip(&stream)) == Z_OK
    guard isOpen else { throw ImportError(.io, message: "\(name): not enough memory to unpack it") }
  }

  deinit {
    if isOpen { inflateEnd(&stream) }
    input.deallocate()
  }

  func read(into target: UnsafeMutableRawPointer, count: Int) throws(ImportError) -> Int {
    stream.next_out = target.assumingMemoryBound(to: UInt8.self)
    stream.avail_out = UInt32(clamping: count)
    let room = stream.avail_out
    while !hasEnded, stream.avail_out == room {
      try refill()
      if !hasEnded { try inflateSome() }
    }
    let unpacked = Int(room - stream.avail_out)
    unpackedCount += unpacked
    try checkGrowth()
    return unpacked
  }

  /// Throws if a small file would fill the disk.
  private func checkGrowth() throws(ImportError) {
    let used = packedCount - Int(stream.avail_in)
    guard unpackedCount > Self.harmlessSize, unpackedCount / Self.maxGrowth > used else { return }
    throw ImportError(
      .data,
      message:
        "\(name): \(used) packed bytes have become \(unpackedCount >> 20) MB, more than \(Self.maxGrowth) times as much, "
        + "as in a file that is made to fill a disk; if this is intended, unpack it first")
  }

  private func refill() throws(ImportError) {
    guard stream.avail_in == 0 else { return }
    let count = try source.read(into: input, count: Self.inputSize)
    stream.next_in = input
    stream.avail_in = UInt32(count)
    packedCount += count
    guard count == 0 else { return }
    if isWithin { throw failure("the packed data ends in the middle") }
    hasEnded = true
  }

  private func inflateSome() throws(ImportError) {
    if !isWithin { try beginMember() }
    guard isWithin else { return }
    switch inflate(&stream, Z_NO_FLUSH) {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END:
      isWithin = false
      hasEnded = isRaw
    default: throw failure("the packed data is damaged\(words)")
    }
  }

  /// Starts the next member, after zeros that some programs use as padding.
  private func beginMember() throws(ImportError) {
    while stream.avail_in > 0, stream.next_in.pointee == 0 {
      stream.next_in += 1
      stream.avail_in -= 1
    }
    guard stream.avail_in > 0 else { return }
    inflateReset(&stream)
    isWithin = true
  }

  private var words: String { stream.msg.map { " (\(String(cString: $0)))" } ?? "" }

  private func failure(_ what: String) -> ImportError {
    ImportError(.data, message: "\(name): \(what), after \(stream.total_out) unpacked bytes")
  }
}

/// The text of another source, decoded to UTF-8.
final class DecodingSource: ByteSource {
  private static let pieceSize = 1 << 18

  private let source: any ByteSource
  private let name: String
  private var decoder: TextDecoder
  private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
  private var decoded: [UInt8] = []
  private var given = 0
  private var hasEnded = false

  init(_ source: any ByteSource, encoding: TextEncoding, name: String) throws(ImportError) {
    guard let decoder = TextDecoder(encoding) else {
      throw ImportError(
        .library,
        message: "this system cannot read \(encoding.name); convert the file to UTF-8 first")
    }
    self.source = source
    self.name = name
    self.decoder = decoder
  }

  deinit { piece.deallocate() }

  func read(into target: UnsafeMutableRawPointer, count: Int) throws(ImportError) -> Int {
    while given == decoded.count, !hasEnded { try refill() }
    let part = min(count, decoded.count - given)
    decoded.withUnsafeBytes { bytes in
      assert(part >= 0 && part <= bytes.count - given, "the part is outside of the text")
      if let base = bytes.baseAddress, part > 0 {
        target.copyMemory(from: base + given, byteCount: part)
      }
    }
    given += part
    return part
  }

  private func refill() throws(ImportError) {
    decoded.removeAll(keepingCapacity: true)
    given = 0
    guard let base = piece.baseAddress else { return }
    let count = try source.read(into: base, count: piece.count)
    do throws(DecodingFailure) {
      if count == 0 {
        hasEnded = true
        try decoder.finish()
      } else {
        try decoder.decode(UnsafeRawBufferPointer(rebasing: piece[..<count]), into: &decoded)
      }
    } catch {
      throw ImportError(.data, message: "\(name):\(error.line): \(error.what)")
    }
  }
}
