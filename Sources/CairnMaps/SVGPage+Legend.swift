internal import CairnIO
internal import CairnValues

// The legend under the map.
extension SVGPage {
  /// Appends the number of rows and the meaning of each symbol. The meaning of colours and sizes by
  /// value takes a line of its own.
  func appendLegend(
    _ rows: String, scale: DensityScale?, styling: RowStyling.Scales, hasRegion: Bool,
    hasOrigin: Bool, sink: OutputSink
  ) {
    let y = Int(Self.top + height + 25)
    var x = 12
    func label(_ text: String) {
      sink.append("<text x=\"\(x)\" y=\"\(y)\">\(XMLText.escaped(text))</text>\n")
      x += Int(LabelLayout.width(of: text, size: 12)) + 14
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
    } else if styling.colour != nil {
      label(rows)
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
    append(styling, y: y + 24, sink: sink)
  }

  /// Appends the classes of the colours, and circles of three sizes.
  private func append(_ styling: RowStyling.Scales, y: Int, sink: OutputSink) {
    var x = 12
    func label(_ text: String) {
      sink.append("<text x=\"\(x)\" y=\"\(y)\">\(XMLText.escaped(text))</text>\n")
      x += Int(LabelLayout.width(of: text, size: 12)) + 12
    }
    if let colour = styling.colour {
      label(colour.title + ":")
      for entry in colour.entries {
        sink.append(
          "<circle class=\"row\" cx=\"\(x + 5)\" cy=\"\(y - 4)\" r=\"5\" style=\"fill:\(entry.colour)\"/>\n"
        )
        x += 14
        label(entry.label)
      }
      x += 12
    }
    if let size = styling.size {
      label(size.title + ":")
      for entry in size.entries {
        let radius = Int(entry.radius.rounded(.up))
        sink.append(
          "<circle class=\"origin\" cx=\"\(x + radius)\" cy=\"\(y - 4)\" r=\"\(number(entry.radius))\"/>\n"
        )
        x += radius * 2 + 4
        label(entry.label)
      }
    }
  }

  /// Appends a scale bar of a round number of kilometres, if the map has a single scale.
  private func appendScaleBar(_ y: Int, sink: OutputSink) {
    let right = Int(width) - 12
    sink.append(
      "<text class=\"small\" x=\"\(right)\" y=\"\(y)\" text-anchor=\"end\">map: Natural Earth</text>\n"
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
