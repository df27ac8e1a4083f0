import CairnGeometry
import CairnSystem
import CairnValues

/// The parts of a class that can be read.
struct TableSoundness: Sendable {
  /// Whether the live-row bitmap is sound.
  var isLivenessSound = true
  /// Whether the chunks of each column can be read, by position.
  var isColumnSound: [Bool]

  init(columnCount: Int) { isColumnSound = Array(repeating: true, count: columnCount) }
}

/// Checks parts of one class: the live-row bitmap, chunks, the references to other classes, and
/// indexes.
final class TableCheck {
  let table: Table
  /// The findings of the part that is being checked.
  private(set) var log = IntegrityLog()
  /// The result of the parts before. A part changes its own copy.
  var soundness: TableSoundness

  var isLivenessSound: Bool { soundness.isLivenessSound }
  var isColumnSound: [Bool] { soundness.isColumnSound }
  var name: String { table.schema.name }
  private var state: TableState { table.state }
  /// Whether the checksums of chunks cover their keys.
  private let areChunksKeyed: Bool

  init(_ table: Table, areChunksKeyed: Bool) {
    self.table = table
    self.areChunksKeyed = areChunksKeyed
    soundness = TableSoundness(columnCount: table.schema.columns.count)
  }

  /// Does a part, and returns what it found.
  func report(of part: () -> Void) -> IntegrityReport {
    log = IntegrityLog()
    part()
    return log.report
  }

  /// Checks the live-row bitmap, which everything else is compared with.
  func checkLiveness() {
    var live = 0
    for chunk in 0..<table.storedChunkCount {
      let (extent, number) = state.storage(ofChunk: chunk)
      guard
        let bytes = table.transaction.get(.liveRowBitmap(table.id, extent: extent, chunk: number))
      else {
        live += table.rowCount(ofChunk: chunk)
        continue
      }
      guard let words = BitmapValidator(bytes), words.isEmpty(from: table.rowCount(ofChunk: chunk))
      else {
        soundness.isLivenessSound = false
        note(.data, column: nil, chunk: chunk, message: "the live-row bitmap is invalid")
        continue
      }
      live += words.count
    }
    if isLivenessSound, live != state.liveCount {
      soundness.isLivenessSound = false
      note(
        .data, column: nil, chunk: nil,
        message: "\(live) objects are live, expected \(state.liveCount)")
    }
  }

  /// Checks that chunks of a column can be read.
  func checkChunks(_ chunks: Range<Int>, of column: ColumnSchema) {
    for chunk in chunks {
      let (extent, number) = state.storage(ofChunk: chunk)
      let key = StorageKey.chunk(table.id, column: column.id, extent: extent, chunk: number)
      guard let bytes = table.transaction.get(key) else {
        if zone(of: column, chunk).map({ $0.flags & Zone.isWrittenFlag != 0 }) ?? false {
          soundness.isColumnSound[column.position] = false
          note(.data, column: column, chunk: chunk, message: "is missing")
        }
        continue
      }
      log.report.chunkCount += 1
      let rows = table.rowCount(ofChunk: chunk)
      let keySum = areChunksKeyed ? key.withBytes { Checksum.xxh64($0) } : 0
      if let fault = ChunkValidator.fault(
        bytes, layout: column.layout, rows: rows, keySum: keySum)
      {
        soundness.isColumnSound[column.position] = false
        note(.data, column: column, chunk: chunk, message: fault)
      } else {
        checkZone(of: column, chunk)
      }
    }
  }

  /// Checks the values in chunks of a column that can be read.
  func checkValues(_ chunks: Range<Int>, of column: ColumnSchema) {
    guard isLivenessSound, isColumnSound[column.position] else { return }
    let values = ColumnValuesCheck(table, column: column)
    for chunk in chunks {
      if let fault = largeValueFault(of: column, chunk: chunk) {
        soundness.isColumnSound[column.position] = false
        note(.data, column: column, chunk: chunk, message: fault)
        continue
      }
      if let fault = values.fault(chunk) {
        note(.data, column: column, chunk: chunk, message: fault)
      }
    }
  }

