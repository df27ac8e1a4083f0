import CairnSystem
import Testing

@testable import CairnParquet

@Suite struct EncodingTests {
  typealias Fixtures = EncodingFixtures

  static func delta<Number: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: UnsafeRawBufferPointer, _ count: Int, _ zero: Number
  ) throws -> [Number] where Number.Magnitude: BitwiseCopyable {
    try filled(count, zero) { _ = try DeltaBinaryPacked.decode(bytes, count: count, into: $0) }
  }

  static func slices(
    _ count: Int, _ decode: (UnsafeMutablePointer<ByteSlice>) throws -> Void
  ) throws -> [ByteSlice] {
    try filled(count, ByteSlice(start: .max, count: .max), decode)
  }

  static func texts(_ slices: [ByteSlice], in bytes: some Collection<UInt8>) -> [String] {
    let bytes = Array(bytes)
    return slices.map {
      String(decoding: bytes[Int($0.start)...].prefix(Int($0.count)), as: UTF8.self)
    }
  }

  @Test func differences() throws {
    try withExactCopy(Fixtures.delta) { (bytes) throws in
      #expect(try Self.delta(bytes, 300, Int64(0)) == Fixtures.numbers)
      #expect(try Self.delta(bytes, 17, Int64(0)) == Array(Fixtures.numbers.prefix(17)))
      #expect(throws: ParquetError.self) { try Self.delta(bytes, 301, Int64(0)) }
      _ = try filled(1, Int64(0)) {
        let used = try DeltaBinaryPacked.decode(bytes, count: 0, into: $0)
        #expect(used == bytes.count)
      }
    }
    try withExactCopy(Fixtures.delta32) { (bytes) throws in
      #expect(try Self.delta(bytes, 300, Int32(0)) == Fixtures.numbers.map { Int32($0) })
    }
    try withExactCopy(Fixtures.wideDelta) { (bytes) throws in
      #expect(try Self.delta(bytes, 40, Int64(0)) == Fixtures.wideNumbers)
    }
    attack(Fixtures.delta, seed: 1) { _ = try Self.delta($0, 300, Int64(0)) }
    attack(Fixtures.delta32, seed: 2) { _ = try Self.delta($0, 300, Int32(0)) }
    attack(Fixtures.wideDelta, seed: 3) { _ = try Self.delta($0, 40, Int64(0)) }
  }

  @Test func plainByteArrays() throws {
    func decode(_ bytes: UnsafeRawBufferPointer) throws -> [String] {
      let slices = try Self.slices(50) {
        let used = try ByteArrayPlain.decode(bytes, count: 50, into: $0)
        #expect(used == bytes.count)
      }
      return Self.texts(slices, in: bytes)
    }
    #expect(try withExactCopy(Fixtures.plain, decode) == Array(Fixtures.texts.prefix(50)))
    attack(Fixtures.plain, seed: 1) { (bytes) throws in
      let slices = try Self.slices(50) {
        _ = try ByteArrayPlain.decode(bytes, count: 50, into: $0)
      }
      #expect(slices.allSatisfy { Int($0.start) + Int($0.count) <= bytes.count })
    }
  }

  @Test func lengthsFirst() throws {
    func decode(_ bytes: UnsafeRawBufferPointer) throws -> [String] {
      let slices = try Self.slices(300) {
        _ = try DeltaLengthByteArray.decode(bytes, count: 300, into: $0)
      }
      return Self.texts(slices, in: bytes)
    }
    #expect(try withExactCopy(Fixtures.deltaLength, decode) == Fixtures.texts)
    attack(Fixtures.deltaLength, seed: 1) { _ = try decode($0) }
  }

  @Test func sharedPrefixes() throws {
    func decode(_ bytes: UnsafeRawBufferPointer) throws -> [String] {
      var heap: [UInt8] = []
      let slices = try Self.slices(300) {
        heap = try DeltaByteArray.decode(bytes, count: 300, maxSize: 10_000, into: $0)
      }
      return Self.texts(slices, in: heap)
    }
    #expect(try withExactCopy(Fixtures.deltaBytes, decode) == Fixtures.texts)
    attack(Fixtures.deltaBytes, seed: 1) { _ = try decode($0) }
    let size = Fixtures.texts.reduce(0) { $0 + $1.utf8.count }
    _ = try withExactCopy(Fixtures.deltaBytes) { (bytes) throws in
      #expect(throws: ParquetError.self) {
        try Self.slices(300) {
          _ = try DeltaByteArray.decode(bytes, count: 300, maxSize: size - 1, into: $0)
        }
      }
    }
  }

  @Test func splitStreams() throws {
    let numbers = Array(Fixtures.numbers.prefix(50))
    let narrow = try withExactCopy(Fixtures.split4) { (bytes) throws in
      try filled(50, Int32(0)) {
        try ByteStreamSplit.decode(bytes, count: 50, width: 4, into: $0)
      }
    }
    #expect(narrow == numbers.map { Int32($0) })
    let wide = try withExactCopy(Fixtures.split8) { (bytes) throws in
      try filled(50, Int64(0)) {
        try ByteStreamSplit.decode(bytes, count: 50, width: 8, into: $0)
      }
    }
    #expect(wide == numbers)
    for width in 1...64 {
      for count in [0, 1, 33] {
        let split = (0..<width * count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        let joined = try withExactCopy(split) { (bytes) throws in
          try filled(width * count, UInt8(0)) {
            try ByteStreamSplit.decode(bytes, count: count, width: width, into: $0)
          }
        }
        #expect(joined == (0..<width * count).map { split[$0 % width * count + $0 / width] })
      }
    }
    _ = try withExactCopy([1, 2, 3]) { (bytes) throws in
      #expect(throws: ParquetError.self) {
        try filled(1, Int32(0)) {
          try ByteStreamSplit.decode(bytes, count: 1, width: 4, into: $0)
        }
      }
    }
  }

  /// The levels of an example in the format's document, and random ones.
  @Test func levelsFromTheMostSignificantBit() throws {
    func decode(_ bytes: UnsafeRawBufferPointer, _ count: Int, _ width: Int) throws -> [UInt8] {
      try filled(count, 0xAA) {
        _ = try BitPackedLevels.decode(bytes, count: count, bitWidth: width, into: $0)
      }
    }
    #expect(try withExactCopy([5, 0x39, 0x77]) { try decode($0, 8, 3) } == Array(0..<8))
    var random = SeededGenerator(seed: 4)
    for width in 0...8 {
      let levels = (0..<61).map { _ in UInt8.random(in: 0...UInt8((1 << width) - 1), using: &random)
      }
      var bits = levels.flatMap { level in (0..<width).reversed().map { level >> UInt8($0) & 1 } }
      bits += [UInt8](repeating: 0, count: -bits.count & 7)
      let packed = stride(from: 0, to: bits.count, by: 8).map { start in
        bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | $1 }
      }
      #expect(try withExactCopy(packed) { try decode($0, 61, width) } == levels)
      attack(packed + [0], seed: 5) { _ = try decode($0, 61, width) }
    }
  }
}
