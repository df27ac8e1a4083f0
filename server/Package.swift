// swift-tools-version: 6.2
import PackageDescription

// The server is a package of its own, so that programs that use the library do not resolve
// Hummingbird and SwiftNIO.
let package = Package(
  name: "cairn-server",
  platforms: [.macOS(.v14)],
  dependencies: [
    // The trait is for the tests of CairnOperations.
    .package(name: "Cairn", path: "..", traits: [.defaults, "Operations"]),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0"),
    // Hummingbird resolves it too.
    .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.30.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
  ],
  targets: [
    .executableTarget(
      name: "cairn-server",
      dependencies: [
        .product(name: "CairnServer", package: "Cairn"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(
      name: "ServerTests",
      dependencies: [
        "cairn-server", .product(name: "Cairn", package: "Cairn"),
        .product(name: "CairnOperations", package: "Cairn"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
      ]),
  ]
)
