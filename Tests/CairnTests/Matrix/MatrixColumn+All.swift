import Cairn
import Foundation

extension MatrixColumn {
  /// Every type of property with its boundary values; of those that may be null, null too.
  static let all: [MatrixColumn] = numbers + others + optionals

  private static let numbers: [MatrixColumn] = [
    .ordered("int", { \.int }) { ints },
    .ordered("int8", { \.int8 }) { [0, 1, -1, .min, .max, 42] },
    .ordered("int16", { \.int16 }) { [0, 1, -1, .min, .max, 42] },
    .ordered("int32", { \.int32 }) { [0, 1, -1, .min, .max, 42] },
    .ordered("int64", { \.int64 }) { [0, 1, -1, .min, .max, 42] },
    .ordered("float", { \.float }) { floats },
    .ordered("double", { \.double }) { doubles },
    .ordered("decimal", { \.decimal }) { decimals },
    .ordered("date", { \.date }) { dates },
    .ordered("level", { \.level }) { [.low, .middle, .high] },
    .ordered("warmth", { \.warmth }) { [Celsius(0), Celsius(-40), Celsius(36.6)] },
  ]

  private static let others: [MatrixColumn] = [
    .plain("bool", { \.bool }) { [true, false] },
    .ordered("string", { \.string }) { strings },
    .ordered("data", { \.data }) { datas },
    .plain("objectId", { \.objectId }) { ids },
    .plain("uuid", { \.uuid }) { uuids },
    .ordered("shade", { \.shade }) { [.amber, .blue, .coral] },
  ]

  private static let optionals: [MatrixColumn] = [
    .plain("maybeBool", { \.maybeBool }) { [nil, true, false] },
    .ordered("maybeInt", { \.maybeInt }) { [nil] + ints },
    .ordered("maybeInt8", { \.maybeInt8 }) { [nil, 0, .min, .max] },
    .ordered("maybeFloat", { \.maybeFloat }) { [nil] + floats },
    .ordered("maybeDouble", { \.maybeDouble }) { [nil] + doubles },
    .ordered("maybeString", { \.maybeString }) { [nil] + strings },
    .ordered("maybeData", { \.maybeData }) { [nil] + datas },
    .ordered("maybeDate", { \.maybeDate }) { [nil] + dates },
    .plain("maybeObjectId", { \.maybeObjectId }) { [nil] + ids },
    .plain("maybeUUID", { \.maybeUUID }) { [nil] + uuids },
    .ordered("maybeDecimal", { \.maybeDecimal }) { [nil] + decimals },
    .ordered("maybeShade", { \.maybeShade }) { [nil, .amber, .blue, .coral] },
    .ordered("maybeLevel", { \.maybeLevel }) { [nil, .low, .middle, .high] },
    .ordered("maybeWarmth", { \.maybeWarmth }) { [nil, Celsius(0), Celsius(-40)] },
  ]

  private static let ints = [0, 1, -1, .min, .max, 1_000_000]
  private static let floats: [Float] = [
    0, -0.0, 1.5, -1.5, .nan, .infinity, -.infinity, .greatestFiniteMagnitude,
    .leastNonzeroMagnitude,
  ]
  private static let doubles = [
    0, -0.0, 1.5, -1.5, .nan, .infinity, -.infinity, .greatestFiniteMagnitude,
    .leastNonzeroMagnitude,
  ]
  private static let decimals: [Decimal128] = [0, 1, -1, 1.5, 123_456_789, -0.001]
  private static let dates = [0, 1, -1, 0.25, 700_000_000.5, -60_000_000_000].map {
    Date(timeIntervalSinceReferenceDate: $0)
  }
  private static let strings = [
    "", "a", "A", "b", "aa", "é", "e\u{301}", "Ж", "日本", "🎉", "a\u{0}b", "z", "%@", "'",
  ]
  private static let datas = [
    Data(), Data([0]), Data([0, 0]), Data([255]), Data([1, 2, 3]), Data([1, 2]),
  ]
  private static let ids = [
    ObjectId(), ObjectId("11223344556677889900aabb"), ObjectId("ffffffffffffffffffffffff"),
  ]
  private static let uuids = [
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
    UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
    UUID(uuid: (255, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255)),
  ]
}
