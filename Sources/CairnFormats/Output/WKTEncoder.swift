internal import CairnValues

/// The first location of each row as a line of well-known text; a number `altitude` is the third coordinate.
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

  func encode(_ row: UnsafeBufferPointer<Cell>, _ sink: OutputSink) {
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

/// Well-known text of places: x or longitude first.
enum WKTText {
  /// Nil for a cell that is no place.
  static func text(_ cell: Cell, altitude: Double? = nil) -> String? {
    switch cell {
    case .point(let place):
      text(place.longitude, place.latitude, altitude ?? own(place.altitude))
    case .projected(let x, let y, let height): text(x, y, altitude ?? own(height))
    default: nil
    }
  }

  /// A location without an altitude says 0.
  private static func own(_ altitude: Double) -> Double? { altitude == 0 ? nil : altitude }

  private static func text(_ x: Double, _ y: Double, _ z: Double?) -> String {
    z.map { "POINT Z (\(x) \(y) \($0))" } ?? "POINT (\(x) \(y))"
  }
}
