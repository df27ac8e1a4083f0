/// The number of values in a group, and a digest of them with their keys, which does not depend on
/// their order.
///
/// A group is all values of one kind, class, column, and extent or run. The store has an inventory of
/// each, which every commit keeps up to date, so a value that is missing, was added, or is stored under
/// another key is noticed.
struct Inventory: Equatable {
  var count: UInt64 = 0
  /// The sum of the digests of the values, modulo 2⁶⁴.
  var digest: UInt64 = 0

  var isEmpty: Bool { count == 0 && digest == 0 }

  /// Adds a value as it is stored.
  mutating func add(_ stored: UnsafeRawBufferPointer, under key: StorageKey) {
    count &+= 1
    digest &+= Self.digest(of: stored, under: key)
  }

  /// Removes a value as it is stored.
  mutating func remove(_ stored: UnsafeRawBufferPointer, under key: StorageKey) {
    count &-= 1
    digest &-= Self.digest(of: stored, under: key)
  }

  /// Adds the values of another inventory.
  mutating func add(_ other: Inventory) {
    count &+= other.count
    digest &+= other.digest
  }

  /// The digest of one value. Zeros at its end, which pad it to a size that depends on the machine,
  /// do not count.
  private static func digest(of stored: UnsafeRawBufferPointer, under key: StorageKey) -> UInt64 {
    if let offset = key.kind.checksumOffset, stored.count >= offset + 8 {
      // This checksum covers the value and the key.
      let sum = stored.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      return Checksum.mixed(UInt64(littleEndian: sum))
    }
    return Checksum.mixed(Checksum.xxh64(withoutPadding(stored), under: key))
  }

  /// Returns the bytes without the zeros at their end, valid like them.
  private static func withoutPadding(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var end = bytes.count
    while end >= 8, bytes.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self) == 0 { end -= 8 }
    while end > 0, bytes[end - 1] == 0 { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: bytes[..<end])
  }

  func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.write(count)
    writer.write(digest)
    return writer.bytes
  }

  init() {}

  init(decoding bytes: UnsafeRawBufferPointer) throws(StoreError) {
    var reader = ByteReader(bytes, what: "an inventory of values")
    count = try reader.read()
    digest = try reader.read()
  }
}

extension StorageKey {
  /// The key of the inventory of the group of a value.
  var inventory: StorageKey {
    StorageKey(
      kind: .inventory, table: table, column: column, group: group, number: UInt64(kind.rawValue))
  }

  /// The group that an inventory counts, as the key of its first value; nil if the key is not that of
  /// an inventory.
  var inventoriedGroup: StorageKey? {
    guard kind == .inventory, let counted = UInt8(exactly: number).flatMap(Kind.init) else {
      return nil
    }
    return StorageKey(kind: counted, table: table, column: column, group: group)
  }
}
