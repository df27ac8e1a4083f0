// swift-tools-version: 6.1
import PackageDescription

// The modules from the bottom up: a target depends only on targets that are listed before it.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The files of the folders `pages` become constants of the module.
func module(
  _ name: String, on dependencies: [Target.Dependency], pages: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, resources: pages.map { .embedInCode($0) },
    swiftSettings: settings)
}

func tests(_ name: String, of modules: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: modules + ["CairnTestSupport"], swiftSettings: settings)
}

let package = Package(
  name: "Cairn",
  platforms: [.macOS(.v13)],
  products: [
    // Both modules, so that a change in either rebuilds the programs that use them.
    .library(name: "Cairn", targets: ["Cairn", "CairnObjects"]),
    // The same API under Realm's name, for programs that import RealmSwift.
    .library(name: "RealmSwift", targets: ["RealmSwift", "Cairn", "CairnObjects"]),
    // Import and export, in addition to either of the two; only this product needs simdjson and
    // zlib.
    .library(name: "CairnFormats", targets: ["CairnFormats", "CairnIO", "CairnObjects"]),
    // Vector tiles, in addition to either of the two.
    .library(name: "CairnTiles", targets: ["CairnTiles", "CairnObjects"]),
    // Predicates as SQL for PostGIS, DuckDB and Sedona, in addition to either of the two.
    .library(name: "CairnSQL", targets: ["CairnSQL", "CairnObjects"]),
    // PostgreSQL as a store, in addition to either of the two; libpq is loaded at run time.
    .library(name: "CairnPostgres", targets: ["CairnPostgres", "CairnObjects"]),
    // A service over HTTP, without a transport.
    .library(name: "CairnServer", targets: ["CairnServer"]),
    // Events and slow queries in swift-log and swift-metrics, with the trait `Operations`.
    .library(name: "CairnOperations", targets: ["CairnOperations", "CairnObjects"]),
    .executable(name: "cairn", targets: ["cairn-cli"]),
    // The service with a transport, with the trait `Server`.
    .executable(name: "cairn-server", targets: ["cairn-server"]),
  ],
  traits: [
    .default(enabledTraits: ["Command"]),
    .trait(
      name: "Command",
      description: "The command `cairn`. Without it, Swift fetches no other package."),
    .trait(
      name: "Operations",
      description: "The product CairnOperations, with swift-log and swift-metrics."),
    .trait(
      name: "Server",
      description: "The program `cairn-server`, with Hummingbird. It needs Swift 6.2 and macOS 14."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.5.0"),
    // Without its traits, which need Foundation and a package for configurations.
    .package(
      url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0", traits: []),
  ],
  targets: [
    .systemLibrary(
      name: "CLMDB", pkgConfig: "lmdb",
      providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    // Declarations only: GEOS and PROJ are loaded at run time.
    .systemLibrary(name: "CPROJ"),
    // Declarations only: GDAL, which hands over Arrow's structures, is loaded at run time.
    .systemLibrary(name: "CArrow"),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    // Declarations only: ISA-L is loaded at run time.
    .systemLibrary(name: "CIgzip"),
    .target(name: "CSimdJSON", linkerSettings: [.linkedLibrary("simdjson")]),
    // Declarations only: libcurl is loaded at run time.
    .systemLibrary(name: "CCurl"),
    .systemLibrary(name: "CThread"),

    module("CairnSystem", on: []),
    module("CairnValues", on: ["CairnSystem"]),
    module("CairnGeometry", on: ["CPROJ", "CairnSystem"]),
    module("CairnIndex", on: ["CairnGeometry"]),
    module(
      "CairnStorage",
      on: ["CLMDB", "CairnIndex", "CairnGeometry", "CairnValues", "CairnSystem"]),
    module(
      "CairnQuery",
      on: ["CairnStorage", "CairnIndex", "CairnGeometry", "CairnValues", "CairnSystem"]),
    module(
      "CairnObjects",
      on: [
        "CThread", "CairnQuery", "CairnStorage", "CairnGeometry", "CairnValues", "CairnSystem",
      ]),
    module("Cairn", on: ["CairnObjects", "CairnQuery", "CairnGeometry", "CairnValues"]),
    module("RealmSwift", on: ["Cairn"]),
    module(
      "CairnOperations",
      on: [
        "CairnObjects",
        .product(
          name: "Logging", package: "swift-log", condition: .when(traits: ["Operations"])),
        .product(
          name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Operations"])),
      ]),
    module(
      "CairnSQL",
      on: [
        "CairnObjects", "CairnQuery", "CairnStorage", "CairnGeometry", "CairnValues",
        "CairnSystem",
      ]),
    module(
      "CairnRequest",
      on: ["CairnQuery", "CairnStorage", "CairnGeometry", "CairnValues"]),
    module(
      "CairnIO",
      on: [
        "CIgzip", "CairnObjects", "CairnQuery", "CairnStorage", "CairnGeometry", "CairnValues",
        "CairnSystem", "CSimdJSON", "CZlib",
      ]),
    module(
      "CairnParquet",
      on: ["CairnIO", "CairnQuery", "CairnGeometry", "CairnValues", "CairnSystem", "CZlib"]),
    module(
      "CairnArrow",
      on: [
        "CArrow", "CairnParquet", "CairnIO", "CairnStorage", "CairnGeometry", "CairnValues",
        "CairnSystem",
      ]),
    module(
      "CairnGDAL",
      on: [
        "CArrow", "CairnArrow", "CairnParquet", "CairnIO", "CairnStorage", "CairnGeometry",
        "CairnValues", "CairnSystem",
      ]),
    module(
      "CairnMaps",
      on: ["CairnIO", "CairnStorage", "CairnGeometry", "CairnValues", "CairnSystem"],
      pages: ["Resources"]),
    module(
      "CairnFormats",
      on: [
        "CairnGDAL", "CairnArrow", "CairnParquet", "CairnMaps", "CairnIO", "CairnObjects",
        "CairnStorage", "CairnGeometry", "CairnValues", "CairnSystem",
      ]),
    module(
      "CairnTiles",
      on: [
        "CairnIO", "CairnObjects", "CairnQuery", "CairnStorage", "CairnIndex",
        "CairnGeometry", "CairnValues", "CairnSystem",
      ]),
    module(
      "CairnServer",
      on: [
        "CCurl", "CairnTiles", "CairnMaps", "CairnIO", "CairnRequest", "CairnQuery",
        "CairnStorage", "CairnGeometry", "CairnValues", "CairnSystem",
      ],
      pages: ["Explorer/Resources", "Pages/Resources"]),
    module(
      "CairnPostgres",
      on: [
        "CairnSQL", "CairnFormats", "CairnRequest", "CairnObjects", "CairnQuery", "CairnStorage",
        "CairnIndex", "CairnGeometry", "CairnValues", "CairnSystem",
      ]),
    module(
      "CairnCommand",
      on: [
        "CairnPostgres", "CairnSQL", "CairnTiles", "CairnGDAL", "CairnArrow", "CairnParquet",
        "CairnMaps", "CairnIO",
        "CairnRequest", "CairnQuery", "CairnStorage", "CairnGeometry", "CairnValues", "CairnSystem",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Command"])),
      ]),
    .executableTarget(
      name: "cairn-cli", dependencies: ["CairnCommand"], swiftSettings: settings),
    .executableTarget(
      name: "cairn-server",
      dependencies: [
        "CairnServer", "CairnSystem",
        // Its part without a router, for which fewer packages are compiled.
        .product(
          name: "HummingbirdCore", package: "hummingbird", condition: .when(traits: ["Server"])),
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Server"])),
        .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Server"])),
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Server"])),
      ],
      swiftSettings: settings),

    .target(name: "CairnTestSupport", path: "Tests/CairnTestSupport", swiftSettings: settings),
    .target(
      name: "CairnModelTestSupport", dependencies: ["CairnObjects", "CairnTestSupport"],
      path: "Tests/CairnModelTestSupport", swiftSettings: settings),
    .target(
      name: "CairnFuzzTargets",
      dependencies: [
        "CairnArrow", "CairnIO", "CairnQuery", "CairnStorage", "CairnGeometry", "CairnValues",
        "CairnSystem",
      ],
      path: "Tests/CairnFuzzTargets", swiftSettings: settings),
    .executableTarget(
      name: "cairn-worker", dependencies: ["CairnStorage", "CairnValues", "CairnSystem"],
      path: "Tests/CairnWorker",
      swiftSettings: settings),
    .executableTarget(
      name: "cairn-misuse",
      dependencies: [
        "RealmSwift", "Cairn", "CairnStorage", "CairnSystem", "CairnModelTestSupport",
        "CairnTestSupport",
      ],
      path: "Tests/CairnMisuse", swiftSettings: settings),
    tests("CairnValuesTests", of: ["CairnValues"]),
    tests("CairnGeometryTests", of: ["CairnGeometry", "CairnSystem"]),
    tests("CairnIndexTests", of: ["CairnIndex", "CairnGeometry"]),
    tests(
      "CairnStorageTests",
      of: ["CairnStorage", "CairnIndex", "CairnGeometry", "CairnValues", "CairnSystem"]),
    tests("CairnQueryTests", of: ["CairnQuery", "CairnStorage", "CairnGeometry", "CairnValues"]),
    tests(
      "CairnObjectsTests",
      of: [
        "CairnObjects", "CairnQuery", "CairnStorage", "CairnGeometry", "CairnValues",
        "CairnSystem", "CairnModelTestSupport",
      ]),
    tests("CairnTests", of: ["Cairn", "CairnModelTestSupport"]),
    .testTarget(
      name: "RealmSwiftTests",
      dependencies: ["RealmSwift", "CairnModelTestSupport", "CairnTestSupport"],
      exclude: ["Models/Before"], swiftSettings: settings),
    tests(
      "CairnRequestTests",
      of: ["CairnRequest", "CairnQuery", "CairnStorage", "CairnGeometry", "CairnValues"]),
    tests(
      "CairnSQLTests",
      of: [
        "CairnSQL", "Cairn", "CairnQuery", "CairnStorage", "CairnGeometry", "CairnValues",
        "CairnModelTestSupport",
      ]),
    tests(
      "CairnIOTests",
      of: ["CairnIO", "CairnMaps", "CairnStorage", "CairnGeometry", "CairnValues"]),
    tests("CairnGDALTests", of: ["CairnGDAL", "CairnIO"]),
    tests(
      "CairnArrowTests",
      of: ["CArrow", "CairnArrow", "CairnIO", "CairnGeometry", "CairnValues", "CairnSystem"]),
    tests(
      "CairnParquetTests",
      of: [
        "CairnParquet", "CairnIO", "CairnQuery", "CairnGeometry", "CairnValues", "CairnSystem",
      ]),
    tests("CairnMapsTests", of: ["CairnMaps", "CairnIO", "CairnGeometry", "CairnValues"]),
    tests(
      "CairnFormatsTests",
      of: ["CairnFormats", "CairnIO", "Cairn", "CairnStorage", "CairnModelTestSupport"]),
    tests(
      "CairnTilesTests",
      of: [
        "CairnTiles", "CairnFormats", "CairnIO", "Cairn", "CairnQuery", "CairnStorage",
        "CairnGeometry", "CairnValues", "CairnModelTestSupport",
      ]),
    tests(
      "CairnPostgresTests",
      of: [
        "CairnPostgres", "CairnSQL", "cairn-cli", "CairnFormats", "Cairn", "CairnQuery",
        "CairnStorage", "CairnGeometry", "CairnValues", "CairnSystem",
      ]),
    tests(
      "CairnServerTests",
      of: [
        "CairnServer", "CairnTiles", "Cairn", "CairnQuery", "CairnStorage", "CairnGeometry",
        "CairnValues", "CairnSystem", "CairnModelTestSupport",
      ]),
    tests(
      "CairnCommandTests",
      of: [
        "CairnCommand", "cairn-cli", "CairnSQL", "CairnTiles", "CairnGDAL", "CairnIO", "Cairn",
        "CairnGeometry",
      ]),
    tests(
      "CairnOperationsTests",
      of: [
        "CairnOperations", "Cairn", "CairnSystem",
        .product(
          name: "MetricsTestKit", package: "swift-metrics",
          condition: .when(traits: ["Operations"])),
      ]),
    // The server as a process, with the trait `Server`.
    tests("ServerProcessTests", of: ["cairn-server", "Cairn"]),
    // The command and a program that uses a store, killed, damaged and starved.
    tests("RobustnessTests", of: ["cairn-cli", "cairn-worker", "CairnStorage"]),
    // The seeds of the fuzzer.
    tests("FuzzTests", of: ["CairnFuzzTargets"]),
    tests("PackageTests", of: []),
  ],
  cxxLanguageStandard: .cxx17
)

// The fuzzer links only with the flags of `make fuzz`, so other builds leave it out.
if Context.environment["CAIRN_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "cairn-fuzz", dependencies: ["CairnFuzzTargets"], path: "tools/fuzz/Sources",
      swiftSettings: settings))
}

// The sanitizers build only the targets of tests that they run.
if let wanted = Context.environment["CAIRN_TESTS"]?.split(separator: " ").map(String.init) {
  package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}
