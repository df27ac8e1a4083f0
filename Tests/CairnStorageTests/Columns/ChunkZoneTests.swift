import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

@Suite(.tags(.untrusted)) struct ChunkZoneTests {
  @Test(arguments: ValueSource.columnTypes)
  func zonesAreTrueBounds(type: ValueType) {
    for seed in 0..<12 as Range<UInt64> {
      var source = ValueSource(seed: seed)
      let flavour = ValueSource.Flavour.allCases[Int(seed % 3)]
      let nulls = [0, 20, 100][Int(seed / 3 % 3)]
      let values = (0..<200).map { _ in
        source.chance(nulls) ? Value.null : source.value(of: type, flavour)
      }
      let zone = EncodedColumn(type, values).zone
      #expect(objections(to: zone, values, type) == [], "seed \(seed)")
    }
  }

  @Test func boundsOfNumbersAreTight() {
    let zone = EncodedColumn(.int, [.int(-5), .null, .int(12)]).zone
    #expect(zone.minimum == -5 && zone.maximum == 12 && zone.nullCount == 1 && zone.hasBounds)
  }

  @Test func aNaNIsOutsideOfTheBounds() {
    let zone = EncodedColumn(.double, [.double(.nan), .double(2), .double(-1)]).zone
    #expect(zone.hasNaN && zone.hasBounds)
    #expect(Double(bitPattern: UInt64(bitPattern: zone.minimum)) == -1)
    #expect(Double(bitPattern: UInt64(bitPattern: zone.maximum)) == 2)
    let alone = EncodedColumn(.double, [.double(.nan)]).zone
    #expect(alone.hasNaN && !alone.hasBounds)
  }

  @Test func zonesAreReadBackFromTheZoneTable() {
    let zone = Zone(minimum: -7, maximum: 1 << 40, nullCount: 3, flags: Zone.hasBoundsFlag)
    var table = [UInt8](repeating: 0, count: 2 * Zone.size)
    table.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return }
      zone.write(to: base + Zone.size)
      let read = Zone(reading: base + Zone.size)
      #expect(read?.minimum == -7 && read?.maximum == 1 << 40 && read?.nullCount == 3)
      #expect(read?.hasBounds == true && read?.hasNaN == false)
      #expect(Zone(reading: base) == nil)
    }
  }

  @Test(arguments: [ValueType.int, .double, .string, .point, .uuid])
  func everyFlippedByteIsNoticed(type: ValueType) {
    var source = ValueSource(seed: 9)
    let column = EncodedColumn(
      type, (0..<100).map { _ in source.chance(10) ? .null : source.value(of: type, .plain) })
    #expect(column.bytes.withUnsafeBytes { ChunkEncoder.isIntact($0) })
    for index in column.bytes.indices {
      var damaged = column.bytes
      damaged[index] ^= UInt8(1) << UInt8(index % 8)
      #expect(!damaged.withUnsafeBytes { ChunkEncoder.isIntact($0) }, "byte \(index)")
    }
  }

  /// Files with larger pages have longer chunks, because of alignment.
  @Test func zerosAfterAChunkAreNotDamage() {
    let bytes = EncodedColumn(.int, [.int(1), .null]).bytes + [UInt8](repeating: 0, count: 6144)
    #expect(bytes.withUnsafeBytes { ChunkEncoder.isIntact($0) })
    #expect(!(bytes + [1]).withUnsafeBytes { ChunkEncoder.isIntact($0) })
    #expect(!Array(bytes[..<2000]).withUnsafeBytes { ChunkEncoder.isIntact($0) })
  }

  @Test func aChunkThatIsTooShortIsRejected() {
    let bytes = [UInt8](repeating: 1, count: 31)
    bytes.withUnsafeBytes { buffer in
      #expect(!ChunkEncoder.isIntact(buffer))
      guard let base = buffer.baseAddress else { return }
      #expect(Chunk(encoded: base, size: 31) == nil)
    }
    let unknown = [UInt8](repeating: 200, count: 2048)
    unknown.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return }
      #expect(Chunk(encoded: base, size: 2048) == nil)
    }
  }
}

/// The claims of a zone that the values contradict.
func objections(to zone: Zone, _ values: [Value], _ type: ValueType) -> [String] {
  var found: [String] = []
  let present = values.filter { $0 != .null }
  if zone.isKnown, Int(zone.nullCount) != values.count - present.count {
    found.append("\(zone.nullCount) nulls")
  }
  for value in present {
    switch value {
    case .bool(let flag): checkInteger(flag ? 1 : 0)
    case .int(let number): checkInteger(number)
    case .double(let number), .date(let number): checkDouble(number)
    case .float(let number): checkDouble(Double(number))
    case .string(let text): checkPrefix(Array(text.utf8))
    case .data(let bytes), .geometry(let bytes): checkPrefix(bytes)
    default: if zone.hasBounds { found.append("bounds of \(type)") }
    }
  }
  func checkInteger(_ number: Int64) {
    guard zone.hasBounds else { return found.append("no bounds") }
    if number < zone.minimum || number > zone.maximum { found.append("\(number) outside") }
  }
  func checkDouble(_ number: Double) {
    if number.isNaN {
      if !zone.hasNaN { found.append("NaN") }
      return
    }
    guard zone.hasBounds else { return found.append("no bounds") }
    let low = Double(bitPattern: UInt64(bitPattern: zone.minimum))
    let high = Double(bitPattern: UInt64(bitPattern: zone.maximum))
    if !(low <= number && number <= high) { found.append("\(number) outside") }
  }
  func checkPrefix(_ bytes: [UInt8]) {
    guard zone.hasBounds else { return found.append("no bounds") }
    var prefix: UInt64 = 0
    for index in 0..<8 { prefix = prefix << 8 | UInt64(index < bytes.count ? bytes[index] : 0) }
    if prefix < UInt64(bitPattern: zone.minimum) || prefix > UInt64(bitPattern: zone.maximum) {
      found.append("\(prefix) outside")
    }
  }
  return found
}
