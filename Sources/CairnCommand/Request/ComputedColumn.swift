import CairnGeometry
import CairnIO
import CairnQuery
import CairnRequest
import CairnStorage
import CairnValues

/// A column of the output that a formula computes: `population / area AS density`.
struct ComputedColumn {
  let name: String
  let formula: BoundFormula
  /// The measures that the formula may read, after the distance.
  private let measures: [GeometryMeasure]
  private let hasDistance: Bool

  /// Parses `FORMULA AS NAME`; nil for a text without a name.
  ///
  /// - Parameter hasDistance: Whether rows have a distance, which formulas may read.
  /// - Throws: A ``PredicateError`` if the formula is not one, or does not fit the class.
  init?(_ text: String, of source: OpenedClass, hasDistance: Bool) throws {
    guard let (formula, name) = Self.split(text) else { return nil }
    self.name = name
    self.hasDistance = hasDistance
    let parsed = try Formula(parsing: formula)
    let distance = hasDistance ? [DistanceColumn.name] : []
    measures = ColumnChoice.measures(of: source.schema)
    self.formula = try parsed.bound(
      to: source.schema, inputs: distance + measures.map(\.rawValue))
  }

  /// Creates the column of a formula of geometries, which needs no measures.
  init(_ name: String, _ formula: BoundFormula) {
    self.name = name
    self.formula = formula
    measures = []
    hasDistance = false
  }

  /// Splits a text at its last `AS`.
  static func split(_ text: String) -> (formula: String, name: String)? {
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    // In `cast(x AS int)`, the word ends the formula, and in `x AS a,b` another column follows.
    guard words.count > 2, words[words.count - 2].uppercased() == "AS",
      let name = words.last, !name.hasSuffix(")"), !name.contains(",")
    else { return nil }
    let formula = text[..<words[words.count - 2].startIndex]
    return (String(formula), String(name))
  }

  /// The column of the output.
  ///
  /// - Parameter index: The index of the column's values among those given with each row.
  func output(_ index: Int) -> OutputColumn {
    OutputColumn(name: name, type: formula.type ?? .string, source: .given(index))
  }

  /// Prepares the evaluation.
  ///
  /// - Parameter distance: The reader of the distance.
  func evaluator(on table: Table, distance: DistanceReader?) throws -> FormulaEvaluator {
    var inputs: [(Int) -> Double?] = hasDistance ? [{ distance?.distance(of: $0) }] : []
    let geometry = table.schema.properties.first(where: \.isGeometry)
    for measure in measures {
      // PROJ is only needed for a formula that measures.
      guard let geometry, formula.reads(input: measure.rawValue) else {
        inputs.append { _ in nil }
        continue
      }
      let (ellipsoid, column) = (try Ellipsoid.wgs84(), table.column(geometry.position))
      inputs.append { key in
        let chunk = column.chunk(RowAddress(key).chunk)
        let row = RowAddress(key).row
        return chunk.isNull(row) ? nil : measure.value(chunk.geometry(at: row), on: ellipsoid)
      }
    }
    return FormulaEvaluator(formula, on: table, inputs: inputs)
  }
}

/// The values of computed columns, for a batch of rows at a time.
struct ComputedValues {
  private let names: [String]
  private let table: Table
  private let evaluators: [FormulaEvaluator]
  /// The columns of the batch that was computed last.
  private(set) var results: [FormulaVector] = []

  /// - Parameter distance: The reader of the distance.
  init(_ columns: [ComputedColumn], on table: Table, distance: DistanceReader?) throws {
    self.table = table
    names = columns.map(\.name)
    evaluators = try columns.map { try $0.evaluator(on: table, distance: distance) }
  }

  /// Whether there are no columns.
  var isEmpty: Bool { evaluators.isEmpty }

  /// The greatest number of rows in a batch.
  var batchSize: Int { evaluators.isEmpty ? 1 : FormulaVector.capacity }

  /// Computes the columns of a batch of rows.
  ///
  /// - Throws: A data failure that names the column and the row.
  mutating func compute(_ keys: [Int]) throws {
    results = []
    for (name, evaluator) in zip(names, evaluators) {
      do throws(FormulaError) {
        results.append(try evaluator.evaluate(keys[...]))
      } catch {
        throw Failure(
          .badData,
          message: "--select \(name): \(error.message), in \(table.name(ofRow: error.key))")
      }
    }
  }

  /// Whether a computed column of a row of the batch is null.
  func isNull(_ column: Int, row: Int) -> Bool { results[column].isNull(row) }

  /// The value of a computed column of a row of the batch.
  func value(_ column: Int, row: Int) -> Value { results[column].value(row) }
}
