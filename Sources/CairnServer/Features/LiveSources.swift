import CairnQuery
import CairnStorage
import CairnValues

/// The rows that enter, change in or leave the result of a query.
final class ItemSource: LiveSource {
  private let watcher: RowWatcher
  private let format: LiveFormat

  init(_ query: ItemsQuery) throws {
    let collection = query.collection
    let state = collection.context.state
    watcher = try RowWatcher(
      TableQuery(table: collection.name, predicate: query.predicate), on: state.snapshot,
      table: collection.table, of: state.store, deadline: collection.context.deadline)
    format = LiveFormat(query)
  }

  var cursor: CommitCursor { watcher.cursor }
  var isRemoved: Bool { watcher.isRemoved }

  func initial() -> LiveEvents { events(watcher.initial()) }

  func changes(since cursor: CommitCursor) throws -> LiveEvents {
    events(try watcher.changes(since: cursor))
  }

  func advance() throws -> LiveEvents? { try watcher.advance().map(events) }

  private func events(_ found: RowEvents) -> LiveEvents {
    let rest = found.makeIterator()
    let texts = LiveTexts(format)
    return LiveEvents(
      count: found.count,
      texts: AnyIterator {
        rest.next().map { event in { cursor in try texts.text(of: event, cursor: cursor) } }
      })
  }
}

/// The rows that enter and leave the fences of another class.
final class FenceSource: LiveSource {
  private let watcher: FenceWatcher
  private let format: LiveFormat

  init(_ query: ItemsQuery, fences: Collection) throws {
    let collection = query.collection
    let state = collection.context.state
    do {
      watcher = try FenceWatcher(
        TableQuery(table: collection.name, predicate: query.predicate), on: state.snapshot,
        table: collection.table, fences: fences.table, of: state.store,
        deadline: collection.context.deadline)
    } catch let error as QueryError {
      throw Problem.parameter("fences", error)
    }
    format = LiveFormat(query)
  }

  var cursor: CommitCursor { watcher.cursor }
  var isRemoved: Bool { watcher.isRemoved }

  func initial() throws -> LiveEvents { events(try watcher.initial()) }

  func changes(since cursor: CommitCursor) throws -> LiveEvents {
    events(try watcher.changes(since: cursor))
  }

  func advance() throws -> LiveEvents? { try watcher.advance().map(events) }

  private func events(_ found: FenceEvents) -> LiveEvents {
    var rest = found.events.makeIterator()
    let texts = LiveTexts(format)
    return LiveEvents(
      count: found.events.count,
      texts: AnyIterator {
        rest.next().map { event in
          { cursor in try texts.text(of: event, in: found, cursor: cursor) }
        }
      })
  }
}

/// The form of the rows in events. Unlike the query, it keeps no state of the store.
struct LiveFormat {
  private let properties: [ColumnSchema]
  private let system: ServedSystem

  init(_ query: ItemsQuery) { (properties, system) = (query.properties, query.system) }

  /// A writer of features, one on each line, with the properties that a class still has.
  fileprivate func writer(for table: Table) throws -> ItemWriter {
    let kept = properties.filter { table.schema.column(named: $0.name) != nil }
    return try ItemWriter(
      features: ItemColumns(kept, of: table.schema, in: table.classes), of: table, in: system,
      members: "", isCollection: false)
  }
}

/// Writes the events of one step. It keeps the states of the store that it has read. One task at a time
/// uses it.
private final class LiveTexts {
  private let format: LiveFormat
  /// The writer of the rows, and the class that it was made for.
  private var writer: (schema: TableSchema, writer: ItemWriter)?

  init(_ format: LiveFormat) { self.format = format }

  // MARK: Rows

  /// The lines of an event.
  func text(of event: RowEvent, cursor: CommitCursor?) throws -> String {
    var members: [(String, JSON)] = [("row", .int(event.key))]
    if event.kind == .change {
      members.append(("changed", .array(event.changed.map { .string($0) })))
    }
    if event.kind == .leave { members.append(("deleted", .bool(event.isDeleted))) }
    return try text(
      event.kind.rawValue, members, feature: event.table.map { (event.key, $0) }, cursor: cursor)
  }

  // MARK: Fences

  /// The lines of an event of a fence.
  func text(of event: FenceEvent, in step: FenceEvents, cursor: CommitCursor?) throws -> String {
    var members: [(String, JSON)] = []
    var feature: (Int, Table)?
    if let row = event.row {
      members.append(("row", .int(row)))
      if event.kind == .leave { members.append(("deleted", .bool(step.isDeleted(row)))) }
      if event.kind != .reset { feature = step.table(of: row).map { (row, $0) } }
    }
    if let fence = event.fence {
      let id = step.identifier(of: fence).map(Self.json) ?? .null
      members.append(("fence", ["row": .int(fence), "id": id]))
    }
    return try text(event.kind.rawValue, members, feature: feature, cursor: cursor)
  }

  /// The identifier of an item.
  private static func json(_ value: Value) -> JSON {
    switch value {
    case .null: .null
    case .int(let int): .int(Int(int))
    default: .string(value.plainText)
    }
  }

  // MARK: Text

  private func text(
    _ kind: String, _ members: [(String, JSON)], feature: (key: Int, table: Table)?,
    cursor: CommitCursor?
  ) throws -> String {
    let start = JSON.object(members).text.dropLast()
    let feature = try feature.map { try self.feature($0.key, of: $0.table) } ?? "null"
    return """
      event: \(kind)
      \(cursor.map { "id: \($0)\n" } ?? "")data: \(start),"feature":\(feature)}


      """
  }

  /// The row as a feature, on one line.
  private func feature(_ key: Int, of table: Table) throws -> String {
    if writer?.schema != table.schema {
      writer = (table.schema, try format.writer(for: table))
    }
    guard let writer = writer?.writer else { return "null" }
    try writer.write(key, of: table)
    return String(decoding: writer.take().dropLast(), as: UTF8.self)
  }
}
