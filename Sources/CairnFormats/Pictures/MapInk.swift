/// How the characters of a map are drawn.
struct MapInk {
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

  /// The characters of a line, without blanks at its end.
  func line(_ characters: [DotCanvas.Character]) -> String {
    var text = ""
    var colour: Int?
    let used = characters.lastIndex { $0.hasCross || $0.coast | $0.region | $0.rows != 0 } ?? -1
    for character in characters.prefix(used + 1) {
      let wanted = Self.colour(character, scale)
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

  /// What stands for a step where there are no colours; a map without crowds has dots.
  private func sign(_ step: Int) -> String {
    let count = scale.bounds.count
    if count == 1 { return "●" }
    return Self.shades[count == 2 ? step * 3 : count == 3 && step == 2 ? 3 : step]
  }

  /// What stands for a step in the legend.
  func swatch(_ step: Int) -> String {
    hasColour
      ? Self.escape(Self.heat(step, of: scale)) + "⣿" + Self.reset : sign(step)
  }

  /// What stands for the edge of a region in the legend.
  var regionSwatch: String {
    hasColour ? Self.escape(Self.regionColour) + "⠤⠤" + Self.reset : "⠤⠤"
  }

  /// What stands for `--near` in the legend.
  var crossSwatch: String {
    hasColour ? Self.escape(Self.regionColour) + "+" + Self.reset : "+"
  }

  private static func colour(_ character: DotCanvas.Character, _ scale: DensityScale) -> Int? {
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
