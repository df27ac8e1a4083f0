import CairnFormats

/// The files that the page for people loads. They are parts of the program, so that it needs no
/// folder of resources.
enum ExplorerFile: String, CaseIterable {
  case style = "style.css"
  case main = "main.js"
  case map = "map.js"
  case drawing = "drawing.js"
  case tiles = "tiles.js"
  case background = "background.js"
  case filter = "filter.js"
  case table = "table.js"
  case live = "live.js"
  case baseMap = "basemap.json"

  /// The type of the content.
  var type: MediaType {
    switch self {
    case .style: .css
    case .baseMap: .json
    case .main, .map, .drawing, .tiles, .background, .filter, .table, .live: .javaScript
    }
  }

  private var content: [UInt8] {
    switch self {
    case .style: Self.bytes(Self.styleSheet)
    case .main: Self.bytes(Self.mainScript)
    case .map: Self.bytes(Self.mapScript)
    case .drawing: Self.bytes(Self.drawingScript)
    case .tiles: Self.bytes(Self.tilesScript)
    case .background: Self.bytes(BaseMap.lineReader) + Self.bytes(Self.backgroundScript)
    case .filter: Self.bytes(Self.filterScript)
    case .table: Self.bytes(Self.tableScript)
    case .live: Self.bytes(Self.liveScript)
    case .baseMap: Array(BaseMap.json.utf8)
    }
  }

  private static func bytes(_ text: StaticString) -> [UInt8] { text.withUTF8Buffer(Array.init) }

  /// The response with the file.
  var response: Response {
    Response(headers: ["Content-Type": type.header], body: .bytes(content))
  }
}
