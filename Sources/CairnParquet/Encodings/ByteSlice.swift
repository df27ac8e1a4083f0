/// A range of bytes. The function that finds it says which bytes its offset refers to.
struct ByteSlice: BitwiseCopyable, Equatable {
  /// The offset of the first byte.
  var start: UInt32
  /// The number of bytes.
  var count: UInt32
}
