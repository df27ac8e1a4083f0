import CairnArrow
import CairnIO
import CairnParquet
import CairnStorage

/// An entry point that accepts arbitrary bytes. It may reject them, but must not crash, hang or
/// contradict itself.
///
/// `make fuzz` lets libFuzzer generate the bytes; the tests replay its findings.
public enum FuzzTarget: String, CaseIterable, Sendable {
  case predicate
  case csv
  case geojson
  case json
  case arrow
  case parquet
  case wkt
  case geometry
  case encoding

  /// Passes bytes to the code under test.
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
    case .arrow: Self.arrowImport.read(bytes)
    case .parquet: Self.parquetImport.read(bytes)
    case .wkt:
      GeometryFuzzTarget.read(bytes)
      PolygonFuzzTarget.read(bytes)
    case .geometry: GeometryProbe.read(bytes)
    case .encoding: EncodingFuzzTarget.read(bytes)
    }
  }

  /// Also imports the bytes of a file into a store, which is too slow for the fuzzer.
  public func feedStore(_ bytes: [UInt8]) {
    switch self {
    case .csv: Self.csvImport.store(bytes)
    case .geojson:
      Self.geojsonImport.store(bytes)
      Self.linesImport.store(bytes)
    case .json:
      Self.objectsImport.store(bytes)
      Self.objectLinesImport.store(bytes)
    case .predicate, .arrow, .parquet, .wkt, .geometry, .encoding: break
    }
  }

  // Unsafe: each probe serves one target, and a target receives its inputs sequentially.
  private nonisolated(unsafe) static let csvImport = ImportProbe(.csv)
  private nonisolated(unsafe) static let geojsonImport = ImportProbe(.geojson)
  private nonisolated(unsafe) static let linesImport = ImportProbe(.geojsonl)
  private nonisolated(unsafe) static let objectsImport = ImportProbe(.json)
  private nonisolated(unsafe) static let arrowImport = ColumnFileProbe(ArrowReader())
  private nonisolated(unsafe) static let parquetImport = ColumnFileProbe(ParquetReader())
  private nonisolated(unsafe) static let objectLinesImport = ImportProbe(.jsonl)
}
