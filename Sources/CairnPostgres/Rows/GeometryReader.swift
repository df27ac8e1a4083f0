internal import CairnGeometry
import CairnStorage
import CairnValues

/// Reads EWKB into locations and geometries in WGS 84. For use by one thread.
///
/// It keeps its memory from one value to the next.
final class GeometryReader {
  private let repairs: Bool
  private var builder = GeometryBuilder()
  private var packed: [UInt8] = []
  private var transforms: [Int: CoordinateTransform] = [:]

  /// - Parameter repairs: Whether invalid geometries are repaired; otherwise they are errors.
  init(repairs: Bool) { self.repairs = repairs }

  /// Appends the value of a geometry or geography column. An empty point is null.
  @inline(__always)
  func append(
    _ bytes: UnsafeRawBufferPointer, of column: PostgresColumn, to builder: ColumnBuilder
  ) throws(ValueProblem) {
    if column.type == .point {
      try appendPoint(bytes, srid: column.srid, to: builder)
    } else {
      try appendGeometry(bytes, column, to: builder)
    }
  }

  /// Reads a point, without a builder.
  @inline(__always)
  private func appendPoint(
    _ bytes: UnsafeRawBufferPointer, srid: Int, to target: ColumnBuilder
  ) throws(ValueProblem) {
    let head: GeometryHead
    do throws(GeometryError) { head = try GeometryHead(wkb: bytes) } catch { throw .damaged }
    switch head.content {
    case .empty: target.appendNull()
    case .other: throw .damaged
    case .point(let x, let y, _):
      let point = try location(x, y, in: head.system ?? srid)
      target.append(longitude: point.longitude, latitude: point.latitude)
    }
  }

  private static func outside(_ x: Double, _ y: Double, _ system: Int) -> ValueProblem {
    let advice =
      system == 0
      ? "its values name no SRID, so they are taken for degrees; set one with UpdateGeometrySRID"
      : "latitude and longitude may be swapped"
    return ValueProblem(
      "(\(x), \(y)) is not a longitude and a latitude; \(advice)",
      reason: "a location is out of range")
  }

  private func location(
    _ x: Double, _ y: Double, in system: Int
  ) throws(ValueProblem) -> (longitude: Double, latitude: Double) {
    if system == 4326 || system == 0 {
      let (longitude, latitude) = (EarthLimits.longitude(x), EarthLimits.latitude(y))
      guard longitude.magnitude <= 180, latitude.magnitude <= 90 else {
        throw Self.outside(x, y, system)
      }
      return (longitude, latitude)
    }
    let transform = try transform(system)
    do throws(GeometryError) { return try transform.toWGS84(x: x, y: y) } catch {
      throw Self.untransformed(error)
    }
  }

  private static func untransformed(_ error: GeometryError) -> ValueProblem {
    // Without the library, other rows would fail too.
    ValueProblem(
      error.message, reason: "a coordinate system cannot be transformed",
      isOfRow: error.kind != .missingLibrary && error.kind != .library)
  }

  private func transform(_ system: Int) throws(ValueProblem) -> CoordinateTransform {
    if let transform = transforms[system] { return transform }
    do throws(GeometryError) {
      let transform = try CoordinateTransform("EPSG:\(system)")
      transforms[system] = transform
      return transform
    } catch { throw Self.untransformed(error) }
  }

  private func appendGeometry(
    _ bytes: UnsafeRawBufferPointer, _ column: PostgresColumn, to target: ColumnBuilder
  ) throws(ValueProblem) {
    builder.reset()
    let own: Int?
    do throws(GeometryError) {
      own = try builder.appendWKB(bytes)
    } catch {
      throw ValueProblem(
        "a geometry cannot be read: \(error.message)", reason: "a geometry cannot be read")
    }
    guard builder.vertexCount > 0 else { return target.appendNull() }
    let system = own ?? column.srid
    if system == 4326 || system == 0 {
      builder.removeNoise()
      pack(builder)
    } else {
      try transformPacked(system)
    }
    try check(system)
    try checkKind(column.type)
    packed.withUnsafeBytes { target.append(bytes: $0) }
  }

  private func pack(_ builder: GeometryBuilder) {
    packed.removeAll(keepingCapacity: true)
    builder.encode(into: &packed)
  }

  /// Replaces the packed geometry by one in WGS 84.
  private func transformPacked(_ system: Int) throws(ValueProblem) {
    let transform = try transform(system)
    do throws(GeometryError) {
      var failure: GeometryError?
      builder.withCoordinates { longitudes, latitudes in
        for index in longitudes.indices {
          do throws(GeometryError) {
            let point = try transform.toWGS84(x: longitudes[index], y: latitudes[index])
            (longitudes[index], latitudes[index]) = (point.longitude, point.latitude)
          } catch {
            failure = error
            return
          }
        }
      }
      if let failure { throw failure }
    } catch { throw Self.untransformed(error) }
    pack(builder)
  }

  private func check(_ system: Int) throws(ValueProblem) {
    let fault = packed.withUnsafeBytes { buffer -> GeometryError? in
      do throws(GeometryError) {
        try GeometryView(buffer).validate(edges: .planar)
        return nil
      } catch { return error }
    }
    guard let fault else { return }
    guard repairs else {
      throw ValueProblem(
        "a geometry is invalid: \(fault.message); ST_MakeValid in a view repairs it",
        reason: "a geometry is invalid")
    }
    do throws(GeometryError) {
      packed = try Geometry(packed: packed).repaired().bytes
    } catch {
      throw ValueProblem(
        "a geometry cannot be repaired: \(error.message)",
        reason: "a geometry cannot be repaired", isOfRow: error.kind != .missingLibrary)
    }
  }

  private func checkKind(_ type: ValueType) throws(ValueProblem) {
    let kind = packed.withUnsafeBytes { GeometryView($0).kind }
    let fits =
      switch type {
      case .lineString: kind == .lineString
      case .polygon: kind == .polygon || kind == .multiPolygon
      default: true
      }
    if !fits {
      throw ValueProblem(
        "expected a \(type.name), found a \(kind.geoJSONName)",
        reason: "a geometry is not a \(type.name)")
    }
  }
}
