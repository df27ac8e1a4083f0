import CairnSystem
import Foundation

@testable import CairnGeometry

/// GEOS as the oracle of planar relations.
final class GEOSRelations {
  private typealias Context = GEOSLibrary.Context
  private typealias Handle = GEOSLibrary.Geometry
  private typealias Predicate = @convention(c) (Context, Handle, Handle) -> CChar
  private typealias Overlay = @convention(c) (Context, Handle, Handle) -> Handle?
  private typealias Check = @convention(c) (Context, Handle) -> CChar

  private typealias MakeReader = @convention(c) (Context) -> OpaquePointer?
  private typealias DestroyReader = @convention(c) (Context, OpaquePointer) -> Void
  private typealias Read = @convention(c) (Context, OpaquePointer, UnsafePointer<CChar>) -> Handle?

  private typealias Relate =
    @convention(c) (Context, Handle, Handle) -> UnsafeMutablePointer<CChar>?

  private let context: GEOSContext
  private let points: GEOSPointLibrary
  private let reader: OpaquePointer
  private let predicates: [String: Predicate]
  private let difference: Overlay
  private let relate: Relate
  private let isValid: Check
  private let destroyReader: DestroyReader
  private let read: Read

  init() throws {
    context = try GEOSContext()
    points = try GEOSPointLibrary.shared()
    let library = try DynamicLibrary.geos()
    predicates = [
      "covers": try library.function("GEOSCovers_r"),
      "intersects": try library.function("GEOSIntersects_r"),
    ]
    difference = try library.function("GEOSDifference_r")
    relate = try library.function("GEOSRelate_r")
    isValid = try library.function("GEOSisValid_r")
    destroyReader = try library.function("GEOSWKTReader_destroy_r")
    read = try library.function("GEOSWKTReader_read_r")
    let makeReader: MakeReader = try library.function("GEOSWKTReader_create_r")
    guard let reader = makeReader(context.handle) else { throw context.failure("read") }
    self.reader = reader
  }

  deinit { destroyReader(context.handle, reader) }

  /// Whether a geometry is valid.
  func isValid(_ wkt: String) throws -> Bool {
    try with(wkt) { isValid(context.handle, $0) == 1 }
  }

  /// Whether a predicate holds for two geometries that are not collections.
  func holds(_ predicate: String, _ one: String, _ other: String) throws -> Bool {
    try with(one) { a in
      try with(other) { b in
        guard let answer = predicates[predicate]?(context.handle, a, b), answer < 2 else {
          throw context.failure(predicate)
        }
        return answer == 1
      }
    }
  }

  /// The intersection matrix of two geometries that are not collections.
  func matrix(_ one: String, _ other: String) throws -> String {
    try with(one) { a in
      try with(other) { b in
        guard let text = relate(context.handle, a, b) else { throw context.failure("relate") }
        defer { free(text) }
        return String(cString: text)
      }
    }
  }

  /// The area and the length of what is left of a geometry without others, taken one by one.
  func remainder(of wkt: String, without others: [String]) throws -> Double {
    try remainder(of: wkt, without: others[...])
  }

  private func remainder(of wkt: String, without others: ArraySlice<String>) throws -> Double {
    try with(wkt) { try measure($0, without: others) }
  }

  private func measure(_ geometry: Handle, without others: ArraySlice<String>) throws -> Double {
    guard let other = others.first else {
      var (area, length) = (0.0, 0.0)
      _ = points.area(context.handle, geometry, &area)
      _ = points.length(context.handle, geometry, &length)
      return max(area, length)
    }
    return try with(other) { other in
      guard let rest = difference(context.handle, geometry, other) else {
        throw context.failure("subtract")
      }
      defer { context.library.destroy(context.handle, rest) }
      return try measure(rest, without: others.dropFirst())
    }
  }

  private func with<Result>(_ wkt: String, _ body: (Handle) throws -> Result) throws -> Result {
    guard let geometry = read(context.handle, reader, wkt) else {
      throw context.failure("read \(wkt)")
    }
    defer { context.library.destroy(context.handle, geometry) }
    return try body(geometry)
  }
}