  /// The fault of the first large value of a live row that is missing or damaged, or nil if all are
  /// there.
  private func largeValueFault(of column: ColumnSchema, chunk index: Int) -> String? {
    let stored = table.column(column.position)
    guard let chunk = stored.stored(index), chunk.hasReferences else { return nil }
    guard
      LargeValueRule(
        column.layout, isGeometry: column.isGeometry, format: table.transaction.formatVersion)
        != nil
    else { return "refers to values outside of the chunk" }
    var values = stored.storedLargeValues(ofChunk: index)
    for (row, reference) in chunk.references {
      let key = RowAddress.firstKey(ofChunk: index) + row
      guard table.isLive(key) else { continue }
      guard let value = values?.value(reference, row: row), reference.matches(value) else {
        let what = column.isGeometry ? "geometry" : "value"
        return "object \(key): the \(what) is missing or damaged"
      }
    }
    return nil
  }

  /// The stored zone of a chunk, or nil without one.
  private func zone(of column: ColumnSchema, _ chunk: Int) -> Zone? {
    let (extent, number) = state.storage(ofChunk: chunk)
    let bytes = table.transaction.get(
      .zones(table.id, column: column.id, extent: extent, segment: number / Zone.perSegment))
    let start = number % Zone.perSegment * Zone.size
    guard let base = bytes?.baseAddress, let size = bytes?.count, size >= start + Zone.size else {
      return nil
    }
    return Zone(reading: base + start)
  }

  private func checkZone(of column: ColumnSchema, _ chunk: Int) {
    guard let found = zone(of: column, chunk),
      let stored = table.column(column.position).stored(chunk)
    else {
      return note(
        .index, column: column, chunk: chunk, message: "the bounds of its values are missing")
    }
    guard found.flags & Zone.isWrittenFlag != 0 else {
      // The bounds of a chunk are written with it.
      return note(.data, column: column, chunk: chunk, message: "was never written here")
    }
    let buffer = ChunkBuffer(layout: column.layout, copying: stored)
    var expected = ChunkEncoder.encode(buffer).zone
    expected.flags |= Zone.isWrittenFlag
    if found != expected {
      note(.index, column: column, chunk: chunk, message: "the bounds of its values are wrong")
    }
  }

  func note(
    _ severity: IntegrityFinding.Severity, column: ColumnSchema?, chunk: Int?, message: String
  ) {
    log.note(
      severity, message: message, in: name, property: column.map { table.schema.shownName(of: $0) },
      chunk: chunk)
  }

  /// Checks the indexes of a column that can be read.
  func checkIndexes(of column: ColumnSchema) {
    guard isLivenessSound, isColumnSound[column.position] else { return }
    if column.hasValueIndex { ValueIndexCheck(self, column: column).run() }
    if column.isFullText { TextIndexCheck(self, column: column).run() }
    if column.hasSpatialIndex { checkSpatialIndex(of: column, column.entryType) }
  }
}

extension TableCheck {
  private func checkSpatialIndex<Entry: IndexedEntry>(
    of column: ColumnSchema, _ type: Entry.Type
  ) {
    SpatialIndexCheck(self, column: column, type).run()
  }
}

extension TableSchema {
  /// The property of a column; the store's own columns are named after their purpose.
  func shownName(of column: ColumnSchema) -> String {
    switch column.role {
    case .property, .point, .bounds, .computed: column.name
    case .ownerKey: "(key of the owner)"
    case .ownerColumn: "(property of the owner)"
    }
  }
}

/// A stored bitmap over the rows of a chunk.
struct BitmapValidator {
  private let words: UnsafePointer<UInt64>

