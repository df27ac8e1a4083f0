import Foundation
import Testing

@Suite struct HouseTests {
  @Test func noRoomImportsOneAboveIt() throws {
    for file in try House.swiftFiles(under: "Sources") {
      for module in House.imports(in: file.lines) {
        let objection = House.objection(to: module, in: file.room)
        #expect(objection == nil, "\(file.path): \(objection ?? "")")
      }
    }
  }

  @Test func everyFolderIsARoom() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: House.root.appendingPathComponent("Sources").path)
    #expect(Set(folders.filter { !$0.hasPrefix(".") }) == Set(House.rooms))
  }

  @Test func noFileIsLong() throws {
    for folder in ["Sources", "Tests", "tools"] {
      for file in try House.swiftFiles(under: folder) {
        #expect(file.lines.count <= 500, "\(file.path) has \(file.lines.count) lines")
      }
    }
  }

  @Test func theExecutableIsOnlyADoor() throws {
    let files = try House.swiftFiles(under: "Sources/cairn-cli")
    #expect(files.count == 1)
    #expect(files.allSatisfy { $0.lines.count < 20 })
  }

  @Test func nothingIsBuiltWithUnsafeFlags() throws {
    let manifest = try String(
      contentsOf: House.root.appendingPathComponent("Package.swift"), encoding: .utf8)
    #expect(!manifest.contains("unsafeFlags"))
  }

  @Test(arguments: [
    ("import CairnQuery", "CairnStorage", true),
    ("  internal import CLMDB", "CairnQuery", true),
    ("package import CLMDB", "CairnStorage", false),
    ("@_exported import CairnGeometry", "Cairn", false),
    ("@preconcurrency import struct Foundation.Date", "CairnFormats", true),
    ("import FoundationEssentials", "Cairn", false),
    ("private import CGEOS", "CairnIndex", true),
    ("/// import CairnCommand", "CairnValues", false),
    ("import CairnValues", "CairnValues", true),
  ])
  func theRulesCatchWhatTheyShould(line: String, room: String, isWrong: Bool) {
    let objections = House.imports(in: [line[...]]).compactMap {
      House.objection(to: $0, in: room)
    }
    #expect(objections.isEmpty != isWrong)
  }
}
