internal import CZlib

/// What a gzip file holds; one may consist of several, one behind the other.
final class InflateSource: ByteSource {
  /// Bytes that a gzip file begins with.
  static let magic: [UInt8] = [0x1F, 0x8B]
  private static let inputSize = 1 << 18

  private let source: any ByteSource
  private let name: String
  private let input: UnsafeMutablePointer<UInt8>
  private var stream = z_stream()
  private var isOpen: Bool
  /// A member has begun and has not ended.
  private var isWithin = true
  private var hasEnded = false
  private var packedCount = 0
  private var unpackedCount = 0

  /// A file of less is unpacked whatever it is packed to.
  private static let harmlessSize = 256 << 20
  /// The times that a file may grow: data of rows that differ at all grows ten to fifty times, and 1030 is the most that
  /// the format can do.
  private static let mostGrowth = 250

  init(_ source: any ByteSource, name: String) throws(ImportError) {
    self.source = source
    self.name = name
    input = .allocate(capacity: Self.inputSize)
    isOpen = czlib_inflate_gzip(&stream) == Z_OK
    guard isOpen else { throw ImportError(.io, "\(name): there is no memory to unpack it") }
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

  /// Throws where a small file would fill the disk.
  private func checkGrowth() throws(ImportError) {
    let used = packedCount - Int(stream.avail_in)
    guard unpackedCount > Self.harmlessSize, unpackedCount / Self.mostGrowth > used else { return }
    throw ImportError(
      .data,
      "\(name): \(used) packed bytes have become \(unpackedCount >> 20) MB, more than \(Self.mostGrowth) times as much, "
        + "as in a file that is made to fill a disk; unpack it first if it is what you want")
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
    case Z_STREAM_END: isWithin = false
    default: throw failure("the packed data is damaged\(words)")
    }
  }

  /// Behind a member comes another one, or zeros, which some programs fill up with.
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
    ImportError(.data, "\(name): \(what), after \(stream.total_out) unpacked bytes")
  }
}
