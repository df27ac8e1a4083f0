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
    #expect(try !House.manifest().contains("unsafeFlags"))
  }

  @Test func theLibraryNeedsNoHeadersOfGEOSAndPROJ() throws {
    let foreign = ["geos_c.h", "proj.h", "geodesic.h", "link \"geos", "link \"proj"]
    let files = try House.files(under: "Sources") { !$0.hasSuffix(".swift") }
    #expect(files.contains { $0.path.hasSuffix("CLMDB/shim.h") })
    for file in files {
      for line in file.lines where line.contains("#include") || line.contains("link ") {
        #expect(!foreign.contains { line.contains($0) }, "\(file.path): \(line)")
      }
    }
    let manifest = try House.manifest()
    #expect(!manifest.contains("libgeos") && !manifest.contains("libproj"))
  }

  @Test func theLibraryDependsOnNoOtherPackage() throws {
    let manifest = try House.manifest()
    let below = House.dependencies(of: "Cairn", in: manifest)
    #expect(below.isSuperset(of: ["CairnObjects", "CairnStorage", "CairnGeometry"]))
    #expect(below.isDisjoint(with: ["CairnFormats", "CairnCommand", "CSimdJSON", "CZlib"]))
    // What comes from another package comes with the trait, so that `traits: []` fetches nothing.
    let foreign = manifest.matches(of: /\.product\([^()]*package:[^()]*/)
    #expect(!foreign.isEmpty)
    for product in foreign { #expect(product.0.hasSuffix("condition: .when"), "\(product.0)") }
    #expect(
      manifest.matches(of: /condition: \.when\(traits: \["Command"\]\)/).count == foreign.count)
  }

  @Test(arguments: [
    ("import CairnQuery", "CairnStorage", true),
    ("  internal import CLMDB", "CairnQuery", true),
    ("package import CLMDB", "CairnStorage", false),
    ("@_exported import CairnGeometry", "Cairn", false),
    ("@preconcurrency import struct Foundation.Date", "CairnFormats", true),
    ("import FoundationEssentials", "Cairn", false),
    ("private import CPROJ", "CairnIndex", true),
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
