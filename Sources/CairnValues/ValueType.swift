/// The type of a property's values. The raw values are stored in the file and never change.
package enum ValueType: UInt8, Sendable, CaseIterable {
  /// Truth values.
  case bool = 1
  /// Integers of 64 bits.
  case int = 2
  /// Numbers of single precision.
  case float = 3
  /// Numbers of double precision.
  case double = 4
  /// Texts.
  case string = 5
  /// Bytes.
  case data = 6
  /// Dates.
  case date = 7
  /// Unique identifiers of twelve bytes.
  case objectId = 8
  /// UUIDs.
  case uuid = 9
  /// Decimal numbers of 34 digits.
  case decimal128 = 10
  /// Locations.
  case point = 11
  /// Values of any type.
  case mixed = 12
  /// Links to objects.
  case link = 13
  /// Links to embedded objects.
  case embedded = 14
  /// Geometries of any kind.
  case geometry = 15
  /// Lines: geometries of the kind LineString.
  case lineString = 16
  /// Areas: geometries of the kinds Polygon and MultiPolygon.
  case polygon = 17
  /// Rectangles of meridians and parallels, which only the store itself keeps.
  case box = 18

  /// Whether values of the type are numbers, which compare by value whatever their type.
  package var isNumeric: Bool {
    switch self {
    case .int, .float, .double, .decimal128: true
    default: false
    }
  }

  /// Whether values of the type are geometries in packed form.
  package var isGeometry: Bool {
    switch self {
    case .geometry, .lineString, .polygon: true
    default: false
    }
  }

  /// Whether values of the type are locations or geometries.
  package var isSpatial: Bool { self == .point || isGeometry }

  /// The name that messages and the schema listing use.
  package var name: String {
    switch self {
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .double: "double"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .objectId: "object id"
    case .uuid: "uuid"
    case .decimal128: "decimal128"
    case .point: "point"
    case .mixed: "mixed"
    case .link: "object"
    case .embedded: "embedded object"
    case .geometry: "geometry"
    case .lineString: "line"
    case .polygon: "polygon"
    case .box: "box"
    }
  }
}

/// A location as a property stores it.
package struct Position: Hashable, Sendable {
  /// The latitude in degrees, -90 to 90.
  package var latitude: Double
  /// The longitude in degrees, -180 to 180.
  package var longitude: Double
  /// The altitude in metres.
  package var altitude: Double

  /// Creates a location from degrees and metres.
  @inlinable
  package init(latitude: Double, longitude: Double, altitude: Double = 0) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }
}

/// A rectangle of meridians and parallels as the store keeps it.
package struct Box: Hashable, Sendable {
  /// West, south, -east and -north in units of 1e-7 degree, like a node of an R-tree.
  package var lanes: SIMD4<Int32>

  /// Creates a rectangle from its lanes.
  @inlinable
  package init(lanes: SIMD4<Int32>) { self.lanes = lanes }

  /// Creates a rectangle from its 16 stored bytes.
  package init(storedBytes bytes: UnsafeRawBufferPointer) {
    assert(bytes.count >= 16, "a box has 16 bytes")
    lanes = bytes.loadUnaligned(as: SIMD4<Int32>.self)
  }

  /// Calls `body` with the 16 bytes that the store keeps, which are valid during the call.
  package func withStoredBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: lanes, body)
  }
}

/// A link to an object of a store: the number of its class, and its key.
package struct Link: Hashable, Comparable, Sendable {
  /// The number of the class.
  package let table: UInt32
  /// The key of the object.
  package let key: Int

  /// Creates a link.
  package init(table: UInt32, key: Int) {
    self.table = table
    self.key = key
  }

  /// A link to an object that is not in a store; no stored link equals it.
  package static let nowhere = Link(table: 0, key: -1)

  /// The order by class, then by key.
  package static func < (a: Link, b: Link) -> Bool {
    a.table == b.table ? a.key < b.key : a.table < b.table
  }
}

/// An error for a text that cannot be read as a value.
public struct ValueError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The message, which quotes the text.
  public let description: String

  /// Creates an error with a message.
  package init(_ description: String) {
    self.description = description
  }
}
