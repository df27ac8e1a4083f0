/// Byte arrays that share a prefix with the one before: DELTA_BYTE_ARRAY.
enum DeltaByteArray {
  /// Decodes `count` values.
  ///
  /// - Parameters:
  ///   - maxSize: The largest size of all values in bytes; more is an error.
  ///   - target: Receives the values as slices of the bytes that are returned.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, count: Int, maxSize: Int,
    into target: UnsafeMutablePointer<ByteSlice>
  ) throws(ParquetError) -> [UInt8] {
    let prefixes = UnsafeMutablePointer<Int32>.allocate(capacity: max(count, 1))
    defer { prefixes.deallocate() }
    let start = try DeltaBinaryPacked.decode(bytes, count: count, into: prefixes)
    let suffixes = UnsafeRawBufferPointer(rebasing: bytes[start...])
    _ = try DeltaLengthByteArray.decode(suffixes, count: count, into: target)
    let size = try totalSize(prefixes, target, count: count, maxSize: maxSize)
    return [UInt8](unsafeUninitializedCapacity: size) { heap, filled in
      if let heap = heap.baseAddress, let suffixes = suffixes.baseAddress {
        join(prefixes, suffixes, count: count, heap, target)
      } else {
        target.update(repeating: ByteSlice(start: 0, count: 0), count: count)
      }
      filled = size
    }
  }

  /// Checks the prefixes, and returns the size of all values.
  private static func totalSize(
    _ prefixes: UnsafePointer<Int32>, _ suffixes: UnsafePointer<ByteSlice>, count: Int, maxSize: Int
  ) throws(ParquetError) -> Int {
    let limit = min(maxSize, Int(UInt32.max))
    var (size, last) = (0, 0)
    for index in 0..<count {
      let prefix = Int(prefixes[index])
      guard prefix >= 0, prefix <= last else {
        throw ParquetError("a value shares \(prefix) bytes with one of \(last) bytes")
      }
      last = prefix + Int(suffixes[index].count)
      size += last
      guard size <= limit else {
        throw ParquetError("the values of a page have more than \(limit) bytes")
      }
    }
    return size
  }

  /// Writes the values, whose sizes have been checked, and replaces the slices of the suffixes.
  private static func join(
    _ prefixes: UnsafePointer<Int32>, _ suffixes: UnsafeRawPointer, count: Int,
    _ heap: UnsafeMutablePointer<UInt8>, _ target: UnsafeMutablePointer<ByteSlice>
  ) {
    let heap = UnsafeMutableRawPointer(heap)
    var (end, last) = (0, 0)
    for index in 0..<count {
      let (prefix, suffix) = (Int(prefixes[index]), target[index])
      (heap + end).copyMemory(from: heap + last, byteCount: prefix)
      (heap + (end + prefix)).copyMemory(
        from: suffixes + Int(suffix.start), byteCount: Int(suffix.count))
      target[index] = ByteSlice(start: UInt32(end), count: UInt32(prefix) + suffix.count)
      last = end
      end += prefix + Int(suffix.count)
    }
  }
}
