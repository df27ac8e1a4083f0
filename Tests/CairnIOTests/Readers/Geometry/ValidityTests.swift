import CairnGeometry
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnIO

/// The cases of `shared/truth/geometry/validity.json`, where that folder is present.
@Suite(.tags(.untrusted)) struct ValidityTests {
  @Test(.enabled(if: SharedData.isAvailable, Comment(rawValue: SharedData.reason)))
  func everyCaseIsTreatedAsAgreed() throws {
    let path = try #require(SharedData.root) + "/truth/geometry/validity.json"
    let text = try Data(contentsOf: URL(fileURLWithPath: path))
    let root = try JSONSerialization.jsonObject(with: text) as? [String: Any]
    let cases = try #require(root?["cases"] as? [[String: Any]])
    for item in cases where item["geometry"] != nil { try check(item) }
  }

  /// The cases that the folder wants to be refused, but that have one reading and are split.
  private static let split = ["ring touches itself"]

  private func check(_ item: [String: Any]) throws {
    let name = item["name"] as? String ?? ""
    let json = try JSONSerialization.data(
      withJSONObject: item["geometry"] ?? NSNull(), options: [.fragmentsAllowed])
    let geometry = String(decoding: json, as: UTF8.self)
      .replacing("\"NaN\"", with: "NaN").replacing("\"1e999\"", with: "1e999")
      .replacing("\"\\\"4\\\"\"", with: "\"4\"")
    let good = geoJSON("LineString", "[[1,2],[3,4]]")
    let text = collection([shape(1, good), shape(77, geometry), shape(3, good)])
    switch Self.split.contains(name) ? "store" : item["default"] as? String {
    case "refuse":
      let message = try importError(text, as: "a.geojson")?.message.lowercased() ?? ""
      let words = item["why"] as? [String] ?? []
      #expect(words.contains { message.contains($0.lowercased()) }, "\(name): \(message)")
      guard item["skip"] as? String != "whole" else { return }
      #expect(message.contains("feature 2"), "\(name): \(message)")
      let skipped = try Imported(text, as: "a.geojson") { $0.onError = .skip }
      #expect(skipped.column("id") == [.int(1), .int(3)], "\(name)")
      guard item["repair"] != nil else { return }
      let repaired = try Imported(text, as: "a.geojson") { $0.geometries.repairs = true }
      #expect(repaired.column("id") == [.int(1), .int(3), .int(77)], "\(name)")
    case "null":
      let imported = try Imported(text, as: "a.geojson")
      #expect(imported.column("geometry").last == .null, "\(name)")
    default:
      let imported = try Imported(text, as: "a.geojson")
      #expect(imported.column("geometry").last?.isNull == false, "\(name)")
    }
  }
}
