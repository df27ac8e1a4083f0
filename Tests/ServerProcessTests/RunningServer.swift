#if Server
import Cairn
import CairnTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A class to serve.
final class Place: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var location: GeoPoint?
}

/// A store with places in a folder of its own.
struct PlaceStore {
  let folder: URL
  var path: String { folder.appendingPathComponent("test.cairn").path }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Changes the store in one commit.
  func edit(_ body: (Realm) -> Void) throws {
    var configuration = Realm.Configuration()
    configuration.fileURL = URL(fileURLWithPath: path)
    configuration.objectTypes = [Place.self]
    let realm = try Realm(configuration: configuration)
    try realm.write { body(realm) }
  }

  /// Adds places in one commit.
  func write(_ ids: ClosedRange<Int>) throws {
    try edit { realm in
      for id in ids {
        let place = Place()
        place.id = id
        place.name = "place \(id)"
        place.location = GeoPoint(latitude: Double(id % 80), longitude: Double(id % 170))
        realm.add(place)
      }
    }
  }
}

/// A server as a process. Only the test that made it changes it.
final class RunningServer: @unchecked Sendable {
  let process = Process()
  let errors = Pipe()
  private(set) var base = ""

  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    process.executableURL = Command.server
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardError = errors
    try process.run()
  }

  /// Waits for the line with the URL.
  func waitForBase() throws {
    var text = ""
    // Hooks may have failed before.
    while !text.contains("serving ") || text.last != "\n" {
      let data = errors.fileHandleForReading.availableData
      if data.isEmpty { throw Failure(text: text) }
      text += String(decoding: data, as: UTF8.self)
    }
    let words = text.split(whereSeparator: { $0 == " " || $0 == "\n" })
    base = words.first { $0.hasPrefix("http://") }.map { String($0.dropLast()) } ?? ""
  }

  struct Failure: Error { let text: String }

  func get(
    _ target: String, headers: [String: String] = [:], method: String = "GET", body: String? = nil
  ) async throws -> (status: Int, headers: [AnyHashable: Any], data: Data) {
    var request = URLRequest(url: try #require(URL(string: base + target)))
    request.httpMethod = method
    // A busy machine may take long.
    request.timeoutInterval = 300
    request.httpBody = body.map { Data($0.utf8) }
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let (data, response) = try await URLSession.shared.data(for: request)
    let http = try #require(response as? HTTPURLResponse)
    return (http.statusCode, http.allHeaderFields, data)
  }

  func json(_ target: String) async throws -> [String: Any] {
    let data = try await get(target).data
    return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  /// Ends the server at once, whatever it does.
  func kill() {
    _ = Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func stop() -> Int32 {
    process.terminate()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
#endif
