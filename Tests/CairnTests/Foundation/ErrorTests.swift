import Cairn
import Foundation
import Testing

/// Errors as programs with Foundation catch and show them.
@Suite struct ErrorTests {
  private let missing = URL(fileURLWithPath: "/tmp/cairn-none-\(UUID().uuidString)/test.cairn")

  private func open() throws {
    _ = try Realm(configuration: .init(fileURL: missing, readOnly: true))
  }

  @Test func codesAreCaught() throws {
    var caught = ""
    do { try open() } catch Realm.Error.fileExists {
      caught = "exists"
    } catch Realm.Error.fileNotFound {
      caught = "not found"
    }
    #expect(caught == "not found")
    do { throw CancellationError() } catch Realm.Error.fail { caught = "fail" } catch {
      caught = "other"
    }
    #expect(caught == "other")
  }

  @Test func whatFoundationAsks() throws {
    let error = try #require(throws: Realm.Error.self) { try open() }
    #expect(error.fileURL == missing)
    #expect(error.localizedDescription == error.description)
    #expect((error as any LocalizedError).errorDescription == error.description)
    let bridged = error as any CustomNSError
    #expect(Realm.Error.errorDomain == "io.realm" && bridged.errorCode == 5)
    #expect(bridged.errorUserInfo[NSFilePathErrorKey] as? String == missing.path)
    #expect(bridged.errorUserInfo[NSLocalizedDescriptionKey] as? String == error.description)
  }

  /// The numbers that programs compare, as Realm 10.54 has them.
  @Test func numbers() {
    let codes: [Realm.Error.Code] = [
      Realm.Error.fail, Realm.Error.fileAccess, Realm.Error.filePermissionDenied,
      Realm.Error.fileExists, Realm.Error.fileNotFound, Realm.Error.fileFormatUpgradeRequired,
      Realm.Error.incompatibleLockFile, Realm.Error.addressSpaceExhausted,
      Realm.Error.schemaMismatch, Realm.Error.alreadyOpen, Realm.Error.invalidInput,
      Realm.Error.outOfDiskSpace, Realm.Error.incompatibleSession,
      Realm.Error.unsupportedFileFormatVersion, Realm.Error.multipleSyncAgents,
      Realm.Error.subscriptionFailed, Realm.Error.fileOperationFailed,
      Realm.Error.invalidDatabase, Realm.Error.incompatibleHistories,
    ]
    let numbers = [1, 2, 3, 4, 5, 6, 8, 9, 10] + Array(12...21)
    #expect(codes.map(\.rawValue) == numbers)
  }

  @Test func predicatesAndShapes() throws {
    let predicate = try #require(throws: Predicate.Error.self) { try Predicate("a ==") }
    #expect(predicate.localizedDescription == predicate.description)
    #expect(throws: GeometryError.self) {
      try GeoPolygon(validating: [(0.0, 0.0), (1.0, 1.0), (0.0, 0.0)])
    }
  }
}
