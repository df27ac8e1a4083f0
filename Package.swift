// swift-tools-version: 6.1
import PackageDescription

// The house, from the ground up: a target imports only what stands before it.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func room(_ name: String, on lower: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: lower, swiftSettings: settings)
}

func tests(_ name: String, of rooms: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: rooms + ["CairnTestSupport"], swiftSettings: settings)
}

let package = Package(
  name: "Cairn",
  platforms: [.macOS(.v13)],
  products: [
    // Both modules, so that a change in either builds its users anew.
    .library(name: "Cairn", targets: ["Cairn", "CairnObjects"]),
    // The same under Realm's name, for programs that import RealmSwift.
    .library(name: "RealmSwift", targets: ["RealmSwift", "Cairn", "CairnObjects"]),
    .library(name: "CairnFormats", targets: ["CairnFormats"]),
    .executable(name: "cairn", targets: ["cairn-cli"]),
  ],
  traits: [
    .default(enabledTraits: ["Command"]),
    .trait(
      name: "Command",
      description: "The command `cairn`. Without it, Swift fetches no other package."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")
  ],
  targets: [
    .systemLibrary(
      name: "CLMDB", pkgConfig: "lmdb",
      providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    // Declarations only: GEOS and PROJ are opened at run time.
    .systemLibrary(name: "CPROJ"),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(name: "CSimdJSON", linkerSettings: [.linkedLibrary("simdjson")]),
    .systemLibrary(name: "CThread"),

    room("CairnValues", on: []),
    room("CairnGeometry", on: ["CPROJ"]),
    room("CairnIndex", on: ["CairnGeometry"]),
    room("CairnStorage", on: ["CLMDB", "CairnIndex", "CairnGeometry", "CairnValues"]),
    room("CairnQuery", on: ["CairnStorage", "CairnIndex", "CairnGeometry", "CairnValues"]),
    room(
      "CairnObjects",
      on: ["CThread", "CairnQuery", "CairnStorage", "CairnGeometry", "CairnValues"]),
    room(
      "Cairn", on: ["CairnObjects", "CairnQuery", "CairnStorage", "CairnGeometry", "CairnValues"]),
    room("RealmSwift", on: ["Cairn"]),
    room(
      "CairnFormats",
      on: [
        "CairnObjects", "CairnQuery", "CairnStorage", "CairnGeometry", "CairnValues", "CSimdJSON",
        "CZlib",
      ]),
    room(
      "CairnCommand",
      on: [
        "CairnFormats", "CairnObjects", "CairnQuery", "CairnStorage", "CairnGeometry",
        "CairnValues",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Command"])),
      ]),
    .executableTarget(
      name: "cairn-cli", dependencies: ["CairnCommand"], swiftSettings: settings),

    .target(name: "CairnTestSupport", path: "Tests/CairnTestSupport", swiftSettings: settings),
    .target(
      name: "CairnFuzzTargets",
      dependencies: [
        "CairnCommand", "CairnFormats", "CairnQuery", "CairnStorage", "CairnGeometry",
        "CairnValues",
      ],
      path: "Tests/CairnFuzzTargets", swiftSettings: settings),
    .executableTarget(
      name: "cairn-worker", dependencies: ["CairnStorage", "CairnValues"],
      path: "Tests/CairnWorker",
      swiftSettings: settings),
    tests("CairnValuesTests", of: ["CairnValues"]),
    tests("CairnGeometryTests", of: ["CairnGeometry"]),
    tests("CairnIndexTests", of: ["CairnIndex", "CairnGeometry"]),
    tests("CairnStorageTests", of: ["CairnStorage", "CairnIndex", "CairnGeometry", "CairnValues"]),
    tests(
      "CairnQueryTests",
      of: ["CairnQuery", "CairnStorage", "CairnIndex", "CairnGeometry", "CairnValues"]),
    tests(
      "CairnObjectsTests",
      of: ["CairnObjects", "CairnQuery", "CairnStorage", "CairnGeometry", "CairnValues"]),
    tests("CairnTests", of: ["Cairn"]),
    .testTarget(
      name: "RealmSwiftTests", dependencies: ["RealmSwift", "CairnTestSupport"],
      exclude: ["Models/Before"], swiftSettings: settings),
    tests(
      "CairnFormatsTests",
      of: [
        "CairnFormats", "CairnObjects", "CairnQuery", "CairnStorage", "CairnGeometry",
        "CairnValues",
      ]),
    tests(
      "CairnCommandTests",
      of: [
        "CairnCommand", "cairn-cli", "cairn-worker", "Cairn", "CairnGeometry", "CairnStorage",
        "CairnFuzzTargets",
      ]),
    tests("HouseTests", of: []),
  ],
  cxxLanguageStandard: .cxx17
)

// The fuzzer links only with flags that `make fuzz` gives, so nobody else is to build it.
if Context.environment["CAIRN_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "cairn-fuzz", dependencies: ["CairnFuzzTargets"], path: "tools/fuzz/Sources",
      swiftSettings: settings))
}
