/// Matches texts against patterns with `*` and `?`.
enum Wildcards {
  /// `?` in a pattern: one code point.
  static let one: UInt32 = 0xFFFF_FFFE
  /// `*` in a pattern: any run of code points.
  static let run: UInt32 = 0xFFFF_FFFF

  /// Whether the whole text matches the pattern.
  ///
  /// - Parameters:
  ///   - fold: Returns the folded value of a unit of the text, to compare with the pattern.
  ///   - begins: Whether a code point begins with the unit.
  @inline(__always)
  static func matches<Unit>(
    _ text: UnsafeBufferPointer<Unit>, pattern: UnsafeBufferPointer<UInt32>,
    fold: (Unit) -> UInt32, begins: (Unit) -> Bool
  ) -> Bool {
    var index = 0
    var step = 0
    // The position to resume at when a guess at the length of the latest run fails.
    var retryIndex = 0
    var retryStep = -1
    while index < text.count {
      if step < pattern.count, pattern[step] == run {
        step += 1
        retryStep = step
        retryIndex = index
      } else if step < pattern.count, pattern[step] == one {
        step += 1
        index = endOfCodePoint(text, at: index, begins: begins)
      } else if step < pattern.count, pattern[step] == fold(text[index]) {
        step += 1
        index += 1
      } else if retryStep >= 0 {
        retryIndex = endOfCodePoint(text, at: retryIndex, begins: begins)
        index = retryIndex
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
    _ text: UnsafeBufferPointer<Unit>, at index: Int, begins: (Unit) -> Bool
  ) -> Int {
    var end = index + 1
    while end < text.count, !begins(text[end]) { end += 1 }
    return end
  }

  /// A pattern as units: wildcards, and the units of `literal` for the text between them.
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
