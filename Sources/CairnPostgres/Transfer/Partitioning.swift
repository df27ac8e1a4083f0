import CairnSystem

/// The division of a table into partitions, each with rows that are next to each other along the Hilbert curve.
package struct Partitioning: Sendable {
  /// The most partitions of a table.
  package static let maxCount = 1024
  /// The number of partitions on each server, unless the caller says otherwise.
  package static let usualCountPerServer = 4

  /// The number of partitions.
  package let count: Int
  /// The servers that keep the partitions in turn; empty if the database of the table itself does.
  package let servers: [PostgresAddress]

  /// Divides a table.
  ///
  /// - Parameters:
  ///   - count: The number of partitions, at least that of the servers; nil for four on each server.
  ///   - servers: The servers that keep the partitions; empty for the database of the table.
  package init(count: Int? = nil, servers: [PostgresAddress] = []) throws(PostgresError) {
    self.count = count ?? Self.usualCountPerServer * max(1, servers.count)
    self.servers = servers
    guard (1...Self.maxCount).contains(self.count) else {
      throw PostgresError(
        .usage,
        message: "a table has 1 to \(Self.maxCount) partitions, not \(self.count)")
    }
    guard servers.count <= self.count else {
      throw PostgresError(
        .usage,
        message: "\(servers.count) servers need at least as many partitions, not \(self.count)")
    }
  }

  /// The rows of a partition, by their offset along the curve.
  func rows(of partition: Int, among total: Int) -> Range<Int> {
    total * partition / count..<total * (partition + 1) / count
  }

  /// The partitions of a server.
  func partitions(ofServer server: Int) -> [Int] {
    Array(stride(from: server, to: count, by: max(1, servers.count)))
  }
}

/// The tables of the partitions that one push makes.
///
/// Their names are those of no other push, and their comments name the table that they belong to, so
/// that a later push finds what an earlier one has left behind.
struct PartitionNames: Sendable {
  /// Identifies the push.
  private let generation: String
  /// The name of the whole table.
  private let target: PostgresName
  /// The beginning of the comments on all partitions of the table.
  private let owner: String

  /// The beginning of the comments on all partitions of all tables.
  static let mark = "cairn partition of "

  init(of target: PostgresName, in connection: PostgresConnection) throws(PostgresError) {
    self.target = target
    let digits = String(UInt32.random(in: 0 ... .max), radix: 16)
    generation = String(repeating: "0", count: 8 - digits.count) + digits
    let found = try connection.execute(
      """
      SELECT coalesce($1, current_schema()), d.oid, c.system_identifier
      FROM pg_database d, pg_control_system() c WHERE d.datname = current_database()
      """, [PostgresParameter(text: target.schema, type: 25)])
    let values = found.first?.map { $0 ?? "" } ?? ["", "", ""]
    owner =
      "\(Self.mark)\(values[0]).\(target.name), database \(values[1]) of system \(values[2]); "
  }

  /// The name of a partition, without a schema. It leaves space for the names of indexes.
  func name(of partition: Int) -> String {
    var prefix = target.name.unicodeScalars[...]
    while prefix.reduce(0, { $0 + UTF8.width($1) }) > 40 { prefix = prefix.dropLast() }
    return "\(String(String.UnicodeScalarView(prefix)))_p\(partition)_\(generation)"
  }

  /// Marks a table as a partition of this push.
  ///
  /// - Parameter kind: The kind of the table, as `COMMENT` names it.
  func comment(
    on table: PostgresName, kind: String = "TABLE", in connection: PostgresConnection
  ) throws(PostgresError) {
    try connection.execute(
      "COMMENT ON \(kind) \(table.quoted) IS \(SQLName.literal(owner + generation))")
  }

  /// The groups of partitions that `drop` removes.
  enum Generations {
    /// Those of this push.
    case own
    /// Those of all other pushes but these, which tables still use.
    case others(except: [String])
  }

  /// The pushes whose partitions belong to tables of the database: that of this push once it is published, and
  /// those of tables that were renamed.
  func used(in coordinator: PostgresConnection) throws(PostgresError) -> [String] {
    try coordinator.execute(
      """
      SELECT DISTINCT right(d.description, 8) FROM pg_class c
        JOIN pg_description d ON d.objoid = c.oid AND d.classoid = 'pg_class'::regclass
          AND d.objsubid = 0
      WHERE c.relkind = 'f' AND starts_with(d.description, $1)
      """, [PostgresParameter(text: owner, type: 25)]
    ).compactMap { $0.first.flatMap { $0 } }
  }

  /// Drops partitions on a server, each unless a query uses it for more than five seconds.
  ///
  /// - Returns: The names of the partitions that remain, with the reason.
  @discardableResult
  func drop(
    _ generations: Generations, in connection: PostgresConnection
  ) throws(PostgresError) -> [String] {
    let isDropped: String
    switch generations {
    case .own: isDropped = "right(d.description, 8) = \(SQLName.literal(generation))"
    case .others(let kept):
      let list = (kept + [generation]).map(SQLName.literal).joined(separator: ", ")
      isDropped = "right(d.description, 8) NOT IN (\(list))"
    }
    let found = try connection.execute(
      """
      SELECT format('%I.%I', n.nspname, c.relname)
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_description d ON d.objoid = c.oid AND d.classoid = 'pg_class'::regclass
          AND d.objsubid = 0
      WHERE c.relkind = 'r' AND starts_with(d.description, $1)
        AND \(isDropped)
        AND NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = c.oid)
      """, [PostgresParameter(text: owner, type: 25)])
    try connection.execute("SET lock_timeout = '5s'")
    var left: [String] = []
    for name in found.compactMap({ $0.first.flatMap { $0 } }) {
      do throws(PostgresError) { try connection.execute("DROP TABLE \(name)") } catch {
        guard connection.isAlive else { throw error }
        left.append("\(name) (\(error.message))")
      }
    }
    try connection.execute("SET lock_timeout = 0")
    return left
  }
}
