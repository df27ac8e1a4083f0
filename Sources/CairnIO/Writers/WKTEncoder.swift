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

  func begin(_ sink: OutputSink) {}

  func encode(_ row: UnsafeBufferPointer<Cell>, sink: OutputSink) {
    if case .geometry(let geometry) = row[location] {
      geometry.wkt.withUnsafeBytes { sink.append($0) }
    } else {
      sink.append(WKTText.text(row[location], altitude: height(row)) ?? empty)
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

/// The well-known text of locations, with x or longitude first.
package enum WKTText {
  /// Returns nil for a cell that is not a location.
  package static func text(_ cell: Cell, altitude: Double? = nil) -> String? {
    switch cell {
    case .point(let position):
      text(position.longitude, y: position.latitude, z: altitude ?? own(position.altitude))
    case .projected(let x, let y, let height): text(x, y: y, z: altitude ?? own(height))
    default: nil
    }
  }

  /// Returns the altitude of a location, or nil for 0, which means that it is unknown.
  private static func own(_ altitude: Double) -> Double? { altitude == 0 ? nil : altitude }

  private static func text(_ x: Double, y: Double, z: Double?) -> String {
    z.map { "POINT Z (\(x) \(y) \($0))" } ?? "POINT (\(x) \(y))"
  }
}
