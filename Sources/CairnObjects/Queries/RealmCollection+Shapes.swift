import CairnGeometry
import CairnQuery
import CairnStorage

/// Shapes that the locations or geometries of objects make together, as of the present snapshot.
extension RealmCollection where Element: ObjectBase {
  /// Returns the shape that the locations or geometries of the objects make together; nil without any.
  ///
  ///     let country = try districts.where { $0.country == "CH" }.shape(as: .coverage)
  ///
  /// - Parameters:
  ///   - property: the location or geometry; nil for the first of the class.
  ///   - aggregate: the shape. A line leads through locations in the order of the collection.
  /// - Throws: ``Realm/Error`` if the class has no such property, or a geometry does not fit the shape.
  /// - Complexity: O(*n* log *n*) in the number of vertices, on all cores.
  public func shape(
    of property: PartialKeyPath<Element>? = nil, as aggregate: GeometryAggregate
  ) throws -> Geometry? {
    let rows = try storedRows()
    return try rows.shapes(of: property, as: aggregate, groups: [rows.keys]) { _ in "" }.first
      ?? nil
  }

  /// Returns the shape that the objects with each value of a property make together. Groups without a
  /// location or geometry have none.
  ///
  ///     let tracks = try fixes.sorted(by: \.time).shapes(by: \.ship, as: .line)
  ///     let regions = try districts.shapes(by: \.region, as: .union)
  ///
  /// - Parameters:
  ///   - property: the location or geometry; nil for the first of the class.
  ///   - key: the property to group by.
  ///   - aggregate: the shape. A line leads through locations in the order of the collection.
  /// - Throws: ``Realm/Error`` if the class has no such property, or a geometry does not fit the shape.
  /// - Complexity: O(*n* log *n*) in the number of vertices, on all cores.
  public func shapes<Key: Hashable>(
    of property: PartialKeyPath<Element>? = nil, by key: KeyPath<Element, Key>,
    as aggregate: GeometryAggregate
  ) throws -> [Key: Geometry] {
    let rows = try storedRows()
    var names: [Key] = []
    var groups: [[Int]] = []
    var numbers: [Key: Int] = [:]
    for (object, row) in zip(self, rows.keys) {
      let name = object[keyPath: key]
      let number = numbers[name] ?? names.count
      if number == names.count {
        numbers[name] = number
        names.append(name)
        groups.append([])
      }
      groups[number].append(row)
    }
    let shapes = try rows.shapes(of: property, as: aggregate, groups: groups) { group in
      "the group \(names[group]): "
    }
    var result: [Key: Geometry] = [:]
    for (name, shape) in zip(names, shapes) { result[name] = shape }
    return result
  }
}

extension StoredRows {
  /// The keys of the rows, in order.
  var keys: [Int] {
    var keys: [Int] = []
    forEachKey { key in
      keys.append(key)
      return true
    }
    return keys
  }

  /// Returns the location or geometry that a key path leads to; the first one of the class for nil.
  ///
  /// - Throws: ``Realm/Error`` if the class has no such property.
  func spatialColumn<Element: ObjectBase>(of property: PartialKeyPath<Element>?) throws
    -> ColumnSchema
  {
    do throws(SpatialColumnError) {
      return try table.schema.spatialColumn(named: property.map { PropertyNames.path(of: $0) })
    } catch {
      let name = property.map { "'\(PropertyNames.path(of: $0))'" } ?? "any property"
      throw Realm.Error(
        .fail,
        description: "\(name) of class '\(table.schema.name)' is not a location or geometry")
    }
  }

  /// The shapes of groups of rows.
  ///
  /// - Parameter name: Returns the beginning of the message for a failure of a group.
  fileprivate func shapes<Element: ObjectBase>(
    of property: PartialKeyPath<Element>?, as aggregate: GeometryAggregate, groups: [[Int]],
    name: (Int) -> String
  ) throws -> [Geometry?] {
    let column = table.column(try spatialColumn(of: property).position)
    let present = groups.map { keys in
      keys.filter { !column.chunk(RowAddress($0).chunk).isNull(RowAddress($0).row) }
    }
    do {
      return try GroupShapes(aggregate, of: column).shapes(of: present) { _ in }
    } catch let error as GroupShapes.GroupFailure {
      throw Realm.Error(.fail, description: name(error.group) + error.cause.message)
    }
  }
}
