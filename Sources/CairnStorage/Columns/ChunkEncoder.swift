import CairnSystem

/// Encodes an edited chunk in the smallest encoding that can be read in place.
package enum ChunkEncoder {
  /// Returns the bytes of the chunk and its zone.
  package static func encode(_ buffer: ChunkBuffer) -> (bytes: [UInt8], zone: Zone) {
    assert(
      (0..<ChunkShape.words).reduce(0) { $0 + buffer.nulls[$1].nonzeroBitCount }
        == buffer.nullCount, "the count of null rows is wrong")
    return switch buffer.layout {
    case .integers: integers(buffer)
    case .doubles: doubles(buffer)
    case .floats: floats(buffer)
    case .bytes: texts(buffer)
    case .fixed(let width): fixed(buffer, width: width)
    case .points: points(buffer)
    }
  }

  /// Makes the value of a chunk: header, null bitmap, then `size` bytes.
  ///
  /// - Parameters:
  ///   - heapOffset: The start of the heap, relative to those bytes.
  ///   - fill: Writes the bytes. They are valid during the call.
  static func chunk(
    _ buffer: ChunkBuffer, encoding: Encoding, width: Int, exponent: Int = 0, frame: Int64 = 0,
    size: Int, heapOffset: Int = 0, fill: (UnsafeMutableRawPointer) -> Void
  ) -> [UInt8] {
    let hasNulls = buffer.nullCount > 0
    let data = ChunkShape.headerSize + (hasNulls ? ChunkShape.words * 8 : 0)
    let total = max(ChunkShape.minimumSize, data + size)
    assert(heapOffset >= 0 && heapOffset <= size, "the heap begins outside of the chunk")
    assert(buffer.count <= ChunkShape.rows, "a chunk has up to 4096 rows")
    return [UInt8](unsafeUninitializedCapacity: total) { bytes, initialized in
      initialized = total
      guard let base = UnsafeMutableRawPointer(bytes.baseAddress) else { return }
      (base + total - max(total - data - size, 0))
        .initializeMemory(as: UInt8.self, repeating: 0, count: max(total - data - size, 0))
      base.initializeMemory(as: UInt64.self, repeating: 0, count: ChunkShape.headerSize / 8)
      base.storeBytes(of: encoding.rawValue, as: UInt8.self)
      base.storeBytes(of: UInt8(width), toByteOffset: 1, as: UInt8.self)
      let flags =
        (hasNulls ? ChunkHeader.hasNulls : 0)
        | (buffer.memory.hasReferences ? ChunkHeader.hasReferences : 0)
      base.storeBytes(of: flags, toByteOffset: 2, as: UInt8.self)
      base.storeBytes(of: UInt8(exponent), toByteOffset: 3, as: UInt8.self)
      base.storeBytes(of: UInt32(buffer.count), toByteOffset: 4, as: UInt32.self)
      base.storeBytes(of: frame, toByteOffset: 16, as: Int64.self)
      base.storeBytes(of: UInt32(heapOffset), toByteOffset: 24, as: UInt32.self)
      base.storeBytes(of: UInt32(total), toByteOffset: 28, as: UInt32.self)
      if hasNulls {
        (base + ChunkShape.headerSize)
          .copyMemory(from: buffer.nulls, byteCount: ChunkShape.words * 8)
      }
      fill(base + data)
      base.storeBytes(
        of: Checksum.xxh64(UnsafeRawBufferPointer(start: base, count: total)), toByteOffset: 8,
        as: UInt64.self)
    }
  }

  /// Returns whether an encoded chunk matches its checksum.
  ///
  /// - Parameter keySum: the part of the checksum that is the one of the key; 0 if it covers the chunk
  ///   only.
  package static func isIntact(_ bytes: UnsafeRawBufferPointer, keySum: UInt64 = 0) -> Bool {
    guard bytes.count >= ChunkShape.headerSize else { return false }
    let size = Int(bytes.loadUnaligned(fromByteOffset: 28, as: UInt32.self))
    guard size >= ChunkShape.headerSize, size <= bytes.count,
      UnsafeRawBufferPointer(rebasing: bytes[size...]).isZero
    else { return false }
    var copy = Array(bytes[..<size])
    let stored = copy.withUnsafeMutableBytes { buffer in
      let stored = buffer.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      buffer.storeBytes(of: 0, toByteOffset: 8, as: UInt64.self)
      return stored
    }
    return copy.withUnsafeBytes { Checksum.xxh64($0) } &+ keySum == stored
  }

  private static func floats(_ buffer: ChunkBuffer) -> ([UInt8], Zone) {
    let size = ChunkShape.padded(buffer.count) * 4
    let bytes = chunk(buffer, encoding: .floats, width: 4, size: size) {
      $0.copyMemory(from: buffer.rows, byteCount: size)
    }
    let zone = doubleZone(buffer) { Double(buffer.floats[$0]) }
    return (bytes, zone)
  }

  private static func fixed(_ buffer: ChunkBuffer, width: Int) -> ([UInt8], Zone) {
    let size = ChunkShape.padded(buffer.count) * width
    let bytes = chunk(buffer, encoding: .fixed, width: width, size: size) {
      $0.copyMemory(from: buffer.rows, byteCount: size)
    }
    return (bytes, Zone(nullCount: buffer.nullCount))
  }

  /// Returns a zone with the bounds of the values that are neither null nor NaN.
  static func doubleZone(_ buffer: ChunkBuffer, value: (Int) -> Double) -> Zone {
    var low = Double.infinity
    var high = -Double.infinity
    var hasNaN = false
    for row in 0..<buffer.count where !buffer.isNull(row) {
      let number = value(row)
      if number.isNaN { hasNaN = true }
      if number < low { low = number }
      if number > high { high = number }
    }
    return Zone(
      minimum: Int64(bitPattern: low.bitPattern), maximum: Int64(bitPattern: high.bitPattern),
      nullCount: buffer.nullCount,
      flags: (low <= high ? Zone.hasBoundsFlag : 0) | (hasNaN ? Zone.hasNaNFlag : 0))
  }
}
