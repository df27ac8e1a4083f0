/// The first two axes of the coordinate system that an operation begins with.
struct SystemAxes {
  private let first: Axis
  private let second: Axis

  private struct Axis {
    /// `north`, `east` and so on; empty where PROJ does not say.
    var direction = ""
    /// `metre`, `degree`, `US survey foot` and so on; empty where PROJ does not say.
    var unit = ""
  }

  init(of operation: PROJObject) {
    first = Self.axis(0, of: operation)
    second = Self.axis(1, of: operation)
  }

  var beginWithNorth: Bool { first.direction == "north" && second.direction == "east" }

  /// False also where PROJ does not say.
  var areLengths: Bool {
    [first.unit, second.unit].allSatisfy { $0.hasSuffix("metre") || $0.contains("foot") }
  }

  private static func axis(_ index: Int32, of operation: PROJObject) -> Axis {
    let context = operation.context
    let library = context.library
    var (direction, unit): (UnsafePointer<CChar>?, UnsafePointer<CChar>?) = (nil, nil)
    guard
      let source = PROJObject(library.sourceCRS(context.handle, operation.handle), in: context),
      let axes = PROJObject(library.coordinateSystem(context.handle, source.handle), in: context),
      library.axis(
        context.handle, axes.handle, index, nil, nil, &direction, nil, &unit, nil, nil) != 0
    else { return Axis() }
    return Axis(
      direction: direction.map { String(cString: $0) } ?? "",
      unit: unit.map { String(cString: $0) } ?? "")
  }
}
