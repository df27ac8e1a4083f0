import CairnCommand
import CairnFormats
import CairnStorage

/// What is fed with any bytes: it may refuse them, but neither crash nor hang, nor contradict itself.
///
/// `make fuzz` lets libFuzzer make the bytes up, the tests replay what it found.
public enum FuzzTarget: String, CaseIterable, Sendable {
  case predicate
  case csv
  case geojson
  case json
  case wkt
  case encoding

  /// Feeds some bytes.
  public func feed(_ bytes: [UInt8]) {
    switch self {
    case .predicate: PredicateProbe.read(String(decoding: bytes, as: UTF8.self))
    case .csv: Self.csvImport.read(bytes)
    case .geojson:
      Self.geojsonImport.read(bytes)
      Self.linesImport.read(bytes)
    case .json:
      Self.objectsImport.read(bytes)
      Self.objectLinesImport.read(bytes)
    case .wkt:
      GeometryProbe.read(bytes)
      PolygonProbe.read(bytes)
    case .encoding: EncodingProbe.read(bytes)
    }
  }

  /// Feeds bytes of a file to an import into a store as well, which takes too long for the fuzzer.
  public func feedStore(_ bytes: [UInt8]) {
    switch self {
    case .csv: Self.csvImport.store(bytes)
    case .geojson:
      Self.geojsonImport.store(bytes)
      Self.linesImport.store(bytes)
    case .json:
      Self.objectsImport.store(bytes)
      Self.objectLinesImport.store(bytes)
    case .predicate, .wkt, .encoding: break
    }
  }

  // Unsafe: each is used for one target, and the inputs of a target come one after the other.
  private nonisolated(unsafe) static let csvImport = ImportProbe(.csv)
  private nonisolated(unsafe) static let geojsonImport = ImportProbe(.geojson)
  private nonisolated(unsafe) static let linesImport = ImportProbe(.geojsonl)
  private nonisolated(unsafe) static let objectsImport = ImportProbe(.json)
  private nonisolated(unsafe) static let objectLinesImport = ImportProbe(.jsonl)
}
