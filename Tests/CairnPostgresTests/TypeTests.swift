import CairnTestSupport
import Foundation
import Testing

/// Values of many types of PostgreSQL: what they become in a class, and what goes back into their table. The
/// server's own texts of the values are the oracle.
@Suite(.serialized, .enabled(if: Cluster.isInstalled, "\(Cluster.reason)"))
struct TypeTests {
  /// The columns of the table, without the key, that go back as they came.
  private static let kept = [
    "texts text[]", "ints int[]", "days date[]", "b jsonb", "j json", "m mood", "ms mood[]",
    "h hstore",
    "iv interval", "d date", "t time", "tz time with time zone", "z timestamptz", "ts timestamp",
    "u uuid",
    "n numeric", "n2 numeric(9,2)", "by bytea", "c char(5)", "v varchar(3)", "bi bit(3)", "ip inet",
    "r int4range", "x xml", "s smallint", "f real", "gz geometry(PointZ,4326)",
    "lz geometry(LineStringZ,4326)", "p geometry(Point,4326)", "g geography(Point,4326)",
  ]

  private static let names = kept.map { String($0.prefix { $0 != " " }) }

  private static let rows = [
    """
    ARRAY['a',NULL,'c'], ARRAY[1,NULL,3], ARRAY['2024-01-01'::date,NULL], '{"a": [1, null]}', '{"b":  2}', 'ok',
    ARRAY['ok'::mood,NULL], 'a=>1,b=>NULL', '1 mon 2 days 03:04:05.5', '2024-02-03', '12:34:56.789', '12:00+02',
    '2024-02-03 04:05:06.789012+02', '2024-02-03 04:05:06', '00000000-0000-0000-0000-000000000001', 1.50, 2.50,
    '\\x0102', 'ab', 'xyz', B'101', '10.0.0.1', '[1,5)', '<a/>', 7, 0.1, 'SRID=4326;POINT Z (1 2 3)',
    'SRID=4326;LINESTRING Z (1 2 3, 4 5 6)', 'SRID=4326;POINT (1 2)', 'SRID=4326;POINT (1 2)'
    """,
    """
    '{}', '{}', '{}', 'null', 'null', 'sad', '{}', '', '-1 day', '0001-01-01 BC', '24:00', '00:00+00',
    '4713-01-01 BC', '294276-12-31 23:59:59', NULL, 'NaN', NULL, '', '', '', NULL, '::1/64', 'empty', 'text', -7,
    'NaN', NULL, NULL, NULL, NULL
    """,
    """
    '{}', '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1e30, -0.01, NULL,
    NULL, NULL, B'000', NULL, NULL, NULL, NULL, NULL, 'SRID=4326;POINT Z (-1 2 0.5)', NULL, 'SRID=4326;POINT (0 0)',
    'SRID=4326;POINT (180 90)'
    """,
  ]

  private static let filled = Result { () throws -> (folder: TemporaryFolder, store: String) in
    try Cluster.psql("CREATE DATABASE kinds")
    let values = rows.enumerated().map { "(\($0.offset), \($0.element))" }.joined(separator: ",")
    try Cluster.psql(
      """
      CREATE EXTENSION postgis; CREATE EXTENSION hstore; CREATE TYPE mood AS ENUM ('sad', 'ok');
      CREATE TABLE kinds (id int PRIMARY KEY, \(kept.joined(separator: ", ")));
      INSERT INTO kinds VALUES \(values); CREATE TABLE before AS TABLE kinds
      """, database: "kinds")
    let folder = try TemporaryFolder()
    return (folder, folder.file("kinds.cairn"))
  }

  private static let url = Cluster.url(database: "kinds")

  @Test func rowsGoBackAsTheyCame() throws {
    let (_, store) = try Self.filled.get()
    let pull = try Command.run("pull", Self.url, "kinds", store)
    #expect(pull.code == 0, "\(pull.errors)")
    for part in [
      "'b' (jsonb), 'j' (json), 'm' (mood), 'ms' (mood[]), 'h' (hstore), 'iv' (interval), 't' (time",
      "'x' (xml) as text; 'days' (date[]), 'd' (date), 'ts' (timestamp without time zone) as date in UTC; 'g' (geography(Point,4326)) as geometry\n",
    ] {
      #expect(pull.errors.contains(part), "\(pull.errors)")
    }
    #expect(!pull.errors.contains("changed values"), "\(pull.errors)")
    // The rows differ from those of the store, which replace them.
    try Cluster.psql(
      "UPDATE kinds SET \(Self.names.map { "\($0) = NULL" }.joined(separator: ", "))",
      database: "kinds")
    let push = try Command.run("push", store, "kinds", Self.url)
    #expect(push.code == 0 && push.errors.contains("merged into"), "\(push.errors)")
    for name in Self.names {
      let differing = try Cluster.psql(
        """
        SELECT a.id, a.\(name)::text, b.\(name)::text FROM kinds a JOIN before b USING (id)
        WHERE a.\(name)::text IS DISTINCT FROM b.\(name)::text
        """, database: "kinds")
      #expect(differing.isEmpty, "\(name)")
    }
  }

