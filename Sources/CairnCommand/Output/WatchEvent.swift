import CairnFormats
import CairnQuery
import CairnStorage
import CairnValues

/// A row that `watch` reports.
struct WatchEvent {
  /// The kinds of events.
  enum Kind: String {
    /// The row matches at the beginning.
    case initial
    /// The row matches now, and did not before.
    case enter
    /// The row still matches, and has other values.
    case change
    /// The row does not match any more, or was deleted.
    case leave
  }

  let kind: Kind
  /// The number of the row in its class.
  let key: Int
  /// The columns with other values.
  var changed: [String] = []
  /// The class that has the row's values: the newer state, or the older one for a row that was
  /// deleted; nil if the values are not known any more.
  let table: Table?
  /// Whether the row was deleted.
  var isDeleted = false
}

/// Writes events as JSON objects, each on a line. It keeps the states alive that it has read.
final class WatchLines {
  private let buffer = OutputSink.memory()
  private let writer: RowWriter
  private let origin: QueryRequest.Origin?
  /// The distances of the rows of each state, if they are printed.
  private var distances: [ObjectIdentifier: DistanceColumn] = [:]

  /// - Parameters:
  ///   - lists: The columns; all for an empty list.
  ///   - origin: The origin of distances.
  init(_ lists: [String], of source: OpenedClass, origin: QueryRequest.Origin?) throws {
    let choice = try ColumnChoice(
      lists, of: source, isNear: origin != nil, isByDistance: false, needsLocation: false)
    if let computed = choice.computed.first {
      throw Failure(
        .usage, message: "watch prints stored columns and no formulas, such as \(computed.name)")
    }
    writer = try RowWriter(
      .jsonl, columns: choice.columns, measuringOn: ColumnChoice.ellipsoid(for: choice.columns),
      to: buffer)
    self.origin = choice.hasDistance ? origin : nil
  }

  /// The object of an event.
  ///
  /// - Parameter cursor: The cursor from which a later run continues behind the event.
  func text(of event: WatchEvent, cursor: WatchCursor) throws -> String {
    var members = [
      "\"event\":\(JSONBuilder.string(event.kind.rawValue))", "\"row\":\(event.key)",
      "\"cursor\":\(JSONBuilder.string(cursor.description))",
    ]
    if event.kind == .change {
      members.append(
        "\"changed\":[\(event.changed.map(JSONBuilder.string).joined(separator: ","))]")
    }
    if event.kind == .leave { members.append("\"deleted\":\(event.isDeleted)") }
    members.append("\"values\":\(try values(of: event))")
    return "{\(members.joined(separator: ","))}\n"
  }

  private func values(of event: WatchEvent) throws -> String {
    guard let table = event.table else { return "null" }
    buffer.removeAll()
    let distance = try distances(of: table)?.value(of: event.key) ?? .null
    try writer.write(key: event.key, of: table) { _ in distance }
    return String(decoding: buffer.collected.dropLast(), as: UTF8.self)
  }

  private func distances(of table: Table) throws -> DistanceColumn? {
    guard let origin else { return nil }
    if let known = distances[ObjectIdentifier(table)] { return known }
    let column = try DistanceColumn(from: origin, of: table, isRounded: false)
    distances[ObjectIdentifier(table)] = column
    return column
  }
}
