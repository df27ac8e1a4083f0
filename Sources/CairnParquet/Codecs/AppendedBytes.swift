extension [UInt8] {
  /// Appends the bytes that `body` writes to uninitialized memory of `capacity` bytes. It returns their
  /// number.
  mutating func append(
    capacity: Int, _ body: (UnsafeMutableRawBufferPointer) throws(ParquetError) -> Int
  ) throws(ParquetError) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
    defer { memory.deallocate() }
    let count = try body(memory)
    assert(count >= 0 && count <= capacity, "more bytes were written than there is memory for")
    append(contentsOf: UnsafeRawBufferPointer(rebasing: memory[..<count]))
  }
}
