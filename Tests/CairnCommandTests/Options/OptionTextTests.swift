import CairnGeometry
import CairnIO
import Testing

@testable import CairnCommand

/// The parsing of single option values.
@Suite struct OptionTextTests {
  @Test(arguments: [
    ("500m", 500.0), ("50km", 50_000), ("1.5e3km", 1_500_000), ("30mi", 48_280.32), ("0m", 0),
    ("2deg", 222_637.69), (" 5 km", -1), ("0.01rad", 63_781), ("5e km", -1), ("1e2m", 100),
    ("5KM", 5000), ("5Km", 5000), ("5M", 5), ("1NM", 1852), ("1nm", 1852), ("1nmi", 1852),
    ("2 NMI", 3704), ("100ft", 30.48), ("10 yd", 9.144), ("1MI", 1609.344), ("5mm", -1), ("5n", -1),
    ("1DEG", 111_318.85), ("1ftm", -1),
  ])
  func radii(text: String, meters: Double) throws {
    if meters < 0 {
      #expect(throws: OptionError.self) { try Radius.parse(text) }
    } else {
      #expect(abs(try Radius.parse(text).asMeters() - meters) < 0.01)
    }
  }

  @Test func numbersAreDecimal() {
    #expect(NumberText.list("-27.5,153") == [-27.5, 153])
    #expect(NumberText.list(" +1 , 2e1 ") == [1, 20])
    for text in ["", "1,", "inf,1", "0x10,1", "1,nan", "1 2", "1;2"] {
      #expect(NumberText.list(text) == nil, "\(text)")
    }
  }

  @Test(arguments: [
    ("a.CSV", "csv"), ("dir.csv/a.json", "json"), ("x.ndjson", "jsonl"),
    ("a.b.geojsons", "geojsonl"),
  ])
  func extensionsSelectTheFormat(path: String, format: String) {
    #expect(OutputFormat(extensionOf: path)?.rawValue == format)
  }

  @Test(arguments: ["csv", "a", "a.csv/b", "-", "", "a.xlsx"])
  func unknownExtensionsSelectNoFormat(path: String) {
    #expect(OutputFormat(extensionOf: path) == nil)
  }

  /// Numbers of up to 15 digits print unchanged; a 16th and 17th digit are rounded away.
  @Test(
    arguments: [
      (93.06299999999999, "93.063"), (0.1 + 0.2, "0.3"), (1.0 / 3, "0.333333333333333"),
      (1e300, "1e+300"),
      (-27.4705, "-27.4705"), (123456789.123456789, "123456789.123457"), (1e-7, "1e-07"),
      (0, "0.0"),
      (.leastNonzeroMagnitude, "5e-324"), (.nan, "nan"), (-.infinity, "-inf"),
      (0x1p53, "9007199254740992.0"),
      (Double.greatestFiniteMagnitude, "1.7976931348623157e+308"), (100.0, "100.0"),
    ] as [(Double, String)])
  func shortNumbers(number: Double, text: String) {
    #expect(ShortNumber.text(number) == text)
  }

  @Test(arguments: [
    ("2056", "EPSG:2056"), (" 27700 ", "EPSG:27700"), ("EPSG:2056", "EPSG:2056"),
    ("+proj=utm +zone=32", "+proj=utm +zone=32"), ("", ""), ("20 56", "20 56"),
  ])
  func systems(text: String, definition: String) {
    #expect(CoordinateSystemName.definition(text) == definition)
  }

  @Test func jsonTextIsEscaped() {
    #expect(JSONBuilder.string("\u{7F}\u{9B}\u{202E}é") == "\"\\u007f\\u009b\\u202eé\"")
    #expect(JSONBuilder.string("a\"b\\c\n\u{1}é") == "\"a\\\"b\\\\c\\u000a\\u0001é\"")
    #expect(JSONBuilder.array([]) == "[]")
    #expect(JSONBuilder.object(["a": "1"]) == "{\"a\":1}")
  }

  @Test func quantitiesForPeople() {
    #expect(Quantity.grouped(34024) == "34 024")
    #expect(Quantity.grouped(-1_000_000) == "-1 000 000")
    #expect(Quantity.grouped(0) == "0" && Quantity.grouped(999) == "999")
    #expect(
      Quantity.counted(1, noun: "row") == "1 row" && Quantity.counted(2, noun: "row") == "2 rows")
    #expect(Quantity.seconds(0.2142) == "0.21 s" && Quantity.seconds(12.345) == "12.3 s")
  }
}
