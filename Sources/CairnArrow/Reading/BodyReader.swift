internal import CairnIO
internal import CairnParquet

/// Reads the buffers of a batch: parts of them, or all of a buffer that is packed.
struct BodyReader {
  let header: BatchHeader
  private let input: InputFile
  private let offset: Int64
  private let arena: ArrowArena
  /// Keeps unpacked buffers of a batch that several threads read; nil to unpack into the arena.
  private let shared: SharedBuffers?

  /// Unpacked buffers of a file, by the offset of the batch and the number of the buffer.
  typealias SharedBuffers = SharedParts<UnpackedBuffer.Key, UnpackedBuffer>

  /// The packed values that the current rows need stay in memory, in the order of the buffers.
  final class Kept {
    fileprivate var buffers: [Int: UnpackedBuffer] = [:]
    fileprivate var offset: Int64 = -1
  }
  private let kept: Kept

  /// - Parameters:
  ///   - place: The place of the batch.
  ///   - kept: Keeps unpacked buffers from one call to the next.
  init(
    _ header: BatchHeader, at place: ArrowContainer.Place, of input: InputFile,
    in arena: ArrowArena, shared: SharedBuffers?, kept: Kept
  ) {
    self.header = header
    self.input = input
    offset = place.body
    self.arena = arena
    self.shared = shared
    self.kept = kept
    if kept.offset != offset {
      kept.buffers.removeAll()
      kept.offset = offset
    }
  }

  /// Whether a buffer has no bytes.
  func isEmpty(_ number: Int) throws(ArrowError) -> Bool { try range(number).isEmpty }

  private func range(_ number: Int) throws(ArrowError) -> Range<Int64> {
    guard number < header.buffers.count else { throw ArrowError("a batch lacks a buffer") }
    return header.buffers[number]
  }

  /// Returns bytes of a buffer, which the caller does not change. Valid until the arena is emptied.
  func bytes(_ number: Int, _ part: Range<Int>) throws(ArrowError) -> UnsafeRawPointer {
    guard header.compression == .none else {
      let all = try unpacked(number)
      guard part.upperBound <= all.count, let base = all.baseAddress else { throw .short }
      return base + part.lowerBound
    }
    return UnsafeRawPointer(try copy(number, part))
  }

  /// Returns a copy of bytes of a buffer, which the caller may change. Valid until the arena is emptied.
  func copy(_ number: Int, _ part: Range<Int>) throws(ArrowError) -> UnsafeMutableRawPointer {
    let range = try range(number)
    guard header.compression == .none else {
      let source = try bytes(number, part)
      let target = arena.allocate(part.count)
      target.copyMemory(from: source, byteCount: part.count)
      return target
    }
    guard part.upperBound <= range.count else { throw .short }
    let target = arena.allocate(part.count)
    try read(part.count, at: range.lowerBound + Int64(part.lowerBound), into: target)
    return target
  }

  private func read(
    _ count: Int, at start: Int64, into target: UnsafeMutableRawPointer
  ) throws(ArrowError) {
    do throws(ImportError) {
      guard try input.read(into: target, count: count, at: offset + start) == count else {
        throw ImportError(.data, message: "\(input.name): the file is cut off")
      }
    } catch { throw ArrowError(error) }
  }

  // MARK: Packed buffers

  private func unpacked(_ number: Int) throws(ArrowError) -> UnsafeRawBufferPointer {
    if let buffer = kept.buffers[number] { return buffer.bytes }
    let packed = try packed(number)
    guard let shared else {
      let target = UnsafeMutableRawBufferPointer(
        start: arena.allocate(packed.size), count: packed.size)
      try unpack(packed, into: target)
      return UnsafeRawBufferPointer(target)
    }
    let buffer = try shared.part(UnpackedBuffer.Key(batch: offset, number: number)) {
      () throws(ArrowError) in
      let buffer = UnpackedBuffer(packed.size)
      try unpack(packed, into: buffer.target)
      return buffer
    }
    kept.buffers[number] = buffer
    return buffer.bytes
  }

  /// A buffer before it is unpacked.
  private struct Packed {
    /// The number of bytes when it is unpacked.
    var size = 0
    /// Where its bytes lie in the batch.
    var range: Range<Int64> = 0..<0
    /// Whether it is stored as it is.
    var isPlain = true
  }

  /// Reads the size before the bytes of a buffer.
  private func packed(_ number: Int) throws(ArrowError) -> Packed {
    let range = try range(number)
    guard !range.isEmpty else { return Packed() }
    guard range.count >= 8 else { throw .short }
    var size: Int64 = 0
    try withUnsafeMutableBytes(of: &size) { (bytes) throws(ArrowError) in
      if let base = bytes.baseAddress { try read(8, at: range.lowerBound, into: base) }
    }
    size = Int64(littleEndian: size)
    let content = range.lowerBound + 8..<range.upperBound
    // -1 marks values that would not become smaller.
    if size == -1 {
      guard content.count <= Int(Int32.max) else { throw .short }
      return Packed(size: content.count, range: content)
    }
    guard size >= 0, size <= Self.largest(content.count) else {
      throw ArrowError(
        "\(content.count) packed bytes cannot have become \(size), so the file is damaged")
    }
    return Packed(size: Int(size), range: content, isPlain: false)
  }

  /// The most bytes that packed ones become: a block of Zstandard of 4 bytes has up to 128 kB.
  private static func largest(_ packed: Int) -> Int64 {
    min(Int64(Int32.max), Int64(packed + 64) << 15)
  }

  private func unpack(
    _ packed: Packed, into target: UnsafeMutableRawBufferPointer
  ) throws(ArrowError) {
    guard let base = target.baseAddress, !target.isEmpty else { return }
    guard !packed.isPlain else {
      return try read(target.count, at: packed.range.lowerBound, into: base)
    }
    let start = arena.allocate(packed.range.count)
    try read(packed.range.count, at: packed.range.lowerBound, into: start)
    let bytes = UnsafeRawBufferPointer(start: start, count: packed.range.count)
    let size: Int
    do throws(ParquetError) {
      size =
        header.compression == .lz4
        ? try LZ4Frame.decompress(bytes, into: target)
        : try Zstandard.decompress(bytes, into: target)
    } catch { throw ArrowError(error) }
    guard size == target.count else { throw .short }
  }
}

/// A buffer that was unpacked.
// Sendable: the thread that makes the buffer fills it before others get it.
final class UnpackedBuffer: @unchecked Sendable {
  /// The place of a buffer in a file.
  struct Key: Hashable, Sendable {
    let batch: Int64
    let number: Int
  }

  fileprivate let target: UnsafeMutableRawBufferPointer

  fileprivate init(_ size: Int) {
    let padded = UnsafeMutableRawBufferPointer.allocate(
      byteCount: size + InputBlock.padding, alignment: 16)
    target = UnsafeMutableRawBufferPointer(rebasing: padded[..<size])
  }

  deinit { target.baseAddress?.deallocate() }

  /// The bytes. Valid as long as the buffer; readable bytes follow them.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(target) }
}

extension ArrowError {
  /// The fault of a buffer that has fewer values than its column.
  static var short: ArrowError { ArrowError("a buffer is shorter than its column") }
}
