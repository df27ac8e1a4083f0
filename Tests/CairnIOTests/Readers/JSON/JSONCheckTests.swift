import CairnTestSupport
import Foundation
import Testing

@testable import CairnIO

@Suite(.tags(.untrusted)) struct JSONCheckTests {
  private func isValid(_ text: String) -> Bool {
    withPadded(text) { JSONCheck.firstError($0, count: $1) } == nil
  }

  @Test func validAndInvalidValuesAreToldApart() {
    for text in [
      "1", "-0.5e+10", "\"a\\u00e9\\n\"", "true", "false", "null", "[]", "{}",
      " [ 1 , [ ] , { } ] ",
      "{\"a\":{\"b\":[1,2,{\"c\":null}]},\"d\":\"\"}", "[[[[]]]]", "\"\"",
    ] {
      #expect(isValid(text), "\(text)")
    }
    for text in [
      "", " ", "01", "1.", ".5", "-", "+1", "1e", "tru", "True", "nul", "[1,]", "[,1]", "[1 2]",
      "{\"a\"}",
      "{\"a\":}", "{a:1}", "{\"a\":1,}", "[1}", "{\"a\":1]", "[", "]", "\"", "\"a\nb\"", "\"\\x\"",
      "\"\\u12g4\"", "1 2", "[]]", "{\"a\":1}{", "\"\\", "\"\\u12", "NaN",
    ] {
      #expect(!isValid(text), "\(text)")
    }
  }

  @Test func depthIsBounded() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(isValid(nested(JSONCheck.deepest)))
    #expect(!isValid(nested(JSONCheck.deepest + 2)))
  }

  /// `y_` files are JSON, `n_` files are not, `i_` files may be either.
  @Test(
    .enabled(if: SharedData.isAvailable, "\(SharedData.reason)"),
    arguments: SharedData.files("corpora/json/JSONTestSuite"))
  func agreesWithTheSuite(_ path: String) throws {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let padded = bytes + Array(repeating: 0x20, count: InputBlock.padding)
    let isJSON = padded.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { base in
        JSONCheck.firstError(base, count: bytes.count) == nil
          && UTF8Check.firstError(base, range: 0..<bytes.count) == nil
      } ?? false
    }
    if name.hasPrefix("y_") { #expect(isJSON, "\(name)") }
    if name.hasPrefix("n_") { #expect(!isJSON, "\(name)") }
  }
}
