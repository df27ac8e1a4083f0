/// Numbers as people read them.
enum Quantity {
  /// `34 024`: groups of three with a space between.
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += " " }
      text.append(digit)
    }
    return text
  }

  /// `34 024 rows`, `1 row`.
  static func counted(_ number: Int, _ noun: String) -> String {
    "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
  }

  /// `0.21 s`, `12.4 s`.
  static func seconds(_ seconds: Double) -> String {
    let places = seconds < 10 ? 100.0 : 10.0
    return "\((seconds * places).rounded() / places) s"
  }
}
