import CairnTestSupport
import Foundation
import Testing

/// The scripts, style sheets and markup of pages are files of their own kind.
@Suite struct PageFileTests {
  private static let kinds = [".js", ".css", ".html", ".svg"]

  @Test func everyPageFileIsEmbedded() throws {
    let manifest = try Package.manifest()
    let files = try Package.files(under: "Sources") { name in
      Self.kinds.contains { name.hasSuffix($0) }
    }
    #expect(files.count > 10)
    for file in files {
      let parts = file.path.split(separator: "/")
      let folder = parts.dropFirst(2).dropLast().joined(separator: "/")
      #expect(parts.dropLast().last == "Resources", "\(file.path)")
      #expect(manifest.has("\"\(folder)\""), "Package.swift does not name \(folder)")
      #expect(!file.text.isEmpty, "\(file.path)")
    }
    // The constants of a module have the names of the files, without the folders.
    let names = files.map { "\($0.module)/\($0.path.split(separator: "/").last ?? "")" }
    #expect(Set(names).count == names.count, "\(names.sorted())")
  }

  @Test func noSwiftFileContainsAScriptOrAPage() throws {
    let signs = [
      "addEventListener(", "document.createElement(", "getElementById(", "<!DOCTYPE", "<script",
      "<style", "@media", ":root {",
    ]
    for file in try Package.swiftFiles(under: "Sources") {
      for sign in signs { #expect(!file.text.has(sign), "\(file.path): \(sign)") }
    }
  }
}
