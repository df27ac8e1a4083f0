/// Matching against `*` and `?`.
enum Wildcards {
  /// `?` in a pattern: one code point.
  static let one: UInt32 = 0xFFFF_FFFE
  /// `*` in a pattern: any run of code points.
  static let run: UInt32 = 0xFFFF_FFFF

  /// Whether the whole text fits the pattern.
  ///
  /// - Parameters:
  ///   - fold: what a unit of the text counts as, to be held against the pattern.
  ///   - begins: whether a code point begins with the unit.
  @inline(__always)
  static func matches<Unit>(
    _ text: UnsafeBufferPointer<Unit>, _ pattern: UnsafeBufferPointer<UInt32>,
    fold: (Unit) -> UInt32, begins: (Unit) -> Bool
  ) -> Bool {
    var place = 0
    var step = 0
    // Where to go on when a guess at the length of the latest run fails.
    var retryPlace = 0
    var retryStep = -1
    while place < text.count {
      if step < pattern.count, pattern[step] == run {
        step += 1
        retryStep = step
        retryPlace = place
      } else if step < pattern.count, pattern[step] == one {
        step += 1
        place = endOfCodePoint(text, place, begins)
      } else if step < pattern.count, pattern[step] == fold(text[place]) {
        step += 1
        place += 1
      } else if retryStep >= 0 {
        retryPlace = endOfCodePoint(text, retryPlace, begins)
        place = retryPlace
        step = retryStep
      } else {
        return false
      }
    }
    while step < pattern.count, pattern[step] == run { step += 1 }
    return step == pattern.count
  }

  @inline(__always)
  private static func endOfCodePoint<Unit>(
    _ text: UnsafeBufferPointer<Unit>, _ place: Int, _ begins: (Unit) -> Bool
  ) -> Int {
    var end = place + 1
    while end < text.count, !begins(text[end]) { end += 1 }
    return end
  }

  /// A pattern as units: wildcards, and between them the units that `literal` makes of the text.
  static func pattern(_ text: String, literal: (String) -> [UInt32]) -> [UInt32] {
    var units: [UInt32] = []
    var run = ""
    for scalar in text.unicodeScalars {
      if scalar == "*" || scalar == "?" {
        units += literal(run)
        run = ""
        if scalar == "?" {
          units.append(one)
        } else if units.last != Wildcards.run {
          units.append(Wildcards.run)
        }
      } else {
        run.unicodeScalars.append(scalar)
      }
    }
    return units + literal(run)
  }
}
