internal import CairnGeometry
internal import CairnValues

// What stands under the map.
extension SVGPage {
  func appendLegend(
    _ rows: String, _ scale: DensityScale?, hasRegion: Bool, hasOrigin: Bool, _ sink: OutputSink
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
    appendScaleBar(y, sink)
  }

  /// A round number of kilometres, where the picture has one scale.
  private func appendScaleBar(_ y: Int, _ sink: OutputSink) {
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

/// A length that is easy to read.
struct ScaleBar {
  let label: String
  /// In the unit of the picture's width.
  let width: Double

  /// - Parameter kilometresAcross: what the picture shows from left to right; nil: its scale varies too much.
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

/// Text in XML and HTML.
enum XMLText {
  /// With what means something escaped, what may not be there left out, and what is unsafe to show as escapes.
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

  /// The beginning of a text that is too long for its line.
  static func shortened(_ text: String, to count: Int) -> String {
    text.count > count ? text.prefix(count - 1) + "…" : text
  }
}
