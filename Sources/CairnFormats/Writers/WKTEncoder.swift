internal import CairnValues

/// The first location of each row as a line of well-known text. A number `altitude` is the third
/// coordinate.
struct WKTEncoder: RowEncoder {
  private let location: Int
  private let altitude: Int?

  init(_ columns: [OutputColumn]) throws(OutputError) {
    guard let location = columns.firstIndex(where: { $0.type == .point }) else {
      throw .noLocation
    }
    self.location = location
    altitude = columns.firstIndex {
      $0.name == "altitude" && [.int, .double].contains($0.type)
    }
  }

  func begin(_ sink: OutputSink) {}

  func encode(_ row: UnsafeBufferPointer<Cell>, sink: OutputSink) {
    sink.append(WKTText.text(row[location], altitude: height(row)) ?? "POINT EMPTY")
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
enum WKTText {
  /// Returns nil for a cell that is not a location.
  static func text(_ cell: Cell, altitude: Double? = nil) -> String? {
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