  /// Returns nil if the bytes are not a bitmap.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= ChunkShape.words * 8, let base = bytes.baseAddress,
      Int(bitPattern: base) & 7 == 0,
      UnsafeRawBufferPointer(rebasing: bytes[(ChunkShape.words * 8)...]).isZero
    else { return nil }
    words = base.assumingMemoryBound(to: UInt64.self)
  }

  var count: Int { (0..<ChunkShape.words).reduce(0) { $0 + words[$1].nonzeroBitCount } }

  func has(_ row: Int) -> Bool { words.isSet(row) }

  /// Whether no bit is set from a row on.
  func isEmpty(from row: Int) -> Bool {
    assert(row >= 0, "a chunk begins with row 0")
    guard row < ChunkShape.rows else { return true }
    let first = row >> 6
    return words[first] >> UInt64(row & 63) == 0
      && UnsafeRawBufferPointer(
        start: words + first + 1, count: (ChunkShape.words - first - 1) * 8
      ).isZero
  }
}

/// Checks that links lead to objects that exist or existed, and that an embedded object, its owner,
/// and the location that it describes agree.
extension TableCheck {
  ///
  /// - Parameter chunks: The chunks whose rows are checked.
  func checkReferences(of chunks: Range<Int>, among checks: [TableCheck]) {
    guard isLivenessSound else { return }
    let end = min(RowAddress.firstKey(ofChunk: chunks.upperBound), table.endKey)
    let keys = RowAddress.firstKey(ofChunk: chunks.lowerBound)..<end
    for column in table.schema.columns where isColumnSound[column.position] {
      switch column.role {
      case .property where column.isLink: checkLinks(of: column, among: checks, keys)
      case .property where column.type == .mixed: checkMixedLinks(of: column, keys)
      case .point(let source): checkPlaces(column, of: source, among: checks, keys)
      case .bounds(let source): checkBounds(column, of: source, keys)
      default: break
      }
    }
    checkOwners(among: checks, keys)
  }

  /// Calls `body` with the live rows among those of the part.
  private func forEachLiveKey(_ keys: Range<Int>, _ body: (Int) -> Void) {
    for key in keys where table.isLive(key) { body(key) }
  }

  private func checkLinks(
    of column: ColumnSchema, among checks: [TableCheck], _ keys: Range<Int>
  ) {
    guard let target = table.target(of: column.position) else {
      return noteColumn(
        column, keys, message: "links to class '\(column.target ?? "")', which cannot be read")
    }
    let isEmbedded = column.type == .embedded
    let other = checks.first { $0.table === target }
    guard !isEmbedded || other?.knowsOwners == true else { return }
    forEachLiveKey(keys) { key in
      for linked in table.linkedKeys(column.position, at: key) {
        guard linked >= 0, linked < target.endKey else {
          return noteRow(
            column, key: key, message: "links to object \(linked), which never existed")
        }
        guard isEmbedded, target.isLive(linked) else { continue }
        if target.owner(of: linked) != Owner(table: table.id, column: column.id, key: key) {
          noteRow(
            column, key: key, message: "contains object \(linked), which belongs to another object")
        }
      }
    }
  }

  /// Whether the owner of each row can be read.
  fileprivate var knowsOwners: Bool {
    guard isLivenessSound, let columns = table.schema.ownerColumns else { return false }
    return isColumnSound[columns.key] && isColumnSound[columns.column]
  }

  /// Checks that every embedded object is contained in the object that it names as its owner.
  private func checkOwners(among checks: [TableCheck], _ keys: Range<Int>) {
    guard table.schema.isEmbedded, knowsOwners else { return }
    forEachLiveKey(keys) { key in
      guard let owner = table.owner(of: key),
        let other = checks.first(where: { $0.table.id == owner.table }),
        let column = other.table.schema.properties.first(where: { $0.id == owner.column })
      else {
        return noteRow(
          nil, key: key, message: "belongs to an object of a class that cannot be read")
      }
      guard other.isLivenessSound, other.isColumnSound[column.position] else { return }
      guard other.table.isLive(owner.key),
        other.table.linkedKeys(column.position, at: owner.key).contains(key)
      else {
        return noteRow(
          nil, key: key,
          message: "belongs to object \(owner.key) of '\(other.name)', which does not contain it")
      }
    }
  }

