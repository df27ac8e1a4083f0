/// Geometries in well-known text as people and programs write them, for each reader of such texts.
public enum GeometryTexts {
  /// Texts that are geometries, and the same geometry as Cairn writes it.
  public static let accepted: [(text: String, wkt: String)] = [
    ("POINT (8 47)", "POINT (8 47)"), ("point(8 47)", "POINT (8 47)"),
    ("SRID=4326;POINT(8 47)", "POINT (8 47)"), ("SRID=0;POINT(8 47)", "POINT (8 47)"),
    (" srid = 4326 ; Point ( +8 47. ) ", "POINT (8 47)"), ("POINT(.5 1e1)", "POINT (0.5 10)"),
    ("POINT Z (8 47 5)", "POINT Z (8 47 5)"), ("POINTZ(8 47 5)", "POINT Z (8 47 5)"),
    ("POINT (8 47 5 6)", "POINT Z (8 47 5)"), ("POINT M (8 47 5)", "POINT (8 47)"),
    ("POINTZM (8 47 5 6)", "POINT Z (8 47 5)"), ("POINT Z (8 47 NaN)", "POINT (8 47)"),
    ("POINT\u{A0}(8\u{2009}47)", "POINT (8 47)"),
    ("LINESTRING (1 2,3 4)", "LINESTRING (1 2, 3 4)"),
    ("LINEARRING (0 0, 4 0, 0 4, 0 0)", "LINESTRING (0 0, 4 0, 0 4, 0 0)"),
    ("SRID=0;POLYGON((0 0,4 0,0 4,0 0))", "POLYGON ((0 0, 4 0, 0 4, 0 0))"),
    ("SRID=4326;Polygon Z((0 0 1,4 0 1,0 4 1,0 0 1))", "POLYGON Z ((0 0 1, 4 0 1, 0 4 1, 0 0 1))"),
    ("POLYGON ((0 0, 8 0, 0 8, 0 0), EMPTY)", "POLYGON ((0 0, 8 0, 0 8, 0 0))"),
    ("TRIANGLE ((0 0, 4 0, 0 4, 0 0))", "POLYGON ((0 0, 4 0, 0 4, 0 0))"),
    ("CURVEPOLYGON ((0 0, 4 0, 0 4, 0 0))", "POLYGON ((0 0, 4 0, 0 4, 0 0))"),
    ("MULTIPOINT (1 2, (3 4))", "MULTIPOINT ((1 2), (3 4))"),
    (
      "MULTICURVE ((0 0, 1 1), COMPOUNDCURVE ((2 2, 3 3), (3 3, 4 3)))",
      "MULTILINESTRING ((0 0, 1 1), (2 2, 3 3, 4 3))"
    ),
    ("MULTIPOLYGON(((0 0,4 0,0 4,0 0)))", "MULTIPOLYGON (((0 0, 4 0, 0 4, 0 0)))"),
    (
      "TIN (((0 0, 4 0, 0 4, 0 0)), ((4 0, 4 4, 0 4, 4 0)))",
      "GEOMETRYCOLLECTION (POLYGON ((0 0, 4 0, 0 4, 0 0)), POLYGON ((4 0, 4 4, 0 4, 4 0)))"
    ),
    (
      "GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (1 2, 3 4))",
      "GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (1 2, 3 4))"
    ),
  ]

  /// Texts that begin as a geometry and are malformed, and the end of the message.
  public static let malformed: [(text: String, message: String)] = [
    ("POINT (8)", "expected a number at character offset 8, found ')'"),
    ("POINT (8 47", "expected ')' at character offset 11, found the end"),
    ("POINT (8 nan)", "expected a number at character offset 9, found 'nan'"),
    ("POINT (8.5.5 47)", "expected a number at character offset 7, found '8.5.5'"),
    ("POINT (8 47) x", "expected the end of the text at character offset 13, found 'x'"),
    ("POINT Z (8 47)", "expected a position of 3 numbers at character offset 9, found 2"),
    ("SRID=4326;LINESTRING (1 2, 3)", "expected a number at character offset 28, found ')'"),
    (
      "SRID=;POLYGON ((0 0, 4 0, 0 4, 0 0))",
      "expected a number after SRID= at character offset 5, found ';'"
    ),
    ("POLYGON (0 0, 4 0)", "expected '(' at character offset 9, found '0'"),
    (
      "POLYGON ((0 0, 4 0 7, 0 4, 0 0))",
      "expected a position of 2 numbers at character offset 15, found 3"
    ),
    (
      "MULTIPOINT ((0 0), (2 4 7))",
      "expected a position of 2 numbers at character offset 20, found 3"
    ),
    (
      "CIRCULARSTRING (0 0, 1 1)",
      "expected 3, 5, 7, … positions of arcs at character offset 15, found 2"
    ),
  ]
}
