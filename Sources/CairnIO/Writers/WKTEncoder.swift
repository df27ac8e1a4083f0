internal import CairnGeometry
internal import CairnValues

/// The first location or geometry of each row as a line of well-known text. A number `altitude` is
/// the third coordinate of a location.
struct WKTEncoder: RowEncoder {
  private let location: Int
  private let altitude: Int?
  /// The text of a row without a location or geometry.
  private let empty: String

  init(_ columns: [OutputColumn]) throws(OutputError) {
    guard let location = columns.firstIndex(where: \.isSpatial) else { throw .noLocation }
    self.location = location
    empty = columns[location].type == .point ? "POINT EMPTY" : "GEOMETRYCOLLECTION EMPTY"
    altitude = columns.firstIndex {
      $0.name == "altitude" && [.int, .double].contains($0.type)
    }
  }

  var areRowsIndependent: Bool { true }

  func begin(_ sink: OutputSink) {}

  func encode(_ row: UnsafeBufferPointer<Cell>, sink: OutputSink) {
    if case .geometry(let geometry) = row[location] {
      geometry.wkt.withUnsafeBytes { sink.append($0) }
    } else {
      sink.append(row[location].pointText(altitude: height(row)) ?? empty)
    }
    sink.append("\n")
  }

  private func height(_ row: UnsafeBufferPointer<Cell>) -> Double? {
    switch altitude.map({ row[$0] }) {
    case .double(let metres): metres
    case .int(let metres): Double(metres)
    default: nil
    }
  }

  func end(_ sink: OutputSink) {}
}

extension Cell {
  /// The well-known text of a location, with x or longitude first; nil for other values.
  ///
  /// - Parameter altitude: The altitude to write instead of the location's own.
  package func pointText(altitude: Double? = nil) -> String? {
    switch self {
    case .point(let position):
      WKTPosition.point(
        x: position.longitude, y: position.latitude, z: altitude ?? Self.known(position.altitude))
    case .projected(let x, let y, let height):
      WKTPosition.point(x: x, y: y, z: altitude ?? Self.known(height))
    default: nil
    }
  }

  /// The altitude of a location, or nil for 0, which means that it is unknown.
  private static func known(_ altitude: Double) -> Double? { altitude == 0 ? nil : altitude }
}