  private func checkMixedLinks(of column: ColumnSchema, _ keys: Range<Int>) {
    forEachLiveKey(keys) { key in
      for link in table.mixedLinks(column.position, at: key) {
        guard let target = table.sibling(id: link.table), link.key >= 0, link.key < target.endKey
        else { return noteRow(column, key: key, message: "links to an object that never existed") }
      }
    }
  }

  /// Checks that the indexed location of an embedded object is the one that the object describes.
  private func checkPlaces(
    _ column: ColumnSchema, of source: UInt16, among checks: [TableCheck], _ keys: Range<Int>
  ) {
    guard let link = table.schema.properties.first(where: { $0.id == source }),
      isColumnSound[link.position], let target = table.target(of: link.position),
      let parts = target.schema.locationColumns,
      let other = checks.first(where: { $0.table === target }), other.isLivenessSound,
      other.isColumnSound[parts.type.position], other.isColumnSound[parts.coordinates.position]
    else { return }
    forEachLiveKey(keys) { key in
      let location = table.link(link.position, at: key).flatMap { target.describedLocation(at: $0) }
      let found = table.value(column.position, at: key)
      if found != location.map({ Value.point($0) }) ?? .null {
        noteRow(
          column, key: key, message: "is indexed at another location than its object describes")
      }
    }
  }

  /// Checks that the box of every geometry is the one that it has.
  private func checkBounds(_ column: ColumnSchema, of source: UInt16, _ keys: Range<Int>) {
    guard let geometry = table.schema.properties.first(where: { $0.id == source }),
      geometry.isGeometry
    else {
      return noteColumn(column, keys, message: "holds the boxes of no geometry")
    }
    guard isColumnSound[geometry.position] else { return }
    forEachLiveKey(keys) { key in
      let (chunk, row) = (RowAddress(key).chunk, RowAddress(key).row)
      let geometries = table.column(geometry.position).chunk(chunk)
      let boxes = table.column(column.position).chunk(chunk)
      let expected = geometries.isNull(row) ? nil : geometries.geometry(at: row).bounds
      if (boxes.isNull(row) ? nil : boxes.box(at: row)) != expected {
        noteRow(column, key: key, message: "has another box than its geometry")
      }
    }
  }

  /// Notes the fault of a whole column, in the part with its first rows.
  private func noteColumn(_ column: ColumnSchema, _ keys: Range<Int>, message: String) {
    if keys.lowerBound == 0 { note(.data, column: column, chunk: nil, message: message) }
  }

  private func noteRow(_ column: ColumnSchema?, key: Int, message: String) {
    note(.data, column: column, chunk: RowAddress(key).chunk, message: "object \(key) \(message)")
  }
}

extension Table {
  /// The links in a mixed value, or in the mixed values of a collection.
  func mixedLinks(_ position: Int, at key: Int) -> [Link] {
    let column = schema.columns[position]
    let chunk = self.column(position).chunk(RowAddress(key).chunk)
    let row = RowAddress(key).row
    guard !chunk.isNull(row) else { return [] }
    guard column.collection != .none else {
      return (try? Element(decoding: chunk.bytes(at: row)))?.links ?? []
    }
    let collection = chunk.collection(at: row, of: column)
    return (0..<collection.count).flatMap { collection.element(at: $0).links }
  }
}

extension Element {
  /// The links in the element, at any depth.
  var links: [Link] {
    switch self {
    case .value(.link(let link)): [link]
    case .value: []
    case .list(let elements): elements.flatMap(\.links)
    case .map(let entries): entries.flatMap(\.value.links)
    }
  }
}
