internal import CairnIO
import CairnSystem

/// The glyphs and colours of the characters of a map.
struct MapPalette {
  let scale: DensityScale
  private let hasColour: Bool

  /// Colours of a terminal's 256, from few rows to many.
  private static let heat = [220, 208, 202, 196]
  private static let shades = ["░", "▒", "▓", "█"]
  private static let coastColour = 244
  private static let regionColour = 38

  init(_ scale: DensityScale, hasColour: Bool) {
    self.scale = scale
    self.hasColour = hasColour
  }

  /// Returns the characters of a line, without trailing blanks.
  func line(_ characters: [DotCanvas.Character]) -> String {
    var text = ""
    var colour: Int?
    let used = characters.lastIndex { $0.hasCross || $0.coast | $0.region | $0.rows != 0 } ?? -1
    for character in characters.prefix(used + 1) {
      let wanted = Self.colour(character, scale: scale)
      if hasColour, let wanted, wanted != colour {
        text += Self.escape(wanted)
        colour = wanted
      }
      text += glyph(character)
    }
    return colour == nil ? text : text + Self.reset
  }

  private func glyph(_ character: DotCanvas.Character) -> String {
    if character.hasCross { return "+" }
    if character.count > 0 {
      return hasColour ? Self.braille(character.rows) : sign(scale.step(of: character.count))
    }
    let dots = character.region | character.coast
    return dots == 0 ? " " : Self.braille(dots)
  }

  /// Returns the glyph of a step on terminals without colours. A map with a single step uses dots.
  private func sign(_ step: Int) -> String {
    let count = scale.bounds.count
    if count == 1 { return "●" }
    return Self.shades[count == 2 ? step * 3 : count == 3 && step == 2 ? 3 : step]
  }

  /// Returns the symbol of a step in the legend.
  func swatch(_ step: Int) -> String {
    hasColour
      ? Self.escape(Self.heat(step, of: scale)) + "⣿" + Self.reset : sign(step)
  }

  /// The symbol of a region's edge in the legend.
  var regionSymbol: String {
    hasColour ? Self.escape(Self.regionColour) + "⠤⠤" + Self.reset : "⠤⠤"
  }

  /// The symbol of the origin in the legend.
  var crossSymbol: String {
    hasColour ? Self.escape(Self.regionColour) + "+" + Self.reset : "+"
  }

  private static func colour(_ character: DotCanvas.Character, scale: DensityScale) -> Int? {
    if character.hasCross { return regionColour }
    if character.count > 0 { return heat(scale.step(of: character.count), of: scale) }
    if character.region != 0 { return regionColour }
    return character.coast != 0 ? coastColour : nil
  }

  private static func heat(_ step: Int, of scale: DensityScale) -> Int {
    heat[scale.bounds.count == 1 ? 2 : step]
  }

  private static func braille(_ dots: UInt8) -> String {
    String(Unicode.Scalar(0x2800 + UInt32(dots)) ?? " ")
  }

  private static func escape(_ colour: Int) -> String { "\u{1B}[38;5;\(colour)m" }
  private static let reset = "\u{1B}[0m"
}

/// The legend of a map in the terminal.
struct MapLegend {
  let rows: Int
  let located: Int
  let frame: MapFrame
  let palette: MapPalette
  let subject: MapSubject

  /// Returns the symbols of the map, and its extent.
  func lines(width: Int) -> [String] {
    var signs = MapWords.rows(rows, located: located)
    if located > 0 {
      for (step, label) in palette.scale.labels.enumerated() {
        signs += "  \(palette.swatch(step)) \(label)"
      }
      signs += palette.scale.bounds.count > 1 ? " to a character" : ""
    }
    if !subject.regions.isEmpty { signs += "  \(palette.regionSymbol) region" }
    if subject.origin != nil { signs += "  \(palette.crossSymbol) near" }
    return [signs, MapWords.extent(frame)]
  }
}

/// The words in the legends of maps.
enum MapWords {
  /// Returns the number of rows, such as `312 rows`, and how many of them have no location.
  static func rows(_ count: Int, located: Int) -> String {
    let words = "\(grouped(count)) row\(count == 1 ? "" : "s")"
    return count == located ? words : "\(words), \(grouped(count - located)) without a location"
  }

  /// Returns a number as people write it, such as `34 024` or `2.5`.
  static func number(_ value: Double) -> String {
    guard let int = Int(exactly: value) else { return "\(value)" }
    return int < 0 ? "-" + grouped(-int) : grouped(int)
  }

  /// Returns a number rounded to some significant digits.
  static func rounded(_ value: Double, digits: Int) -> Double {
    guard value != 0, value.isFinite else { return value }
    let power = digits - 1 - Int(log10(abs(value)).rounded(.down))
    let factor = pow(10, Double(abs(power)))
    return power >= 0 ? (value * factor).rounded() / factor : (value / factor).rounded() * factor
  }

  /// Returns the digits in groups of three, such as `34 024`.
  private static func grouped(_ number: Int) -> String {
    let digits = Array(String(number))
    return digits.enumerated().reduce(into: "") { text, digit in
      if digit.offset > 0, (digits.count - digit.offset) % 3 == 0 { text += " " }
      text.append(digit.element)
    }
  }

  /// Returns the bounds, such as `47.2°N to 49.6°N, 1.1°E to 4.3°E`.
  static func extent(_ frame: MapFrame) -> String {
    if let polar = frame.polar { return polar.words(within: frame.radius) }
    let factor = frame.north - frame.south > 20 ? 1.0 : frame.north - frame.south > 2 ? 10 : 1000
    func text(_ degrees: Double, positive: String, negative: String) -> String {
      let size = (abs(degrees) * factor).rounded() / factor
      let digits = factor == 1 ? "\(Int(size))" : "\(size)"
      return "\(digits)°" + (size == 0 ? "" : degrees < 0 ? negative : positive)
    }
    func meridian(_ degrees: Double) -> String {
      text(
        degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees, positive: "E",
        negative: "W")
    }
    return
      "\(text(frame.south, positive: "N", negative: "S")) to \(text(frame.north, positive: "N", negative: "S")), \(meridian(frame.west)) to \(meridian(frame.east))"
  }
}

/// Exponential steps of row counts: each bound is a constant multiple of the previous one, because
/// dense areas can have a thousand times as many rows as sparse ones.
struct DensityScale {
  /// The greatest count of each step.
  let bounds: [Int]

  init(most: Int, steps: Int) {
    var bounds: [Int] = []
    for step in 1...steps {
      let bound = Int(pow(Double(max(1, most)), Double(step) / Double(steps)).rounded())
      if bound > bounds.last ?? 0 { bounds.append(bound) }
    }
    self.bounds = bounds
  }

  /// Returns the step of a count above 0.
  func step(of count: Int) -> Int { bounds.firstIndex { count <= $0 } ?? bounds.count - 1 }

  /// The counts of each step, such as `1`, `2–5`, `6–40`.
  var labels: [String] {
    bounds.enumerated().map { index, bound in
      let least = index == 0 ? 1 : bounds[index - 1] + 1
      return least == bound ? "\(bound)" : "\(least)–\(bound)"
    }
  }
}
