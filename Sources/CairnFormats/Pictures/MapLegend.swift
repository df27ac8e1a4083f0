/// What stands under a map in the terminal.
struct MapLegend {
  let rows: Int
  let withPlace: Int
  let frame: MapFrame
  let ink: MapInk
  let subject: PictureSubject

  /// The signs of the map, and where it lies.
  func lines(width: Int) -> [String] {
    var signs = PictureWords.rows(rows, withPlace: withPlace)
    if withPlace > 0 {
      for (step, label) in ink.scale.labels.enumerated() {
        signs += "  \(ink.swatch(step)) \(label)"
      }
      signs += ink.scale.bounds.count > 1 ? " to a character" : ""
    }
    if !subject.regions.isEmpty { signs += "  \(ink.regionSwatch) region" }
    if subject.origin != nil { signs += "  \(ink.crossSwatch) near" }
    return [signs, PictureWords.extent(frame)]
  }
}

/// Words under pictures.
enum PictureWords {
  /// `312 rows`, and how many of them have no place.
  static func rows(_ count: Int, withPlace: Int) -> String {
    let words = "\(grouped(count)) row\(count == 1 ? "" : "s")"
    return count == withPlace ? words : "\(words), \(grouped(count - withPlace)) without a place"
  }

  /// `34 024`.
  private static func grouped(_ number: Int) -> String {
    let digits = Array(String(number))
    return digits.enumerated().reduce(into: "") { text, digit in
      if digit.offset > 0, (digits.count - digit.offset) % 3 == 0 { text += " " }
      text.append(digit.element)
    }
  }

  /// `47.2°N to 49.6°N, 1.1°E to 4.3°E`.
  static func extent(_ frame: MapFrame) -> String {
    let places = frame.north - frame.south > 20 ? 1.0 : frame.north - frame.south > 2 ? 10 : 1000
    func text(_ degrees: Double, _ positive: String, _ negative: String) -> String {
      let size = (abs(degrees) * places).rounded() / places
      let digits = places == 1 ? "\(Int(size))" : "\(size)"
      return "\(digits)°" + (size == 0 ? "" : degrees < 0 ? negative : positive)
    }
    func meridian(_ degrees: Double) -> String {
      text(degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees, "E", "W")
    }
    return
      "\(text(frame.south, "N", "S")) to \(text(frame.north, "N", "S")), \(meridian(frame.west)) to \(meridian(frame.east))"
  }
}
