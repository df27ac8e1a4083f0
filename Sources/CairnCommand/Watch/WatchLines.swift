import CairnIO
import CairnQuery
import CairnRequest
import CairnStorage
import CairnValues

/// Writes events as JSON objects, each on a line. It keeps the states alive that it has read.
final class WatchLines {
  private let buffer = OutputSink.memory()
  private let writer: RowWriter
  private let choice: ColumnChoice
  private let schema: TableSchema
  private let origin: QueryRequest.Origin?
  /// The distances and the computed columns of the rows of each state.
  private var states: [ObjectIdentifier: State] = [:]

  private struct State {
    /// The distances, if they are printed.
    let distance: DistanceColumn?
    /// The computed columns; nil if the class had other columns then.
    var computed: ComputedValues?
  }

  /// - Parameters:
  ///   - lists: The columns; all for an empty list.
  ///   - origin: The origin of distances.
  init(_ lists: [String], of source: OpenedClass, origin: QueryRequest.Origin?) throws {
    choice = try ColumnChoice(
      lists, of: source, isNear: origin != nil, isByDistance: false, needsLocation: false)
    schema = source.schema
    writer = try RowWriter(
      .jsonl, columns: choice.columns, measuringOn: ColumnChoice.ellipsoid(for: choice.columns),
      to: buffer)
    self.origin = origin
  }

  /// The object of an event.
  ///
  /// - Parameter cursor: The cursor from which a later run continues behind the event.
  func text(of event: RowEvent, cursor: CommitCursor) throws -> String {
    var members = [("row", "\(event.key)"), ("cursor", JSONBuilder.string(cursor.description))]
    if event.kind == .change {
      members.append(
        ("changed", "[\(event.changed.map(JSONBuilder.string).joined(separator: ","))]"))
    }
    if event.kind == .leave { members.append(("deleted", "\(event.isDeleted)")) }
    members.append(("values", try values(of: event.key, in: event.table)))
    return object(event.kind.rawValue, members)
  }

  /// The object of an event of a fence.
  ///
  /// - Parameters:
  ///   - step: The step that the event belongs to.
  ///   - cursor: The cursor from which a later run continues behind the event.
  func text(of event: FenceEvent, in step: FenceEvents, cursor: CommitCursor) throws -> String {
    var members: [(String, String)] = []
    if let row = event.row { members.append(("row", "\(row)")) }
    if let fence = event.fence {
      let id = WatchLines.json(step.identifier(of: fence) ?? .null)
      members.append(("fence", "{\"row\":\(fence),\"id\":\(id)}"))
    }
    members.append(("cursor", JSONBuilder.string(cursor.description)))
    if let row = event.row {
      if event.kind == .leave { members.append(("deleted", "\(step.isDeleted(row))")) }
      let table = event.kind == .reset ? nil : step.table(of: row)
      members.append(("values", try values(of: row, in: table)))
    }
    return object(event.kind.rawValue, members)
  }

  private func object(_ kind: String, _ members: [(String, String)]) -> String {
    let all = [("event", JSONBuilder.string(kind))] + members
    return "{\(all.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ","))}\n"
  }

  /// The identifier of a fence.
  private static func json(_ value: Value) -> String {
    switch value {
    case .null: "null"
    case .int(let number): "\(number)"
    default: JSONBuilder.string(value.plainText)
    }
  }

  private func values(of key: Int, in table: Table?) throws -> String {
    guard let table else { return "null" }
    buffer.removeAll()
    var state = try states[ObjectIdentifier(table)] ?? self.state(of: table)
    try state.computed?.compute([key])
    states[ObjectIdentifier(table)] = state
    try writer.write(key: key, of: table) { index in
      index == 0
        ? state.distance?.value(of: key) ?? .null
        : state.computed?.value(index - 1, row: 0) ?? .null
    }
    return String(decoding: buffer.collected.dropLast(), as: UTF8.self)
  }

  private func state(of table: Table) throws -> State {
    let distance =
      try choice.hasDistance
      ? origin.map { try DistanceColumn(from: $0, of: table, isRounded: false) } : nil
    guard !choice.computed.isEmpty, table.schema == schema else {
      return State(distance: distance, computed: nil)
    }
    return State(
      distance: distance,
      computed: try ComputedValues(
        choice.computed, on: table, distance: origin.map { try $0.reader(of: table) }))
  }
}
