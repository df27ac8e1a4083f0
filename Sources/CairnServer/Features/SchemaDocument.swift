import CairnRequest
import CairnStorage
import CairnValues

/// The properties of a collection as a JSON Schema.
struct SchemaDocument {
  /// The properties that a document describes.
  enum Purpose: String {
    /// All of them.
    case schema
    /// The properties that filters can use.
    case queryables
    /// The properties that items can be sorted by.
    case sortables
  }

  private let collection: Collection
  private let purpose: Purpose

  init(_ collection: Collection, purpose: Purpose) {
    self.collection = collection
    self.purpose = purpose
  }

  private var columns: [ColumnSchema] {
    switch purpose {
    case .schema: collection.schema.properties
    case .queryables: collection.schema.queryables
    case .sortables: collection.schema.sortables
    }
  }

  var document: Document {
    let columns = columns
    let title =
      switch purpose {
      case .schema: "The properties of \(collection.name)"
      case .queryables: "The properties of \(collection.name) that filters can use"
      case .sortables: "The properties that \(collection.name) can be sorted by"
      }
    let json: JSON = [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": .string(collection.url + "/" + purpose.rawValue),
      "type": "object", "title": .string(title),
      "properties": .object(rowNumber + columns.map { ($0.name, property($0)) }),
      "additionalProperties": false,
    ]
    return Document(title: title, json: json, trail: [.collections, .collection(collection.name)]) {
      page in
      page.table(["name", "type"], rows: columns.map { [$0.name, $0.typeName] })
    }
  }

  /// The identifier of the items of a class without a primary key, which is not a property.
  private var rowNumber: [(String, JSON)] {
    guard purpose == .schema, collection.schema.primaryKey == nil else { return [] }
    let isTaken = columns.contains { $0.name == "id" }
    return [
      (
        isTaken ? "fid" : "id",
        [
          "title": "The number of the row", "type": "integer", "readOnly": true,
          "x-ogc-role": "id", "x-ogc-propertySeq": 0,
        ]
      )
    ]
  }

  private func property(_ column: ColumnSchema) -> JSON {
    let schema = collection.schema
    var json = JSON.object([("title", .string(column.name))]).adding(column.jsonType)
    if column.position == schema.spatialColumn?.position {
      json = json.adding(["x-ogc-role": "primary-geometry"])
    }
    if column.position == schema.dateColumn?.position {
      json = json.adding(["x-ogc-role": "primary-instant"])
    }
    if column.isPrimaryKey { json = json.adding(["x-ogc-role": "id"]) }
    let index = schema.properties.firstIndex { $0.position == column.position } ?? 0
    return json.adding(["x-ogc-propertySeq": .int(index + 1)])
  }
}

extension ColumnSchema {
  /// The members of a JSON Schema that describe the type.
  var jsonType: KeyValuePairs<String, JSON> {
    switch collection {
    case .list, .set: return ["type": "array"]
    case .map: return ["type": "object"]
    case .none: break
    }
    switch type {
    case .bool: return ["type": "boolean"]
    case .int: return ["type": "integer"]
    case .float, .double, .decimal128: return ["type": "number"]
    case .string, .data, .objectId: return ["type": "string"]
    case .uuid: return ["type": "string", "format": "uuid"]
    case .date: return ["type": "string", "format": "date-time"]
    case .point: return ["format": "geometry-point"]
    case .lineString: return ["format": "geometry-linestring-or-multilinestring"]
    case .polygon: return ["format": "geometry-polygon-or-multipolygon"]
    case .geometry, .box: return ["format": "geometry-any"]
    case .embedded: return ["type": "object"]
    case .link: return ["type": ["object", "string", "integer", "null"]]
    case .mixed:
      return ["type": ["boolean", "integer", "number", "string", "object", "array", "null"]]
    }
  }
}
