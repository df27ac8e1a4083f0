import CairnIO
import CairnMaps

/// The files that the page for people loads. They are parts of the program, from the folder
/// `Resources`.
enum ExplorerFile: String, CaseIterable {
  case style = "style.css"
  /// Connects the parts of the page.
  case main = "main.js"
  /// The map: its view, its tiles, and the ways to move it.
  case map = "map.js"
  /// Draws rows, cells and fences, and finds the row under the pointer.
  case drawing = "drawing.js"
  /// Web Mercator and the reader of vector tiles.
  case tiles = "tiles.js"
  /// Draws land, borders and names.
  case background = "background.js"
  /// The filter box: completion, and errors under a caret.
  case filter = "filter.js"
  /// The table of the rows in view.
  case table = "table.js"
  /// Follows changes in the view and in fences.
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
    case .style: PackageResources.style_css
    case .main: PackageResources.main_js
    case .map: PackageResources.map_js
    case .drawing: PackageResources.drawing_js
    case .tiles: PackageResources.tiles_js
    case .background: BaseMap.lineReader + PackageResources.background_js
    case .filter: PackageResources.filter_js
    case .table: PackageResources.table_js
    case .live: PackageResources.live_js
    case .baseMap: Array(BaseMap.json.utf8)
    }
  }

  /// The response with the file.
  var response: Response {
    Response(headers: ["Content-Type": type.header], body: .bytes(content))
  }
}
