/// A measure of a geometry that can be a column. A geometry that has none has a null there.
package enum GeometryMeasure: String, Sendable, CaseIterable {
  /// The area of the polygons in square metres.
  case area
  /// The length of the lines in metres.
  case length

  /// Returns the measure of a geometry.
  package func value(_ view: GeometryView, on ellipsoid: Ellipsoid) -> Double? {
    switch self {
    case .area: ellipsoid.area(of: view)
    case .length: ellipsoid.length(of: view)
    }
  }
}
