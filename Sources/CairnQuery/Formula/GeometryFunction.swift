import CairnValues

/// A function of geometries in a formula. The raw value is its name, which is that of Simple Features
/// where it has one.
///
/// A name is read in any case, and with `ST_` in front of it. Arguments that are locations are taken as
/// points. A result is null if an argument is.
package enum GeometryFunction: String, CaseIterable, Sendable {
  // MARK: Measures

  /// The area of polygons in square metres, on the ellipsoid.
  case area
  /// The length of lines in metres, on the ellipsoid.
  case length
  /// The longitude of a point in degrees; null for another geometry.
  case x
  /// The latitude of a point in degrees; null for another geometry.
  case y
  /// The number of parts: points, lines and polygons.
  case parts
  /// The number of vertices, including those that close rings.
  case vertices
  /// The name of the kind, as GeoJSON writes it.
  case geometryType
  /// Whether the geometry has no vertex.
  case isEmpty
  /// Whether the geometry keeps the rules of Simple Features, with edges straight in longitude and
  /// latitude.
  case isValid
  /// The geometry as well-known text.
  case asText
  /// The geometry as well-known binary in hexadecimal digits.
  case hex

  // MARK: Points of a geometry

  /// The centre of mass in the plane; null for an empty geometry.
  case centroid

  // MARK: New shapes

  /// The area within a distance of the geometry, on the sphere.
  case buffer
  /// The smallest convex geometry around it, in the plane.
  case convexHull
  /// The geometry made valid.
  case makeValid

  // MARK: Two geometries

  /// The points that both have, in the plane.
  case intersection
  /// The points of either, in the plane.
  case union
  /// The points of the first that the second does not have, in the plane.
  case difference
}

extension GeometryFunction {
  /// The function of a name in any case, with or without `ST_`; nil if there is none.
  package init?(named name: some StringProtocol) {
    let word = name.lowercased()
    let plain = word.hasPrefix("st_") ? String(word.dropFirst(3)) : word
    guard let found = Self.names[plain] else { return nil }
    self = found
  }

  private static let names: [String: GeometryFunction] = {
    var names: [String: GeometryFunction] = [
      "geometrytype": .geometryType, "npoints": .vertices, "numpoints": .vertices,
      "numgeometries": .parts, "astext": .asText, "ashexwkb": .hex,
    ]
    for function in allCases { names[function.rawValue.lowercased()] = function }
    return names
  }()

  /// The kinds of arguments.
  enum Parameter {
    /// A geometry, or a location.
    case geometry
    /// A length in metres, or with its unit.
    case distance
    /// A number.
    case number
    /// A whole number.
    case int
    /// A text.
    case text

    /// The type of the values that the function computes with.
    var type: ValueType {
      switch self {
      case .geometry: .geometry
      case .distance, .number: .double
      case .int: .int
      case .text: .string
      }
    }

    /// The arguments, as messages name them.
    var name: String {
      switch self {
      case .geometry: "a geometry"
      case .distance: "a length such as 5km"
      case .number: "a number"
      case .int: "an int"
      case .text: "a text"
      }
    }
  }

  /// The arguments that a call has, and those that may follow.
  var parameters: (required: [Parameter], optional: [Parameter]) {
    switch self {
    case .buffer: ([.geometry, .distance], [])
    case .intersection, .union, .difference: ([.geometry, .geometry], [])
    default: ([.geometry], [])
    }
  }

  /// The numbers of arguments that it takes.
  var arguments: ClosedRange<Int> {
    let (required, optional) = parameters
    return required.count...required.count + optional.count
  }

  /// The type of the results.
  var type: ValueType {
    switch self {
    case .area, .length, .x, .y: .double
    case .parts, .vertices: .int
    case .isEmpty, .isValid: .bool
    case .geometryType, .asText, .hex: .string
    case .centroid: .point
    case .buffer, .convexHull, .makeValid, .intersection, .union, .difference: .geometry
    }
  }
}
