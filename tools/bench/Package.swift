// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "cairn-bench",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "Cairn", path: "../..", traits: []),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(name: "Measuring"),
    .executableTarget(
      name: "cairn-bench",
      dependencies: [
        "Measuring", .product(name: "Cairn", package: "Cairn"),
        .product(name: "CairnTiles", package: "Cairn"),
      ]),
    .executableTarget(
      name: "live-bench",
      dependencies: ["Measuring", .product(name: "Cairn", package: "Cairn")]),
    .executableTarget(
      name: "objects-bench",
      dependencies: [
        "Measuring", .product(name: "Cairn", package: "Cairn"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .executableTarget(
      name: "texts-bench",
      dependencies: [
        "Measuring", .product(name: "Cairn", package: "Cairn"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
  ]
)
