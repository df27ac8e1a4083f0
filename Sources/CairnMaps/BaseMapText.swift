internal import CairnIO

/// The text in which the lines and names of the base map are stored.
///
/// A line is a sequence of numbers in base 89, whose digits are the characters from `$` to `~`
/// without `<` and `\`; it ends with `!`. The first vertex takes three digits for each coordinate,
/// counted from the south-west in hundredths of a degree. Then follow steps of one or more digits;
/// even numbers are positive. The script of the HTML page reads the same text.
enum BaseMapText {
  /// Units in a degree.
  private static let units = 100.0
  private static let base = 89
  /// Smaller numbers take one digit.
  private static let short = 79
  private static let lineEnd = UInt8(ascii: "!")

  /// Reads consecutive lines.
  static func lines(_ bytes: UnsafeBufferPointer<UInt8>) -> [[BaseMap.Vertex]] {
    var digits = Digits(bytes)
    var lines: [[BaseMap.Vertex]] = []
    while let first = digits.vertex() {
      var (x, y) = first
      var line = [vertex(x, y: y)]
      while let right = digits.step(), let up = digits.step() {
        x += right
        y += up
        line.append(vertex(x, y: y))
      }
      lines.append(line)
    }
    return lines
  }

  /// Writes lines, as `lines` reads them.
  static func text(_ lines: [[BaseMap.Vertex]]) -> String {
    var bytes: [UInt8] = []
    for line in lines {
      var last: (x: Int, y: Int)?
      for vertex in line {
        let x = Int(((vertex.longitude + 180) * units).rounded())
        let y = Int(((vertex.latitude + 90) * units).rounded())
        if let last {
          append(step: x - last.x, to: &bytes)
          append(step: y - last.y, to: &bytes)
        } else {
          append(x, to: &bytes)
          append(y, to: &bytes)
        }
        last = (x, y)
      }
      bytes.append(lineEnd)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads names: text, coordinates in hundredths of a degree and a number, separated by `;`, in
  /// entries that are separated by `|` or line breaks.
  static func names(_ bytes: UnsafeBufferPointer<UInt8>) -> [BaseMap.Name] {
    bytes.split { $0 == UInt8(ascii: "|") || $0 == UInt8(ascii: "\n") }.compactMap { entry in
      let parts = entry.split(separator: UInt8(ascii: ";"))
      let numbers = parts.dropFirst().compactMap { Int(String(decoding: $0, as: UTF8.self)) }
      guard let name = parts.first, numbers.count == 3 else { return nil }
      return BaseMap.Name(
        text: String(decoding: name, as: UTF8.self), longitude: Double(numbers[0]) / units,
        latitude: Double(numbers[1]) / units, number: numbers[2])
    }
  }

  private static func vertex(_ x: Int, y: Int) -> BaseMap.Vertex {
    BaseMap.Vertex(
      longitude: Double(x - 180 * Int(units)) / units,
      latitude: Double(y - 90 * Int(units)) / units)
  }

  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    for power in [base * base, base, 1] { bytes.append(character(number / power % base)) }
  }

  private static func append(step: Int, to bytes: inout [UInt8]) {
    let code = step >= 0 ? step * 2 : -step * 2 - 1
    if code < short {
      bytes.append(character(code))
    } else if code - short < (base - 1 - short) * base {
      bytes.append(character(short + (code - short) / base))
      bytes.append(character((code - short) % base))
    } else {
      bytes.append(character(base - 1))
      append(code - short, to: &bytes)
    }
  }

  private static func character(_ digit: Int) -> UInt8 {
    var code = digit + 36
    if code >= 60 { code += 1 }
    if code >= 92 { code += 1 }
    return UInt8(truncatingIfNeeded: code)
  }

  /// The digits of a text, without its line breaks.
  private struct Digits {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var next = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The first vertex of the next line; nil at the end of the text.
    mutating func vertex() -> (Int, Int)? {
      guard let x = number(), let y = number() else { return nil }
      return (x, y)
    }

    /// The next step; nil at the end of the line, which it skips.
    mutating func step() -> Int? {
      guard var code = digit() else { return nil }
      if code == base - 1 {
        code = (number() ?? 0) + short
      } else if code >= short {
        code = (code - short) * base + (digit() ?? 0) + short
      }
      return code.isMultiple(of: 2) ? code / 2 : -(code + 1) / 2
    }

    private mutating func number() -> Int? {
      guard let high = digit(), let middle = digit(), let low = digit() else { return nil }
      return (high * base + middle) * base + low
    }

    private mutating func digit() -> Int? {
      while next < bytes.count {
        let byte = bytes[next]
        next += 1
        if byte == lineEnd { return nil }
        if byte > 35 { return Int(byte) - 36 - (byte > 60 ? 1 : 0) - (byte > 92 ? 1 : 0) }
      }
      return nil
    }
  }
}
