package import CairnGeometry
internal import CairnValues

/// The coordinate system in which locations are written. For use by one thread.
package final class OutputSystem {
  private let transform: CoordinateTransform
  /// Ten to the power of the number of decimals written: a tenth of a millimetre, or the equivalent
  /// in degrees.
  private let precision: Double
  /// Whether the northing is written first.
  private let swapsAxes: Bool

  /// Creates the system that a definition names.
  ///
  /// - Parameters:
  ///   - definition: A code (`EPSG:27700`), a PROJ string, or WKT.
  ///   - isInOwnOrder: Whether the axes are in the order of the system's definition, instead of
  ///     east before north.
  package init(_ definition: String, isInOwnOrder: Bool = false) throws(GeometryError) {
    transform = try CoordinateTransform(definition)
    swapsAxes = isInOwnOrder && transform.beginsWithNorth
    precision = transform.isInLengths ? 1e4 : 1e9
  }

  /// Returns a location or geometry converted to the system, and any other value unchanged.
  func cell(_ cell: Cell) throws(OutputError) -> Cell {
    if case .geometry(let geometry) = cell { return try converted(geometry) }
    guard case .point(let position) = cell else { return cell }
    do throws(GeometryError) {
      let point = try transform.fromWGS84(
        longitude: position.longitude, latitude: position.latitude)
      let (x, y) = ordered(rounded(point.x), rounded(point.y))
      return .projected(x: x, y: y, altitude: position.altitude)
    } catch { throw .outsideSystem(error.message) }
  }

  private func converted(_ geometry: GeometryCell) throws(OutputError) -> Cell {
    let result = geometry.withView { view -> Result<[UInt8], GeometryError> in
      do throws(GeometryError) {
        var builder = GeometryBuilder()
        try view.copy(into: &builder) { (longitude, latitude) throws(GeometryError) in
          let point = try transform.fromWGS84(longitude: longitude, latitude: latitude)
          return ordered(rounded(point.x), rounded(point.y))
        }
        var bytes: [UInt8] = []
        builder.encode(into: &bytes)
        return .success(bytes)
      } catch { return .failure(error) }
    }
    do throws(GeometryError) { return .geometry(.owned(try result.get())) } catch {
      throw .outsideSystem(error.message)
    }
  }

  private func ordered(_ x: Double, _ y: Double) -> (Double, Double) {
    swapsAxes ? (y, x) : (x, y)
  }

  private func rounded(_ value: Double) -> Double {
    let rounded = (value * precision).rounded() / precision
    return rounded == 0 ? 0 : rounded
  }

  /// The code or the text that defines the system.
  package var definition: String { transform.definition }

  /// The definition in PROJJSON; nil if PROJ cannot write it so.
  package var projJSON: String? { transform.projJSON }

  /// Whether this is the system that GeoJSON has by default.
  package var isWGS84: Bool { CRSMember(name: transform.definition) == .wgs84 }

  /// The name of the system in GeoJSON's old member `crs`, or nil when the system has no code.
  var urn: String? {
    let definition = transform.definition
    if definition.lowercased().hasPrefix("urn:ogc:def:crs:") { return definition }
    let parts = definition.split(separator: ":", omittingEmptySubsequences: false)
    let isCode =
      parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(Self.isWord) }
    return isCode ? "urn:ogc:def:crs:\(parts[0].uppercased())::\(parts[1])" : nil
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    Digits.isDigit(byte) || (0x41...0x5A).contains(byte & 0xDF)
  }
}
