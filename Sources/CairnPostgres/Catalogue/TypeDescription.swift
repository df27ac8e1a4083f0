import CairnStorage
import CairnValues

/// The type of a column in Cairn, from its type in the catalogue.
struct TypeDescription {
  private(set) var type = ValueType.string
  private(set) var collection = CollectionKind.none
  private(set) var form = ValueForm.castText
  private(set) var srid = 0
  private(set) var isGeography = false

  /// - Parameters:
  ///   - base: The name of the type, or of the type behind a domain.
  ///   - element: The name of an array's elements; nil for any other type.
  ///   - modifier: The type modifier, in which PostGIS keeps kind, SRID and dimensions.
  ///   - comment: The comment on the column, in which a push keeps types that PostgreSQL lacks.
  init(base: String, element: String?, modifier: Int, comment: String?) {
    let note = comment.flatMap(CairnType.init(comment:))
    if let element {
      guard let (form, type) = Self.scalar(element) else { return }
      self.type = note == .objectIds && type == .string ? .objectId : type
      let own = note == .objectIds && type == .string ? ValueForm.objectId : form
      collection = note == .set ? .set : .list
      self.form = note == .set ? .set(own) : .array(own)
    } else if base == "geometry" || base == "geography" {
      form = .geometry
      isGeography = base == "geography"
      srid = modifier < 0 ? (isGeography ? 4326 : 0) : GeometryModifier(modifier).srid
      type = modifier < 0 ? .geometry : GeometryModifier(modifier).type
      if note == .polygon, type == .geometry { type = .polygon }
    } else if let (form, type) = Self.scalar(base) {
      let isObjectId = note == .objectId && type == .string
      self.form = isObjectId ? .objectId : form
      self.type = isObjectId ? .objectId : type
    }
  }

  private static func scalar(_ name: String) -> (form: ValueForm, type: ValueType)? {
    switch name {
    case "bool": (.bool, .bool)
    case "int2": (.int16, .int)
    case "int4": (.int32, .int)
    case "int8": (.int64, .int)
    case "oid": (.oid, .int)
    case "float4": (.float, .float)
    case "float8": (.double, .double)
    case "numeric": (.numeric, .decimal128)
    case "text", "varchar", "name": (.text, .string)
    case "bytea": (.bytes, .data)
    case "date": (.date, .date)
    case "timestamp", "timestamptz": (.timestamp, .date)
    case "uuid": (.uuid, .uuid)
    default: nil
    }
  }
}

/// A type of Cairn that PostgreSQL lacks. A push keeps it in a comment on the column.
package enum CairnType: String, Sendable {
  /// An ObjectId, as text.
  case objectId = "cairn: object id"
  /// ObjectIds, as an array of texts.
  case objectIds = "cairn: object ids"
  /// A set, as an array.
  case set = "cairn: set"
  /// A polygon or a multipolygon, for which PostGIS has no single type.
  case polygon = "cairn: polygon"

  /// Reads a comment; nil if it names no such type.
  init?(comment: String) { self.init(rawValue: comment) }
}

/// The modifier of PostGIS's types: the dimensions in two bits, the kind in six, the SRID in 21.
struct GeometryModifier {
  /// The number of the spatial reference; 0 if each value has its own.
  let srid: Int
  /// The property's type in Cairn. Points with altitudes are geometries, because a location has none.
  let type: ValueType

  init(_ modifier: Int) {
    srid = ((modifier & 0x0FFF_FF00) - (modifier & 0x1000_0000)) >> 8
    let hasAltitudes = modifier & 2 != 0
    type =
      switch (modifier & 0xFC) >> 2 {
      case 1: hasAltitudes ? .geometry : .point
      case 2: .lineString
      case 3, 6: .polygon
      default: .geometry
      }
  }

  /// The modifier behind a type, as PostGIS writes it: `(PointZ,2056)`.
  static func text(_ modifier: Int) -> String {
    guard modifier >= 0 else { return "" }
    let kind = (modifier & 0xFC) >> 2
    let srid = GeometryModifier(modifier).srid
    guard kind > 0 || srid != 0 || modifier & 3 != 0 else { return "" }
    let dimensions = (modifier & 2 != 0 ? "Z" : "") + (modifier & 1 != 0 ? "M" : "")
    return "(\(kinds.indices.contains(kind) ? kinds[kind] : "Geometry")\(dimensions)"
      + (srid == 0 ? ")" : ",\(srid))")
  }

  private static let kinds = [
    "Geometry", "Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon",
    "GeometryCollection", "CircularString", "CompoundCurve", "CurvePolygon", "MultiCurve",
    "MultiSurface", "PolyhedralSurface", "Triangle", "Tin",
  ]
}
