package import CairnGeometry
internal import CairnValues

/// The coordinate system in which locations are written. For one thread.
package final class OutputSystem {
  private let transform: CoordinateTransform
  /// Ten to the power of the decimals that are written: a tenth of a millimetre, or as little in
  /// degrees.
  private let precision: Double

  /// - Parameter definition: a code (`EPSG:27700`), a PROJ string, or WKT.
  package init(_ definition: String) throws(GeometryError) {
    transform = try CoordinateTransform(definition)
    precision = transform.isInLengths ? 1e4 : 1e9
  }

  /// A location brought into the system; any other value as it is.
  func cell(_ cell: Cell) throws(OutputError) -> Cell {
    guard case .point(let position) = cell else { return cell }
    do throws(GeometryError) {
      let place = try transform.fromWGS84(
        longitude: position.longitude, latitude: position.latitude)
      return .projected(x: rounded(place.x), y: rounded(place.y), altitude: position.altitude)
    } catch { throw .outsideSystem(error.message) }
  }

  private func rounded(_ value: Double) -> Double {
    let rounded = (value * precision).rounded() / precision
    return rounded == 0 ? 0 : rounded
  }

  /// Whether this is what GeoJSON has without saying so.
  var isWGS84: Bool { CRSMember(name: transform.definition) == .wgs84 }

  /// The name by which GeoJSON's old member `crs` can give the system; nil: it has no code.
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
