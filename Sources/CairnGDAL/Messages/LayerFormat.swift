internal import CairnGeometry
internal import CairnIO
internal import CairnValues

/// A format that GDAL writes, and what it can hold.
enum LayerFormat: String, Sendable, CaseIterable {
  case gpkg
  case fgb
  case shp
  case kml
  case gpx

  /// The name of the format in messages.
  var title: String {
    switch self {
    case .gpkg: "GeoPackage"
    case .fgb: "FlatGeobuf"
    case .shp: "Shapefile"
    case .kml: "KML"
    case .gpx: "GPX"
    }
  }

  /// The name of GDAL's driver.
  var driver: String { self == .shp ? "ESRI Shapefile" : self == .gpkg ? "GPKG" : title }

  /// Whether the values of all columns are texts.
  var holdsOnlyTexts: Bool { self == .kml || self == .gpx }

  /// Whether all coordinates are degrees of WGS 84.
  var isInDegrees: Bool { self == .kml || self == .gpx }

  /// Whether all geometries of a file are of one family.
  var holdsOneFamily: Bool { self == .shp || self == .gpx }

  /// Whether a row needs a location.
  var needsEveryLocation: Bool { self == .fgb || self == .gpx }

  /// Whether a layer says if its geometries have altitudes. Those without then have the altitude 0,
  /// except for points of FlatGeobuf, which have NaN.
  var declaresAltitudes: Bool { self == .fgb || self == .shp }

  /// The most bytes of the name of a column; nil for any number.
  var longestName: Int? { self == .shp ? 10 : nil }

  /// Whether two names of columns must differ in more than capital letters.
  var ignoresCase: Bool { self == .gpkg || self == .shp }

  /// The type of a column with values of a type.
  func columnType(_ type: ValueType) -> LayerColumnType {
    guard !holdsOnlyTexts else { return .text }
    return switch type {
    case .bool: .bool
    case .int: .int
    case .float, .double: .double
    // A Shapefile has days, but neither times nor bytes.
    case .date: self == .shp ? .text : .date
    case .data: self == .shp ? .text : .data
    default: .text
    }
  }

  /// The reason why the format cannot hold geometries of a family; nil if it can.
  func objection(to family: GeometryFamily) -> String? {
    switch (self, family) {
    case (.shp, .collection): "a collection of geometries, which a Shapefile cannot hold"
    case (.gpx, .polygon): "an area; GPX holds only points and lines"
    case (.gpx, .multiPoint): "a MultiPoint; GPX holds only points and lines"
    case (.gpx, .collection): "a collection of geometries; GPX holds only points and lines"
    default: nil
    }
  }
}

/// The kinds of geometry that a Shapefile and GPX do not tell apart.
enum GeometryFamily: String {
  case point = "points"
  case multiPoint = "MultiPoints"
  case line = "lines"
  case polygon = "areas"
  case collection = "collections"

  init(_ kind: Geometry.Kind) {
    self =
      switch kind {
      case .point: .point
      case .multiPoint: .multiPoint
      case .lineString, .multiLineString: .line
      case .polygon, .multiPolygon: .polygon
      case .geometryCollection: .collection
      }
  }
}

extension OutputFormat {
  /// The format, if GDAL writes it.
  var layerFormat: LayerFormat? { LayerFormat(rawValue: rawValue) }
}

/// Chooses the names of columns that a format can hold.
struct LayerNames {
  /// The names in the file, in the order of the columns.
  private(set) var names: [String] = []
  /// The names that differ from those of the columns.
  private(set) var changes: [(from: String, to: String)] = []
  private let format: LayerFormat
  private var taken: Set<String> = []

  init(_ format: LayerFormat) { self.format = format }

  /// Adds the name of the next column.
  ///
  /// - Parameter isReserved: Whether the name itself means something else in the format.
  mutating func add(_ name: String, isReserved: Bool = false) {
    var candidate = shortened(name, suffix: "")
    var number = 2
    while isReserved && candidate == name || taken.contains(key(candidate)) || candidate.isEmpty {
      candidate = shortened(name, suffix: "_\(number)")
      number += 1
    }
    taken.insert(key(candidate))
    names.append(candidate)
    if candidate != name { changes.append((name, candidate)) }
  }

  private func key(_ name: String) -> String { format.ignoresCase ? name.lowercased() : name }

  /// The name with a suffix, cut to the length that the format allows.
  private func shortened(_ name: String, suffix: String) -> String {
    guard let limit = format.longestName else { return name + suffix }
    var start = ""
    for character in name {
      guard start.utf8.count + String(character).utf8.count + suffix.utf8.count <= limit else {
        break
      }
      start.append(character)
    }
    return start + suffix
  }

  /// The changed names in words; nil if none has changed.
  var note: String? {
    guard !changes.isEmpty else { return nil }
    let shown = changes.prefix(20).map { "`\($0.from)` as `\($0.to)`" }
    let rest = changes.count > shown.count ? " and \(changes.count - shown.count) more" : ""
    return "the columns are named differently in a \(format.title): "
      + shown.joined(separator: ", ") + rest
  }
}
