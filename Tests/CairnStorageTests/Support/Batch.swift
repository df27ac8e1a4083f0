import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// Rows for a bulk load, and the expected result.
struct Batch {
  var columns: [BulkColumn]
  var rows: [[Value]]

  /// Creates random rows. A column whose name begins with "key" gets a unique value in each row.
  init(
    _ columns: [BulkColumn], rows count: Int, seed: UInt64,
    flavours: [ValueSource.Flavour] = [.plain]
  ) {
    var source = ValueSource(seed: seed)
    self.columns = columns
    rows = (0..<count).map { row in
      columns.map { column in
        if column.name.hasPrefix("key") { return .int(Int64(row)) }
        if column.isOptional, source.chance(20) { return .null }
        let flavour = flavours[source.int(0...flavours.count - 1)]
        guard case .point(var place) = source.value(of: column.type, flavour) else {
          return source.value(of: column.type, flavour)
        }
        place.altitude = 0
        return .point(place)
      }
    }
  }

  init(_ columns: [BulkColumn], _ rows: [[Value]]) {
    self.columns = columns
    self.rows = rows
  }

  /// The rows as sections of at most `size`.
  func sections(of size: Int) -> [ColumnBatch] {
    stride(from: 0, to: rows.count, by: size).map { start in
      let section = ColumnBatch(columns: columns)
      for row in rows[start..<min(rows.count, start + size)] {
        for (builder, value) in zip(section.columns, row) { builder.append(value) }
      }
      return section
    }
  }

  /// Loads the rows in order, section by section.
  @discardableResult
  func load(
    into store: Store, _ table: String = "Row", location: Int? = nil, primaryKey: Int? = nil,
    indexed: [Int] = [], fullText: [Int] = [], onConflict policy: ConflictPolicy = .error,
    sections size: Int = 5000,
    blockBytes: Int? = nil
  ) throws -> BulkSummary {
    let load = try BulkLoad(
      store: store, table: table, columns: columns, location: location, primaryKey: primaryKey,
      indexed: indexed, fullText: fullText, onConflict: policy)
    if let blockBytes { load.blockBytes = blockBytes }
    for (number, section) in sections(of: size).enumerated() {
      try load.add(section, number: number)
    }
    return try load.finish()
  }
}

extension ColumnBuilder {
  /// Appends a value of the column's type, or null.
  func append(_ value: Value) {
    switch value {
    case .null: appendNull()
    case .bool(let flag): append(bool: flag)
    case .int(let number): append(int: number)
    case .float(let number): append(float: number)
    case .double(let number): append(double: number)
    case .date(let number): append(date: number)
    case .string(let text): Array(text.utf8).withUnsafeBytes { append(bytes: $0) }
    case .data(let bytes), .geometry(let bytes): bytes.withUnsafeBytes { append(bytes: $0) }
    case .objectId(let id): id.withStoredBytes { append(fixed: $0) }
    case .uuid(let id): id.withStoredBytes { append(fixed: $0) }
    case .decimal(let number): number.withStoredBytes { append(fixed: $0) }
    case .point(let place): append(longitude: place.longitude, latitude: place.latitude)
    case .link(let link): append(int: Int64(link.key))
    case .box(let box): box.withStoredBytes { append(fixed: $0) }
    }
  }
}

extension Table {
  /// Every live row, in the order of the keys.
  var liveRows: [[Value]] {
    (0..<endKey).filter(isLive).map { key in schema.columns.indices.map { value($0, at: key) } }
  }
}

/// Whether two lists of rows are identical, bit for bit.
func identical(_ a: [[Value]], _ b: [[Value]]) -> Bool {
  a.count == b.count
    && zip(a, b).allSatisfy { zip($0, $1).allSatisfy { identical($0, $1) } && $0.count == $1.count }
}
