import CairnTestSupport
import Foundation
import Testing

/// `docs/toolchain.md` names each file that relies on the toolchain's private parts, and tests that
/// exist.
@Suite struct ToolchainPageTests {
  private let page: String

  init() throws { page = try Repository.text("docs/toolchain.md") }

  /// Every line with a trick contains one of these texts.
  private static let marks = [
    "@_", "unsafeBitCast", "_forEachField", "_getSuperclass", "_isPOD", "swift_", "__asm__",
    "__builtin_", "_enclosingInstance",
  ]

  /// Returns the first private part of the toolchain that a line uses, or nil.
  private static func trick(in line: Substring) -> String? {
    // Attributes that only name modules or choose overloads are not tricks.
    let harmless = ["@_exported", "@_disfavoredOverload"]
    let patterns = [
      /@_[a-z]\w+/, /\bunsafeBitCast\(/, /\b_forEachField\b/, /\b_getSuperclass\b/, /\b_isPOD\b/,
      /\bswift_[a-z]\w+/, /__asm__/, /__builtin_\w+/, /\b_enclosingInstance\b/,
    ]
    guard marks.contains(where: line.has), !line.drop(while: { $0 == " " }).hasPrefix("//") else {
      return nil
    }
    return patterns.lazy.flatMap { line.matches(of: $0).map { String($0.0) } }
      .first { !harmless.contains($0) }
  }

  @Test func everyFileWithATrickIsNamed() throws {
    var found = 0
    for folder in ["Sources"] {
      let files = try Package.files(under: folder) {
        $0.hasSuffix(".swift") || $0.hasSuffix(".h")
      }
      for file in files {
        guard Self.marks.contains(where: file.text.has),
          let trick = file.lines.lazy.compactMap(Self.trick).first
        else { continue }
        found += 1
        let name =
          file.path.hasSuffix(".h") ? file.path : String(file.path.split(separator: "/").last ?? "")
        #expect(
          page.contains("`\(name)`"), "\(file.path) uses \(trick); name it in docs/toolchain.md")
      }
    }
    #expect(found > 5)
  }

  @Test func theTestsExist() throws {
    let tests = try Package.swiftFiles(under: "Tests")
    let names = page.matches(of: /`(\w+Tests)\.(\w+)`/).map { (String($0.1), String($0.2)) }
    #expect(names.count > 8)
    for (suite, test) in names {
      let isThere = tests.contains {
        $0.text.contains("struct \(suite) ") && $0.text.contains("func \(test)(")
      }
      #expect(isThere, "\(suite).\(test) of docs/toolchain.md does not exist")
    }
  }

  @Test(arguments: [
    ("  @_effects(releasenone)", "@_effects"),
    ("@_exported import Glibc", nil),
    ("/// `unsafeBitCast(x)` is not used", nil),
    ("  let x = unsafeBitCast(a, to: Int.self)", "unsafeBitCast("),
    ("uint64_t swift_task_getJobTaskId(const void *task);", "swift_task_getJobTaskId"),
  ])
  func tricksAreRecognized(line: String, trick: String?) {
    #expect(Self.trick(in: line[...]) == trick)
  }
}
