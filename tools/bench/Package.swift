// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "cairn-bench",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "Cairn", path: "../..")],
  targets: [
    .executableTarget(
      name: "cairn-bench", dependencies: [.product(name: "Cairn", package: "Cairn")])
  ]
)
