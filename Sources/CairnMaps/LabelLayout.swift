internal import CairnIO

/// The labels of a map, placed so that they do not overlap.
struct LabelLayout {
  /// A rectangle in pixels.
  struct Box {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    func overlaps(_ other: Box) -> Bool {
      x < other.x + other.width && other.x < x + width && y < other.y + other.height
        && other.y < y + height
    }
  }

  private let bounds: Box
  private var taken: [Box] = []

  init(width: Double, height: Double) {
    bounds = Box(x: 0, y: 0, width: width, height: height)
  }

  /// Keeps labels away from a rectangle.
  mutating func block(_ box: Box) { taken.append(box) }

  /// Takes the first of these rectangles that lies on the map and is free. Nil if none is.
  mutating func place(_ candidates: [Box]) -> Box? {
    let free = candidates.first { box in
      box.x >= 2 && box.y >= 2 && box.x + box.width <= bounds.width - 2
        && box.y + box.height <= bounds.height - 2 && !taken.contains { $0.overlaps(box) }
    }
    if let free { taken.append(free) }
    return free
  }

  /// Returns the rectangles for a text beside a mark: right, left, above and below.
  static func around(
    _ x: Double, y: Double, distance: Double, width: Double, height: Double
  ) -> [Box] {
    [
      Box(x: x + distance, y: y - height / 2, width: width, height: height),
      Box(x: x - distance - width, y: y - height / 2, width: width, height: height),
      Box(x: x - width / 2, y: y - distance - height, width: width, height: height),
      Box(x: x - width / 2, y: y + distance, width: width, height: height),
    ]
  }

  /// The approximate width of a text in a font of that size. Ideographs are as wide as high.
  static func width(of text: String, size: Double) -> Double {
    text.unicodeScalars.reduce(0) { width, scalar in
      let part = scalar.value >= 0x2E80 ? 1 : scalar.properties.isUppercase ? 0.68 : 0.55
      return width + part * size
    }
  }
}

// Names of countries, places and rows.
extension SVGPage {
  /// The most rows that are named on the map.
  static let maxLabels = 30
  /// The most towns that are named on the map.
  private static let maxPlaces = 60

  /// The name of a row, beside its mark.
  struct RowLabel {
    let text: String
    let point: (x: Double, y: Double)
    let radius: Double
  }

  /// Appends the labels of the graticule, the names of the rows, countries and places, as far as
  /// they do not overlap.
  func appendNames(_ graticule: Graticule, rows: [RowLabel], sink: OutputSink) {
    var layout = LabelLayout(width: width, height: height)
    sink.append("<g class=\"degrees\">\n")
    for label in graticule.labels { append(label, layout: &layout, sink: sink) }
    sink.append("</g>\n<g class=\"names\">\n")
    for row in rows {
      let (x, y) = (row.point.x * width, row.point.y * height)
      let size = row.radius * 2
      layout.block(
        LabelLayout.Box(x: x - row.radius, y: y - row.radius, width: size, height: size))
    }
    for row in rows { append(row, layout: &layout, sink: sink) }
    appendCountries(&layout, sink: sink)
    appendPlaces(&layout, omitting: Set(rows.map(\.text)), sink: sink)
    sink.append("</g>\n")
  }

  private func append(_ label: Graticule.Label, layout: inout LabelLayout, sink: OutputSink) {
    let wide = LabelLayout.width(of: label.text, size: 9.5) + 4
    let (x, y) = (label.point.x * width, label.point.y * height)
    var box = LabelLayout.Box(x: x + 2, y: y - 13, width: wide, height: 12)
    box.x = min(max(box.x, 2), width - wide - 2)
    box.y = min(max(box.y, 2), height - 14)
    guard let place = layout.place([box]) else { return }
    appendText(label.text, in: place, kind: "degree", sink: sink)
  }

  private func append(_ row: RowLabel, layout: inout LabelLayout, sink: OutputSink) {
    let text = XMLText.shortened(row.text, to: 40)
    let boxes = LabelLayout.around(
      row.point.x * width, y: row.point.y * height, distance: row.radius + 3,
      width: LabelLayout.width(of: text, size: 12.5), height: 15)
    guard let place = layout.place(boxes) else { return }
    appendText(text, in: place, kind: "label", sink: sink)
  }

  private func appendCountries(_ layout: inout LabelLayout, sink: OutputSink) {
    let pixelsPerDegree = height / (frame.north - frame.south)
    for country in BaseMap.countries {
      let text = country.text.uppercased()
      let wide = LabelLayout.width(of: text, size: 11) + Double(text.count) * 0.8
      let extent = Double(country.number) / 10 * pixelsPerDegree * frame.squeeze
      guard extent * 1.3 > wide else { continue }
      let point = frame.position(country.longitude, latitude: country.latitude)
      let box = LabelLayout.Box(
        x: point.x * width - wide / 2, y: point.y * height - 7, width: wide, height: 14)
      guard let place = layout.place([box]) else { continue }
      appendText(text, in: place, kind: "country", sink: sink)
    }
  }

  /// Appends the names of towns, except of those that are rows.
  private func appendPlaces(
    _ layout: inout LabelLayout, omitting rows: Set<String>, sink: OutputSink
  ) {
    let zoom = BaseMap.zoom(pixelsPerDegree: height / (frame.north - frame.south))
    var count = 0
    for name in BaseMap.places where Double(name.number) / 10 <= zoom + 1.5 {
      if rows.contains(name.text) { continue }
      let point = frame.position(name.longitude, latitude: name.latitude)
      let (x, y) = (point.x * width, point.y * height)
      let boxes = LabelLayout.around(
        x, y: y, distance: 4, width: LabelLayout.width(of: name.text, size: 10.5), height: 13)
      guard count < Self.maxPlaces, let place = layout.place(boxes) else { continue }
      count += 1
      sink.append(
        "<circle class=\"town\" cx=\"\(number(x))\" cy=\"\(number(y))\" r=\"1.6\"/>\n")
      appendText(name.text, in: place, kind: "place", sink: sink)
    }
  }

  private func appendText(
    _ text: String, in box: LabelLayout.Box, kind: String, sink: OutputSink
  ) {
    let (x, y) = (number(box.x), number(box.y + box.height * 0.78))
    sink.append(
      "<text class=\"\(kind)\" x=\"\(x)\" y=\"\(y)\">\(XMLText.escaped(text))</text>\n")
  }
}
