/// The first value of a store: by it Cairn knows its files, and whether it can read them.
enum StoreHeader {
  private static let magic: [UInt8] = Array("Cairn store\n".utf8)

  /// The format version in a header, or nil if the bytes are not a header.
  static func version(of bytes: UnsafeRawBufferPointer) -> UInt32? {
    guard bytes.count >= magic.count + 4, bytes.starts(with: magic) else { return nil }
    return UInt32(
      littleEndian: bytes.loadUnaligned(fromByteOffset: magic.count, as: UInt32.self))
  }

  /// The header of a store of a format version.
  static func bytes(_ version: UInt32) -> [UInt8] {
    var writer = ByteWriter()
    for byte in magic { writer.write(byte) }
    writer.write(version)
    return writer.bytes
  }

  /// The first version in which the store has an inventory of its values, and the checksum of a chunk
  /// covers its key.
  static let inventoryVersion: UInt32 = 5
}
