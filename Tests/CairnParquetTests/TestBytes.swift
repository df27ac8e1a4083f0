import CairnSystem
import Testing

@testable import CairnParquet

/// Runs the body with a copy of the bytes that ends where the memory does, so that the address sanitizer
/// notices a read behind them.
func withExactCopy<Result>(
  _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws -> Result
) throws -> Result {
  let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
  defer { copy.deallocate() }
  copy.copyBytes(from: bytes)
  return try body(UnsafeRawBufferPointer(copy))
}

/// Runs the body with memory for `count` values and returns them.
func filled<Value: BitwiseCopyable>(
  _ count: Int, _ zero: Value, _ body: (UnsafeMutablePointer<Value>) throws -> Void
) throws -> [Value] {
  let memory = UnsafeMutablePointer<Value>.allocate(capacity: count)
  defer { memory.deallocate() }
  memory.initialize(repeating: zero, count: count)
  try body(memory)
  return Array(UnsafeBufferPointer(start: memory, count: count))
}

/// Feeds a decoder all beginnings of the bytes and 2000 variants with other bytes. It may throw or answer,
/// but must neither trap nor leave its memory.
func attack(_ bytes: [UInt8], seed: UInt64, _ decode: (UnsafeRawBufferPointer) throws -> Void) {
  for count in 0..<bytes.count where bytes.count < 4000 || count % 7 == 0 {
    try? withExactCopy(Array(bytes.prefix(count)), decode)
  }
  var random = SeededGenerator(seed: seed)
  for _ in 0..<2000 {
    var mutant = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      // The headers at the beginning matter most.
      let end = Bool.random(using: &random) ? min(24, mutant.count) : mutant.count
      let index = Int.random(in: 0..<end, using: &random)
      mutant[index] =
        [0, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &random)]
        .randomElement(using: &random) ?? 0
    }
    try? withExactCopy(mutant, decode)
  }
}
