import CairnSystem

/// The page around the rows of a map. Its files are in `Resources`.
enum HTMLPage {
  /// The values of the page.
  enum Placeholder: String {
    case title, style, data, land, borders, script
  }

  /// The markup of the page.
  static let template = PageTemplate<Placeholder>(PackageResources.page_html)

  /// The style sheet of the page.
  static let style = PackageResources.page_css

  /// The parts of the script, which share one scope: the data and the plane of the map, the lines of
  /// the background, the drawing, the names, and the pointer with the legend.
  static let scripts = [
    PackageResources.reading_js, BaseMap.lineReader, PackageResources.drawing_js,
    PackageResources.naming_js, PackageResources.pointing_js,
  ]
}
