internal import CairnGeometry
internal import CairnIO

/// The columns of a layer that a file's top-level columns become, and what is known of its geometries.
struct GeoLayout {
  private(set) var columns: [ParquetFile.Column] = []
  private(set) var otherGeometries: [String] = []
  /// The coordinate system: a name or a definition; nil if the file does not say.
  private(set) var system: String?
  /// The kind of all geometries as in well-known binary; 0 if there are several.
  private(set) var geometryType: Int32 = 0
  private(set) var hasSphericalEdges = false
  /// The column of the boxes of the geometries; nil without one.
  private(set) var boxes: SchemaNode?

  /// The system of files that name none, longitude and latitude of WGS 84.
  private static let defaultSystem = "OGC:CRS84"

  /// - Parameter notes: The notes of programs in the file, by their names.
  init(_ nodes: [SchemaNode], geo: GeoMetadata?, notes: [String: String]) {
    let spatial = nodes.filter { geo?.columns[$0.name] != nil || Self.isTyped($0) }
    let primary = spatial.first { $0.name == geo?.primary } ?? spatial.first
    let own = primary.flatMap { geo?.columns[$0.name] }
    boxes = own?.boxColumn.flatMap { name in nodes.first { $0.name == name } }
    otherGeometries = spatial.map(\.name).filter { $0 != primary?.name }
    for node in nodes where node.name != own?.boxColumn && !otherGeometries.contains(node.name) {
      columns.append(Self.column(node, own: node.name == primary?.name ? own : nil))
    }
    guard let primary else { return }
    describe(primary, own, notes: notes)
  }

  private mutating func describe(
    _ primary: SchemaNode, _ own: GeoMetadata.Column?, notes: [String: String]
  ) {
    var named: String?
    switch (own, primary.logical) {
    case (let own?, _):
      named = own.system ?? Self.defaultSystem
      hasSphericalEdges = own.hasSphericalEdges
    case (_, .geometry(let crs)):
      named = ProjJSON.system(ofType: crs, notes: notes) ?? Self.defaultSystem
    case (_, .geography(let crs)):
      named = ProjJSON.system(ofType: crs, notes: notes) ?? Self.defaultSystem
      hasSphericalEdges = true
    default: break
    }
    system = named == "" ? nil : named
    let types = own?.types ?? []
    if types.count == 1 { geometryType = Self.number(of: types[0]) }
    if case .native(let kind)? = own?.form, geometryType == 0 {
      geometryType = Int32(kind.rawValue)
    }
  }

  /// Whether the type of a column says that it holds geometries.
  private static func isTyped(_ node: SchemaNode) -> Bool {
    node.leaf?.kind == .geometry && node.leaf?.maxRepetition == 0
  }

  private static func column(
    _ node: SchemaNode, own: GeoMetadata.Column?
  ) -> ParquetFile.Column {
    var objection: String?
    var form = own?.form ?? (isTyped(node) ? .wkb : nil)
    if let unknown = own?.unknownEncoding {
      objection = "has geometries in the encoding `\(unknown)`, which Cairn does not read"
    }
    if form == .wkb, node.leaf?.type != .byteArray || node.leaf?.maxRepetition != 0 {
      // The note about another file was copied.
      form = nil
    }
    for leaf in node.leaves {
      if case .unsupported(let type) = leaf.kind {
        objection = "has the type \(type), which Cairn does not read"
      }
    }
    if node.logical == .variant { objection = "has the type VARIANT, which Cairn does not read" }
    return ParquetFile.Column(node: node, form: form, objection: objection)
  }

  /// The number of a kind, such as `MultiPolygon Z`, in well-known binary; 0 for an unknown one.
  private static func number(of type: String) -> Int32 {
    let names = [
      "point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon",
      "geometrycollection",
    ]
    let parts = type.lowercased().split(separator: " ")
    guard let name = parts.first, let index = names.firstIndex(of: String(name)) else { return 0 }
    return Int32(index + 1) + (parts.count > 1 && parts[1].hasPrefix("z") ? 1000 : 0)
  }
}

extension ParquetFile.Column {
  /// The type of the column in a layer.
  var layerType: LayerColumnType {
    if form != nil { return .geometry }
    guard let leaf = node.leaf, leaf.maxRepetition == 0 else { return .text }
    return leaf.kind.columnType == .geometry ? .data : leaf.kind.columnType
  }
}
