internal import CairnGeometry
internal import CairnValues

/// The parts of an SVG map.
struct SVGPage {
  /// The size of the map in pixels.
  let width = 960.0
  let height: Double
  private let frame: MapFrame
  private let picture: FrameDrawing

  static let top = 36.0
  static let bottom = 40.0
  /// Colours from few rows to many.
  static let heat = ["#f4a261", "#ec7b52", "#d94a4a", "#b02a55", "#701e5f"]

  init(_ frame: MapFrame) {
    self.frame = frame
    picture = FrameDrawing(frame)
    height = (width / frame.aspect).rounded()
  }

  /// The width of the map in kilometres; nil if the scale varies too much from south to north.
  var kilometresAcross: Double? {
    frame.north - frame.south < 40 ? (frame.east - frame.west) * frame.squeeze * 111.319 : nil
  }

  func begin(_ title: String, sink: OutputSink) {
    let all = Int(height + Self.top + Self.bottom)
    sink.append(
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(all)" \
      width="\(Int(width))" height="\(all)" role="img" font-family="system-ui, sans-serif">
      <title>\(XMLText.escaped(title))</title>
      <style>\(Self.style)</style>
      <clipPath id="frame"><rect width="\(Int(width))" height="\(Int(height))"/></clipPath>
      <rect class="page" width="100%" height="100%"/>
      <text class="title" x="12" y="24">\(XMLText.escaped(XMLText.shortened(title, to: 110)))</text>
      <g transform="translate(0 \(Int(Self.top)))"><g clip-path="url(#frame)">
      <rect class="sea" width="\(Int(width))" height="\(Int(height))"/>

      """)
  }

  private static let style = """
    .page{fill:#fff}.sea{fill:#dce9f2}.land{fill:#f4efe1}\
    .grid{fill:none;stroke:#8aa4b8;stroke-opacity:.35;stroke-width:.5}\
    .region{fill:#1f78b4;fill-opacity:.12;fill-rule:evenodd;stroke:#1f78b4;stroke-width:1.5}\
    .area{fill:#d1344b;fill-opacity:.22;fill-rule:evenodd;stroke:#b3243c;stroke-width:.6;\
    stroke-linejoin:round}.area:hover{fill-opacity:.6}\
    .line{fill:none;stroke:#d1344b;stroke-width:1.4;stroke-linejoin:round;stroke-linecap:round}\
    .line:hover{stroke:#000;stroke-width:3}\
    .row{fill:#d1344b;fill-opacity:.8;stroke:#fff;stroke-width:.5}.row:hover{fill:#000}\
    .origin{fill:none;stroke:#111;stroke-width:1.5}\
    text{fill:#222;font-size:12px}.title{font-size:15px;font-weight:600}.small{fill:#666;font-size:10px}\
    .bar{fill:none;stroke:#222}\
    @media(prefers-color-scheme:dark){.page{fill:#14181d}.sea{fill:#1b2731}\
    .land{fill:#343b38}.row{fill:#ff7a70;stroke:#14181d}.row:hover{fill:#fff}\
    .area{fill:#ff7a70;stroke:#ff9a90}.line{stroke:#ff7a70}.line:hover{stroke:#fff}\
    .region{fill:#6cb6e8;stroke:#6cb6e8}.origin,.bar{stroke:#eee}text{fill:#e4e6e8}.small{fill:#9aa1a8}}
    """

  func appendLand(_ sink: OutputSink) {
    var path = ""
    for ring in Coastline.rings {
      for area in picture.areas(ring) { path += self.path(area) }
    }
    if !path.isEmpty { sink.append("<path class=\"land\" d=\"\(path)\"/>\n") }
  }

  /// Appends meridians and parallels at round degrees.
  func appendGraticule(_ sink: OutputSink) {
    let step = Self.roundStep(max((frame.east - frame.west) / 8, (frame.north - frame.south) / 5))
    var path = ""
    var longitude = (frame.west / step).rounded(.up) * step
    while longitude < frame.east {
      let x = number((longitude - frame.west) / (frame.east - frame.west) * width)
      path += "M\(x) 0V\(Int(height))"
      longitude += step
    }
    var latitude = (frame.south / step).rounded(.up) * step
    while latitude < frame.north {
      path +=
        "M0 \(number((frame.north - latitude) / (frame.north - frame.south) * height))H\(Int(width))"
      latitude += step
    }
    sink.append("<path class=\"grid\" d=\"\(path)\"/>\n")
  }

  private static let steps = [
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 45,
  ]

  private static func roundStep(_ least: Double) -> Double { steps.first { $0 >= least } ?? 45 }

  /// Appends a region; its holes are not filled.
  func append(_ outline: Outline, sink: OutputSink) {
    let path = outline.rings.reduce(into: "") { path, ring in
      for area in picture.areas(ring) { path += self.path(area) }
    }
    if !path.isEmpty { sink.append("<path class=\"region\" d=\"\(path)\"/>\n") }
  }

  /// Appends the areas and the lines of a row.
  func append(_ shape: ShapeBuffer.Shape, of shapes: ShapeBuffer, label: String, sink: OutputSink) {
    let title = "<title>\(XMLText.escaped(label))</title></path>\n"
    var (areas, lines) = ("", "")
    for part in shape.parts {
      if part - shape.parts.lowerBound < shape.ringCount {
        let isHole = !areas.isEmpty
        for area in picture.areas(shapes.part(part)) {
          areas += path(area, end: "Z") ?? (isHole ? "" : dot(area))
        }
      } else {
        for line in picture.lines(shapes.part(part)) { lines += path(line, end: "") ?? dot(line) }
      }
    }
    if !areas.isEmpty { sink.append("<path class=\"area\" d=\"\(areas)\">\(title)") }
    if !lines.isEmpty { sink.append("<path class=\"line\" d=\"\(lines)\">\(title)") }
  }

  /// Returns a path of one pixel, for what is too small to have a form.
  private func dot(_ points: [(x: Double, y: Double)]) -> String {
    guard let point = points.first else { return "" }
    return "M\(number(point.x * width)) \(number(point.y * height))h.5v.5h-.5Z"
  }

  func appendMark(
    _ place: (x: Double, y: Double), radius: Double, label: String, sink: OutputSink
  ) {
    sink.append(
      "<circle class=\"row\" cx=\"\(number(place.x * width))\" cy=\"\(number(place.y * height))\" r=\"\(radius)\"><title>\(XMLText.escaped(label))</title></circle>\n"
    )
  }

  /// Appends the squares of a grid, one path for each colour.
  func append(_ grid: DensityGrid, scale: DensityScale, sink: OutputSink) {
    let size = (x: width / Double(grid.columns), y: height / Double(grid.rows))
    var paths = scale.bounds.map { _ in "" }
    for (index, count) in grid.counts.enumerated() where count > 0 {
      let x = number(Double(index % grid.columns) * size.x)
      let y = number(Double(index / grid.columns) * size.y)
      let (across, down) = (number(size.x), number(size.y))
      paths[scale.step(of: count)] += "M\(x) \(y)h\(across)v\(down)h-\(across)z"
    }
    for (step, path) in paths.enumerated() where !path.isEmpty {
      sink.append(
        "<path fill=\"\(Self.colour(step, of: scale))\" d=\"\(path)\"><title>\(scale.labels[step]) rows here</title></path>\n"
      )
    }
  }

  static func colour(_ step: Int, of scale: DensityScale) -> String {
    heat[scale.bounds.count == 1 ? 2 : step * (heat.count - 1) / max(1, scale.bounds.count - 1)]
  }

  /// Appends a cross at the origin of distances.
  func append(_ origin: GeoPoint, sink: OutputSink) {
    let place = frame.position(origin.longitude, latitude: origin.latitude)
    let (x, y) = (number(place.x * width), number(place.y * height))
    sink.append("<path class=\"origin\" d=\"M\(x) \(y)m-7 0h14m-7-7v14\"/>\n")
  }

  func endMap(_ sink: OutputSink) { sink.append("</g></g>\n") }

  private func path(_ points: [(x: Double, y: Double)]) -> String {
    path(points, end: "Z") ?? ""
  }

  /// Returns a path that ends with `end`, or nil if it has no visible extent.
  private func path(_ points: [(x: Double, y: Double)], end: String) -> String? {
    var path = ""
    var steps = 0
    var last = (x: Double.infinity, y: Double.infinity)
    for point in points {
      let (x, y) = (point.x * width, point.y * height)
      // A step of less than half a pixel is not visible.
      guard max(abs(x - last.x), abs(y - last.y)) >= 0.5 else { continue }
      path += (path.isEmpty ? "M" : "L") + number(x) + " " + number(y)
      last = (x, y)
      steps += 1
    }
    return steps > 1 ? path + end : nil
  }

  /// Returns a number in pixels, rounded to tenths.
  private func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0
      ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }
}

// The legend under the map.
extension SVGPage {
  func appendLegend(
    _ rows: String, scale: DensityScale?, hasRegion: Bool, hasOrigin: Bool, sink: OutputSink
  ) {
    let y = Int(Self.top + height + 25)
    var x = 12
    func label(_ text: String) {
      sink.append("<text x=\"\(x)\" y=\"\(y)\">\(XMLText.escaped(text))</text>\n")
      x += text.count * 7 + 14
    }
    if let scale {
      label(rows + ":")
      for (step, bound) in scale.labels.enumerated() {
        sink.append(
          "<rect x=\"\(x)\" y=\"\(y - 10)\" width=\"11\" height=\"11\" fill=\"\(Self.colour(step, of: scale))\"/>\n"
        )
        x += 16
        label(bound)
      }
    } else {
      sink.append("<circle class=\"row\" cx=\"\(x + 4)\" cy=\"\(y - 4)\" r=\"4\"/>\n")
      x += 14
      label(rows)
    }
    if hasRegion {
      sink.append(
        "<rect class=\"region\" x=\"\(x)\" y=\"\(y - 10)\" width=\"16\" height=\"11\"/>\n")
      x += 22
      label("region")
    }
    if hasOrigin {
      sink.append("<path class=\"origin\" d=\"M\(x) \(y - 4)h14m-7-7v14\"/>\n")
      x += 20
      label("near")
    }
    appendScaleBar(y, sink: sink)
  }

  /// Appends a scale bar of a round number of kilometres, if the map has a single scale.
  private func appendScaleBar(_ y: Int, sink: OutputSink) {
    let right = Int(width) - 12
    sink.append(
      "<text class=\"small\" x=\"\(right)\" y=\"\(y)\" text-anchor=\"end\">land: Natural Earth</text>\n"
    )
    guard let bar = ScaleBar(kilometresAcross: kilometresAcross, width: width) else { return }
    let end = right - 110
    let start = end - Int(bar.width.rounded())
    sink.append("<path class=\"bar\" d=\"M\(start) \(y - 7)v4H\(end)v-4\"/>\n")
    sink.append("<text x=\"\(start - 6)\" y=\"\(y)\" text-anchor=\"end\">\(bar.label)</text>\n")
  }
}

/// A scale bar of a round length.
struct ScaleBar {
  let label: String
  /// The length in the unit of the map's width.
  let width: Double

  /// Creates a bar of at most a sixth of the map's width.
  ///
  /// - Parameter kilometresAcross: The width of the map in kilometres; nil if its scale varies too
  ///   much, which gives no bar.
  init?(kilometresAcross: Double?, width: Double) {
    guard let across = kilometresAcross else { return nil }
    var length = 0.001
    for step in Self.steps where step <= across / 6 { length = step }
    label = length < 1 ? "\(Int((length * 1000).rounded())) m" : "\(Int(length)) km"
    self.width = length / across * width
  }

  private static let steps = [
    0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000,
  ]
}

/// Escapes text for XML and HTML.
enum XMLText {
  /// Returns the text with markup characters escaped, forbidden characters removed, and unsafe ones
  /// written as escapes.
  static func escaped(_ text: String) -> String {
    let text = PrintableText.escaped(text, keeping: ["\n", "\t"])
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case _ where scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  /// Returns the text truncated to a number of characters.
  static func shortened(_ text: String, to count: Int) -> String {
    text.count > count ? text.prefix(count - 1) + "…" : text
  }
}
