internal import CairnGeometry
package import CairnIO

/// A column as Arrow describes it.
package struct ArrowField: Sendable {
  package let name: String
  /// The type of the values, those of the dictionary if there is one.
  package let type: ArrowType
  /// The type of the integers that number the values of a dictionary; nil without one.
  let dictionaryIndex: ArrowType?
  /// The number of the dictionary in a stream.
  let dictionary: Int64
  package let children: [ArrowField]
  /// The meaning of the values beyond their type; nil if they have none.
  let meaning: Meaning?
  /// The coordinate system of geometries as GeoArrow writes it: JSON; nil without one.
  let geoMetadata: String?

  /// The meaning of values, which the name of an extension type says.
  enum Meaning: Equatable, Sendable {
    case wkb
    case wkt
    /// Geometries whose coordinates are numbers in lists.
    case shapes(Geometry.Kind)
    case uuid
  }

  /// The deepest nesting of lists that is read.
  static let deepest = 32

  /// - Parameter extensionName: The name of an extension type; nil without one.
  init(
    name: String, type: ArrowType, dictionaryIndex: ArrowType? = nil, dictionary: Int64 = 0,
    children: [ArrowField] = [], extensionName: String? = nil, geoMetadata: String? = nil
  ) {
    self.name = name
    self.type = type
    self.dictionaryIndex = dictionaryIndex
    self.dictionary = dictionary
    self.children = children
    self.geoMetadata = geoMetadata
    meaning = extensionName.flatMap { Self.meaning($0, type, children) }
  }

  /// The column with the meaning of geometries in WKB, which a note of the file gives it.
  func asWKB() -> ArrowField? {
    guard type.isBytes, meaning == nil else { return nil }
    return ArrowField(
      name: name, type: type, dictionaryIndex: dictionaryIndex, dictionary: dictionary,
      children: children, extensionName: "geoarrow.wkb", geoMetadata: geoMetadata)
  }

  /// Whether the values of another column lie in memory as those of this one, without the integers that
  /// number them.
  func hasLayout(of other: ArrowField) -> Bool {
    type == other.type && children.count == other.children.count
      && zip(children, other.children).allSatisfy { own, other in
        own.dictionaryIndex == other.dictionaryIndex && own.dictionary == other.dictionary
          && own.hasLayout(of: other)
      }
  }

  private static func meaning(
    _ name: String, _ type: ArrowType, _ children: [ArrowField]
  ) -> Meaning? {
    if name.hasSuffix(".wkb") { return type.isBytes ? .wkb : nil }
    if name == "geoarrow.wkt" { return type.isText ? .wkt : nil }
    if name == "arrow.uuid" { return type == .fixedBinary(size: 16) ? .uuid : nil }
    guard let kind = shapes[name] else { return nil }
    let field = ArrowField(name: "", type: type, children: children)
    return ShapeLayout(field, kind: kind) == nil ? nil : .shapes(kind)
  }

  private static let shapes: [String: Geometry.Kind] = [
    "geoarrow.point": .point, "geoarrow.linestring": .lineString, "geoarrow.polygon": .polygon,
    "geoarrow.multipoint": .multiPoint, "geoarrow.multilinestring": .multiLineString,
    "geoarrow.multipolygon": .multiPolygon,
  ]

  /// Whether the values are geometries.
  package var isGeometry: Bool {
    switch meaning {
    case .wkb, .wkt, .shapes: true
    case .uuid, nil: false
    }
  }

  /// The column of the values: that of the runs if there are runs.
  var content: ArrowField { type == .runs && children.count == 2 ? children[1] : self }

  /// The type of the layer's column that holds the values.
  package var columnType: LayerColumnType {
    if isGeometry { return .geometry }
    return meaning == .uuid ? .text : content.meaning == .uuid ? .text : content.type.columnType
  }

  /// The reason why the column cannot be read, without its name; nil if it can.
  var objection: String? {
    if case .union = type { return "has the type union, which Cairn does not read" }
    if let dictionaryIndex {
      guard case .int = dictionaryIndex else { return "has a dictionary that Cairn does not read" }
    }
    switch type {
    case .list, .listView, .fixedList, .map:
      if children.count != 1 { return Self.misshapen }
    case .runs:
      guard children.count == 2, case .int(_, isSigned: true) = children[0].type,
        children[0].dictionaryIndex == nil, children[1].dictionaryIndex == nil,
        children[1].type != .runs
      else { return Self.misshapen }
    default: break
    }
    return children.lazy.compactMap(\.objection).first
  }

  private static let misshapen = "is not described as Arrow requires"
}

extension ArrowType {
  /// Whether the values are bytes of any number.
  var isBytes: Bool {
    switch self {
    case .binary, .binaryView: true
    default: false
    }
  }

  /// Whether the values are texts.
  var isText: Bool {
    switch self {
    case .text, .textView: true
    default: false
    }
  }
}