  @Test func valuesHaveTheirMeaningInAQuery() throws {
    _ = try Self.filled.get()
    let row = try Command.run("query", Self.url, "before", "id == 0", "--format", "jsonl").output
    for member in [
      #""texts":["a",null,"c"]"#, #""ints":[1,null,3]"#, #""days":["2024-01-01",null]"#,
      #""b":"{\"a\": [1, null]}""#, #""j":"{\"b\":  2}""#, #""m":"ok""#, #""ms":"{ok,NULL}""#,
      #""h":"\"a\"=>\"1\", \"b\"=>NULL""#, #""iv":"P1M2DT3H4M5.5S""#, #""d":"2024-02-03""#,
      #""t":"12:34:56.789""#, #""z":"2024-02-03T02:05:06.789012Z""#, #""n":1.50"#,
      #""u":"00000000-0000-0000-0000-000000000001""#, #""by":"AQI=""#, #""r":"[1,5)""#,
      #""gz":{"type":"Point","coordinates":[1.0,2.0,3.0]}"#,
      #""p":{"latitude":2.0,"longitude":1.0}"#,
    ] {
      #expect(row.contains(member), "\(member) in \(row)")
    }
  }

  /// A value that is too long for its column is an error of the server, and is not cut.
  @Test(arguments: [
    "bi = '1010'", "c = 'abcdef'", "v = 'wxyz'", "m = 'glad'", "b = '{'", "iv = 'x'",
  ])
  func aValueThatDoesNotFitIsRefused(assignment: String) throws {
    let (folder, _) = try Self.filled.get()
    let store = folder.file("changed.cairn")
    defer { try? FileManager.default.removeItem(atPath: store) }
    let name = String(assignment.prefix { $0 != " " })
    #expect(
      try Command.run("pull", Self.url, "before", store, "--select", "id,\(name)", "--quiet").code
        == 0)
    let keyed = try Command.run("key", store, "before", "id")
    #expect(keyed.code == 0, "\(keyed.errors)")
    #expect(try Command.run("update", store, "before", "id == 0", "--set", assignment).code == 0)
    let push = try Command.run("push", store, "before", Self.url, "--table", "kinds")
    #expect(push.code == 1 && push.errors.contains("SQLSTATE"), "\(push.errors)")
  }

  @Test func changedValuesAreNoted() throws {
    let (folder, _) = try Self.filled.get()
    try Cluster.psql(
      """
      CREATE TABLE changed (id int PRIMARY KEY, tags text[], pm geometry(PointM,4326), lzm geometry(LineStringZM,4326),
        spot geometry(Point,4326), z timestamptz, swiss geometry(Point,2056));
      INSERT INTO changed VALUES
        (1, NULL, 'SRID=4326;POINT M (1 2 3)', 'SRID=4326;LINESTRING ZM (1 2 3 4, 5 6 7 8)', 'SRID=4326;POINT EMPTY',
          '0100-01-01 00:00:00.000001Z', 'SRID=2056;POINT (2600000 1200000)'),
        (2, NULL, 'SRID=4326;POINT M (1 2 3)', NULL, 'SRID=4326;POINT (1 2)', '2024-01-01 00:00:00.000001Z', NULL),
        (3, '{}', NULL, NULL, NULL, '0100-01-01 00:00:00Z', NULL)
      """, database: "kinds")
    let words =
      "'tags': 2 nulls became empty lists; 'pm': the measures (M) of 2 geometries were left out; "
      + "'lzm': the measures (M) of 1 geometry were left out; 'spot': 1 empty geometry became null; "
      + "'z': 1 date was rounded to the digits of a double"
    let store = folder.file("changed values.cairn")
    let pull = try Command.run("pull", Self.url, "changed", store)
    #expect(pull.errors.contains("note: changed values: \(words)\n"), "\(pull.errors)")
    #expect(pull.errors.contains("'swiss' (geometry(Point,2056)) as WGS 84\n"), "\(pull.errors)")
    let json = try Command.run(
      "pull", Self.url, "changed", store, "--class", "again", "--progress", "json")
    #expect(json.errors.contains(#""notes":["columns of other types: "#), "\(json.errors)")
    let query = try Command.run("query", Self.url, "changed", "--format", "jsonl", "--sort", "id")
    #expect(query.errors == "Note: values of changed: \(words).\n")
    #expect(
      query.lines[0].contains(#""tags":[],"pm":{"latitude":2.0,"longitude":1.0}"#),
      "\(query.output)")
    let narrow = try Command.run("query", Self.url, "changed", "--select", "id,swiss")
    #expect(narrow.code == 0 && narrow.errors.isEmpty, "\(narrow.errors)")
  }
}
