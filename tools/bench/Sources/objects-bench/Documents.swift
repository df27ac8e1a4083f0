import Cairn
import Foundation
import GRDB
import Measuring

/// An object with a value of many bytes.
class Document: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
  @Persisted var content = Data()
}

/// Commits of one document each, beside GRDB, and the sizes of both files.
struct DocumentJobs {
  /// The sizes, and how many documents of each are added, and then changed.
  private static let sizes = [
    (bytes: 600, count: 2000), (1_000, 2000), (3_000, 2000), (10_000, 1000), (100_000, 400),
    (1_000_000, 100),
    (100_000_000, 3),
  ]
  private let folder: URL

  init(_ folder: URL) { self.folder = folder }

  static let header = Line.row(
    "a commit, in ms", "first, last Cairn", "Cairn", "GRDB", "x GRDB", "file", "GRDB file")

  func lines(_ say: (String) -> Void) throws {
    for (bytes, count) in Self.sizes { try lines(bytes, count, say) }
  }

  private func lines(_ bytes: Int, _ count: Int, _ say: (String) -> Void) throws {
    let store = folder.appendingPathComponent("documents.\(bytes).cairn")
    let database = folder.appendingPathComponent("documents.\(bytes).sqlite")
    var configuration = Realm.Configuration(fileURL: store)
    configuration.objectTypes = [Document.self]
    let realm = try Realm(configuration: configuration)
    let queue = try DatabaseQueue(path: database.path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    try queue.write {
      try $0.execute(
        sql: "CREATE TABLE document (id INTEGER PRIMARY KEY, title TEXT NOT NULL, content BLOB)")
    }
    var random = SystemRandomNumberGenerator()
    func content() -> Data {
      var data = Data(count: bytes)
      data.withUnsafeMutableBytes { raw in
        for index in stride(from: 0, to: raw.count - 7, by: 8) {
          raw.storeBytes(of: random.next(), toByteOffset: index, as: UInt64.self)
        }
      }
      return data
    }
    func both(
      _ job: String, _ count: Int, cairn: (Int, Data) throws -> Void,
      grdb: (Database, Int, Data) throws -> Void
    ) throws {
      var (ours, theirs): ([Double], [Double]) = ([], [])
      for number in 0..<count {
        let data = content()
        let start = now()
        try realm.write { try cairn(number, data) }
        ours.append(now() - start)
        let middle = now()
        try queue.write { try grdb($0, number, data) }
        theirs.append(now() - middle)
      }
      let tenth = max(count / 10, 1)
      let ends = [median(Array(ours.prefix(tenth))), median(Array(ours.suffix(tenth)))]
      let data = Double(bytes * realm.objects(Document.self).count)
      say(
        Line.row(
          "\(job) of \(bytes) bytes",
          ends.map { Line.figure($0 * 1000) }.joined(separator: ", "),
          Line.figure(median(ours) * 1000), Line.figure(median(theirs) * 1000),
          Line.figure(median(theirs) / median(ours)),
          Line.figure(try size(store) / data), Line.figure(try size(database) / data)))
    }
    try both("adds", count) { number, data in
      realm.add(Document(value: ["id": number, "title": "document \(number)", "content": data]))
    } grdb: {
      try $0.execute(
        sql: "INSERT INTO document VALUES (?, ?, ?)", arguments: [$1, "document \($1)", $2])
    }
    try both("replaces", count) { number, data in
      realm.object(ofType: Document.self, forPrimaryKey: number * 7 % count)?.content = data
    } grdb: {
      try $0.execute(
        sql: "UPDATE document SET content = ? WHERE id = ?", arguments: [$2, $1 * 7 % count])
    }
    try both("changes another property", count) { number, _ in
      realm.object(ofType: Document.self, forPrimaryKey: number * 7 % count)?.title = "t\(number)"
    } grdb: { database, number, _ in
      try database.execute(
        sql: "UPDATE document SET title = ? WHERE id = ?",
        arguments: ["t\(number)", number * 7 % count])
    }
  }

  /// The size of a database in bytes, with SQLite's log.
  private func size(_ file: URL) throws -> Double {
    try [file.path, file.path + "-wal"].filter(FileManager.default.fileExists).reduce(0) {
      let attributes = try FileManager.default.attributesOfItem(atPath: $1)
      return $0 + ((attributes[.size] as? NSNumber)?.doubleValue ?? 0)
    }
  }
}
