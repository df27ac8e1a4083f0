import CairnTestSupport
import Foundation
import Testing

@testable import CairnGDAL

/// Texts in XML that are changed before GDAL reads them.
@Suite struct XMLSourceTests {
  private func revised(_ text: String) throws -> String? {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(text.utf8), as: "a.xml")
    return try #require(XMLSource(path)).revised().map { String(decoding: $0, as: UTF8.self) }
  }

  private func tags(_ text: String) -> [String] {
    Array(text.utf8).withUnsafeBytes { bytes in
      var tags = XMLTags(bytes)
      var found: [String] = []
      while let tag = tags.next() {
        found.append("\(tag.form) \(String(decoding: bytes[tag.name], as: UTF8.self))")
      }
      return found
    }
  }

  @Test func tagsAreFoundByTheRulesOfXML() {
    #expect(tags("<a><b:c d='>' e=\"/>\"/></a >") == ["start a", "empty c", "end a"])
    #expect(tags("<?x <y>?><!-- <a> -- > --><a/><!DOCTYPE b>") == ["empty a"])
    #expect(tags("<a><![CDATA[<b>]] ></c>]]></a>") == ["start a", "end a"])
    for text in ["", "<", "</", "<a", "<a b='>", "<!--", "<!-->", "<![CDATA[", "text", "<!", "<?"] {
      #expect(tags(text).isEmpty, "\(text)")
    }
    #expect(tags("<>") == ["start "])
  }

  @Test func otherFilesAreLeftAlone() throws {
    let folder = try TemporaryFolder()
    for text in ["", "<gpx></gpx>", "<?xml?><gml:x/>", "{\"a\": \"<osm>\"}", "a<osm></osm>"] {
      let path = try folder.write(Array(text.utf8), as: "a.xml")
      #expect(XMLSource(path) == nil, "\(text)")
    }
    #expect(XMLSource(folder["missing"]) == nil && XMLSource(folder.path) == nil)
    #expect(try revised("<osm><node/><way><nd/></way><relation/></osm>") == nil)
    #expect(try revised("\u{FEFF}<osm><way/><node/>") == nil, "the text is not complete")
    #expect(try revised("<kml><LinearRing>") == nil)
    #expect(try revised("<kml></a></b><LinearRing></LinearRing></kml>") == nil)
  }

  @Test func ringsBecomeLines() throws {
    let boundary = "<outerBoundaryIs><LinearRing>1</LinearRing></outerBoundaryIs>"
    let ring = "<LinearRing id='a'>1</LinearRing>"
    let polygons = "<Polygon>\(boundary)\(ring)</Polygon><LinearRing/>"
    let text = "<k:kml><k:Placemark><k:LinearRing>1</k:LinearRing>\(polygons)</k:Placemark></k:kml>"
    let expected =
      "<k:kml><k:Placemark><k:LineString>1</k:LineString>\(polygons)</k:Placemark></k:kml>"
    #expect(try revised(text) == expected)
  }

  @Test func elementsThatComeTwiceAreTakenOnce() throws {
    let (plain, tagged) = (
      "<node id='1' lat='1'/>", "<node lat='1' id=\"1\"><tag k=' id=9'/></node>"
    )
    let way = "<way id='1'><nd ref='1'/></way>"
    #expect(try revised("<osm>\(plain)\(tagged)\(way)</osm>") == "<osm>\(tagged)\(way)</osm>")
    #expect(try revised("<osm>\(tagged)\(way)\(plain)</osm>") == "<osm>\(tagged)\(way)</osm>")
    #expect(try revised("<osm>\(plain)\(plain)\(way)\(way)</osm>") == "<osm>\(plain)\(way)</osm>")
    #expect(try revised("<osm>\(tagged)\(way)</osm>") == nil)
  }

  /// Random elements: the result has the same ones, and each kind keeps its order.
  @Test func elementsAreSortedByKind() throws {
    var random = SplitMix64(seed: 7)
    let names = ["node", "way", "relation", "note"]
    for _ in 0..<200 {
      let elements = (0..<Int.random(in: 0..<12, using: &random)).map { id in
        let name = names[Int.random(in: 0..<4, using: &random)]
        let isEmpty = Bool.random(using: &random)
        return isEmpty ? "<\(name) id='\(id)'/>" : "<\(name) id='\(id)'><node/></\(name)>"
      }
      let kind = { (element: String) in
        ["<nod", "<way", "<rel"].firstIndex { element.hasPrefix($0) }.map { $0 + 1 } ?? 0
      }
      let known = elements.map(kind).filter { $0 > 0 }
      let sorted = elements.enumerated().sorted {
        (kind($0.element), $0.offset) < (kind($1.element), $1.offset)
      }.map(\.element)
      let found = try revised("<osm>" + elements.joined() + "</osm>")
      guard known != known.sorted() else {
        #expect(found == nil)
        continue
      }
      #expect(found == "<osm>" + sorted.joined() + "</osm>")
    }
  }
}
