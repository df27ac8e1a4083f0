/// Formats numbers for people.
enum Quantity {
  /// A whole number with its digits in groups of three: `34 024`.
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += " " }
      text.append(digit)
    }
    return text
  }

  /// A number of any size with its integer part in groups: `2 000 000`, `-0.25`, `1e+20`.
  static func number(_ number: Double) -> String {
    guard abs(number) < 1e15 else { return "\(number)" }
    let whole = number.rounded(.towardZero)
    guard number != whole else { return grouped(Int(number)) }
    let text = "\(number)"
    guard let point = text.firstIndex(of: "."), !text.contains("e") else { return text }
    return (number < 0 && whole == 0 ? "-0" : grouped(Int(whole))) + text[point...]
  }

  /// A number and a noun: `34 024 rows`, `1 row`.
  ///
  /// - Parameter many: The plural of the noun, if it is not formed with an s.
  static func counted(_ number: Int, noun: String, many: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? noun : many ?? noun + "s")"
  }

  /// Seconds with three significant digits or one decimal: `0.21 s`, `12.4 s`.
  static func seconds(_ seconds: Double) -> String {
    let scale = seconds < 10 ? 100.0 : 10.0
    return "\((seconds * scale).rounded() / scale) s"
  }

  /// A size in units of powers of 1000: `814 bytes`, `1.4 MB`, `12 GB`.
  static func bytes(_ count: Int) -> String {
    guard count >= 1000 else { return count == 1 ? "1 byte" : "\(count) bytes" }
    var size = Double(count) / 1000
    var unit = 0
    while size >= 999.5, unit < units.count - 1 {
      size /= 1000
      unit += 1
    }
    let text = size < 9.95 ? "\((size * 10).rounded() / 10)" : "\(Int(size.rounded()))"
    return "\(text) \(units[unit])"
  }

  private static let units = ["kB", "MB", "GB", "TB", "PB"]

  /// The number rounded to three significant digits: in a rate, the others only flicker.
  static func rounded(_ number: Double) -> Int {
    var scale = 1.0
    while number / scale >= 1000 { scale *= 10 }
    return Int((number / scale).rounded() * scale)
  }

  /// A duration in hours, minutes and seconds: `0:07`, `12:40`, `1:02:03`.
  static func clock(_ seconds: Double) -> String {
    let all = Int(min(max(0, seconds.rounded()), 1e9))
    let (hours, minutes) = (all / 3600, all / 60 % 60)
    let rest = two(all % 60)
    return hours > 0 ? "\(hours):\(two(minutes)):\(rest)" : "\(minutes):\(rest)"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
