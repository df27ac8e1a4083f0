extension ArrowType {
  /// Parses a format of the C data interface, such as `tsm:UTC`. Returns nil if the format is not
  /// supported.
  package init?(_ format: String) {
    let parts = format.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let (letters, rest) = (parts.first ?? "", parts.count > 1 ? String(parts[1]) : "")
    if let plain = Self.plain[letters] {
      self = plain
      return
    }
    switch letters {
    case "w":
      guard let size = Int(rest), size > 0 else { return nil }
      self = .fixedBinary(size: size)
    case "tss": self = .timestamp(perSecond: 1, isLocal: rest.isEmpty)
    case "tsm": self = .timestamp(perSecond: 1000, isLocal: rest.isEmpty)
    case "tsu": self = .timestamp(perSecond: 1_000_000, isLocal: rest.isEmpty)
    case "tsn": self = .timestamp(perSecond: 1_000_000_000, isLocal: rest.isEmpty)
    case "d":
      let numbers = rest.split(separator: ",").map { Int($0) ?? -1 }
      guard numbers.count >= 2, numbers[0] > 0, numbers[1] >= 0,
        numbers.count < 3 || numbers[2] == 128
      else { return nil }
      self = .decimal(precision: numbers[0], scale: numbers[1], size: 16)
    case "+w":
      guard let count = Int(rest), count >= 0 else { return nil }
      self = .fixedList(count: count)
    default: return nil
    }
  }

  /// The types whose formats have no parameters.
  private static let plain: [Substring: ArrowType] = [
    "n": .null, "b": .bool,
    "c": .int(size: 1, isSigned: true), "C": .int(size: 1, isSigned: false),
    "s": .int(size: 2, isSigned: true), "S": .int(size: 2, isSigned: false),
    "i": .int(size: 4, isSigned: true), "I": .int(size: 4, isSigned: false),
    "l": .int(size: 8, isSigned: true), "L": .int(size: 8, isSigned: false),
    "e": .float(size: 2), "f": .float(size: 4), "g": .float(size: 8),
    "u": .text(isLarge: false), "U": .text(isLarge: true),
    "z": .binary(isLarge: false), "Z": .binary(isLarge: true),
    "vu": .textView, "vz": .binaryView,
    "tdD": .days, "tdm": .dayMilliseconds,
    "tts": .time(perSecond: 1, size: 4), "ttm": .time(perSecond: 1000, size: 4),
    "ttu": .time(perSecond: 1_000_000, size: 8), "ttn": .time(perSecond: 1_000_000_000, size: 8),
    "tDs": .duration(perSecond: 1), "tDm": .duration(perSecond: 1000),
    "tDu": .duration(perSecond: 1_000_000), "tDn": .duration(perSecond: 1_000_000_000),
    "tiM": .interval(.months), "tiD": .interval(.daysAndMilliseconds),
    "tin": .interval(.monthsDaysAndNanoseconds),
    "+l": .list(isLarge: false), "+L": .list(isLarge: true),
    "+vl": .listView(isLarge: false), "+vL": .listView(isLarge: true),
    "+s": .structure, "+m": .map,
  ]
}
