import CairnTestSupport
import Foundation
import Testing

@Suite struct PackageTests {
  @Test func noModuleImportsAModuleAboveIt() throws {
    for file in try Package.swiftFiles(under: "Sources") {
      for dependency in Package.imports(in: file.lines) {
        let violation = Package.violation(importing: dependency, in: file.module)
        #expect(violation == nil, "\(file.path): \(violation ?? "")")
      }
    }
  }

  @Test func everyFolderIsAModule() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: Repository.root.appendingPathComponent("Sources").path)
    #expect(Set(folders.filter { !$0.hasPrefix(".") }) == Set(Package.modules))
  }

  /// Folders are ordered like modules: the types of one use only types of folders below it.
  @Test(arguments: [
    "CairnGeometry", "CairnStorage", "CairnQuery", "CairnQuery/Predicate", "CairnObjects",
    "CairnSQL", "CairnRequest", "CairnIO", "CairnIO/Readers", "CairnGDAL", "CairnMaps",
    "CairnFormats", "CairnTiles", "CairnPostgres", "CairnServer", "CairnCommand",
  ])
  func foldersHaveNoCycles(folder: String) throws {
    let path = "Sources/\(folder)"
    let graph = FolderGraph(try Package.swiftFiles(under: path), below: path)
    #expect(!graph.folders.isEmpty)
    let cycle = graph.cycle()
    #expect(cycle == nil, "\(graph.description(of: cycle ?? []))")
  }

  @Test func noFileIsLong() throws {
    for folder in ["Sources", "Tests", "tools"] {
      for file in try Package.swiftFiles(under: folder) {
        #expect(file.lines.count <= 500, "\(file.path) has \(file.lines.count) lines")
      }
    }
  }

  /// Names that begin with an underscore are public for technical reasons only.
  @Test func publicDeclarationsHaveDocumentation() throws {
    for file in try Package.swiftFiles(under: "Sources") {
      let lines = file.lines
      for index in lines.indices {
        guard let name = Declarations.publicName(in: lines[index]), !name.hasPrefix("_") else {
          continue
        }
        #expect(
          Declarations.isDocumented(index, in: lines), "\(file.path):\(index + 1): \(name)")
      }
    }
  }

  @Test func theExecutableOnlyCallsTheCommand() throws {
    let files = try Package.swiftFiles(under: "Sources/cairn-cli")
    #expect(files.count == 1)
    #expect(files.allSatisfy { $0.lines.count < 20 })
  }

  @Test func noTargetUsesUnsafeFlags() throws {
    #expect(try !Package.manifest().contains("unsafeFlags"))
  }

  @Test func theLibraryNeedsNoHeadersOfGEOSOrPROJ() throws {
    let foreign = ["geos_c.h", "proj.h", "geodesic.h", "link \"geos", "link \"proj"]
    let files = try Package.files(under: "Sources") { !$0.hasSuffix(".swift") }
    #expect(files.contains { $0.path.hasSuffix("CLMDB/shim.h") })
    for file in files {
      for line in file.lines where line.contains("#include") || line.contains("link ") {
        #expect(!foreign.contains { line.contains($0) }, "\(file.path): \(line)")
      }
    }
    let manifest = try Package.manifest()
    #expect(!manifest.contains("libgeos") && !manifest.contains("libproj"))
  }

  @Test func theLibraryDependsOnNoOtherPackage() throws {
    let manifest = try Package.manifest()
    let below = Package.dependencies(of: "Cairn", in: manifest)
    #expect(below.isSuperset(of: ["CairnObjects", "CairnStorage", "CairnGeometry", "CairnSystem"]))
    #expect(
      below.isDisjoint(with: ["CairnIO", "CairnFormats", "CairnCommand", "CSimdJSON", "CZlib"]))
    // Every foreign product depends on a trait, so that `traits: []` fetches no package.
    let foreign = manifest.matches(of: /\.product\([^()]*package:[^()]*/)
    #expect(!foreign.isEmpty)
    for product in foreign { #expect(product.0.hasSuffix("condition: .when"), "\(product.0)") }
    #expect(
      manifest.matches(of: /condition: \.when\(traits: \["(Command|Operations|Server)"\]\)/).count
        == foreign.count)
  }

  @Test(arguments: [
    ("import CairnQuery", "CairnStorage", true),
    ("  internal import CLMDB", "CairnQuery", true),
    ("package import CLMDB", "CairnStorage", false),
    ("@_exported import CairnGeometry", "Cairn", false),
    ("@preconcurrency import struct Foundation.Date", "CairnFormats", true),
    ("import FoundationEssentials", "Cairn", false),
    ("import Glibc", "CairnStorage", true),
    ("private import CPROJ", "CairnIndex", true),
    ("internal import CCurl", "cairn-server", true),
    ("/// import CairnCommand", "CairnValues", false),
    ("import CairnValues", "CairnValues", true),
    ("import CairnValues", "CairnSystem", true),
  ])
  func theRulesCatchForbiddenImports(line: String, module: String, isViolation: Bool) {
    let violations = Package.imports(in: [line[...]]).compactMap {
      Package.violation(importing: $0, in: module)
    }
    #expect(violations.isEmpty != isViolation)
  }

  @Test func foundationMaySubstituteFoundationEssentials() {
    let lines: [Substring] = [
      "#if canImport(FoundationEssentials)", "import FoundationEssentials", "#else",
      "import Foundation", "#endif", "import Foundation",
    ]
    #expect(Package.imports(in: lines) == ["FoundationEssentials", "Foundation"])
  }

  @Test func theRulesCatchCyclesOfFolders() {
    func file(_ path: String, _ text: String) -> Package.SourceFile {
      Package.SourceFile(path: "Sources/M/\(path)", text: text)
    }
    let low = file("Low/A.swift", "struct A { /* High */ let text = \"B\" }\n// B")
    let high = file("High/B.swift", "public final class B { let a: A }")
    #expect(FolderGraph([low, high], below: "Sources/M").cycle() == nil)
    let back = file("Low/C.swift", "extension A { func make() -> B { B() } }")
    let cycle = FolderGraph([low, high, back], below: "Sources/M").cycle()
    #expect(cycle.map(Set.init) == ["Low", "High"])
    #expect(
      FolderGraph([low, high, back], below: "Sources/M").description(of: cycle ?? []).contains(
        "C.swift uses B"))
  }

  @Test(arguments: [
    ("  public func add(_ a: Int)", "add"), ("public struct Store {", "Store"),
    ("  @discardableResult public static func == (a: A, b: A)", "=="),
    ("  public private(set) var bytes: [UInt8]", "bytes"), ("  open class Object {", "Object"),
    ("public extension Store {", nil), ("public import CairnValues", nil),
    ("  public override init() {", nil), ("  open = nil", nil), ("  package func add()", nil),
    ("  public init(_ a: Int)", "init"), ("  public init?(_at row: Row)", "_init"),
    ("  public subscript(a: Int) -> Int", "subscript"),
  ])
  func theRulesFindPublicDeclarations(line: String, name: String?) {
    #expect(Declarations.publicName(in: line[...]) == name)
  }
}
