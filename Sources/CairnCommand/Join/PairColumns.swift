import CairnIO
import CairnQuery
import CairnRequest
import CairnStorage
import CairnValues

/// The columns of pairs of rows.
struct PairColumns {
  var columns: [OutputColumn]
  /// The columns that formulas compute, whose values have the indexes after that of the distance.
  let computed: [PairFormula]
}

/// A column that a formula computes of both rows of a pair, such as
/// `azimuth(ships.position, ports.location) AS course`.
struct PairFormula {
  let name: String
  fileprivate let formula: BoundFormula
  private let hasDistance: Bool

  /// Parses `FORMULA AS NAME`; nil for a text without a name.
  init?(_ text: String, of sides: JoinSides) throws(PredicateError) {
    guard let (formula, name) = ComputedColumn.split(text) else { return nil }
    self.name = name
    hasDistance = sides.hasDistance
    let (left, right) = (sides.left, sides.right)
    self.formula = try Formula(parsing: formula).bound(
      toPairsOf: (left.name, left.source.schema), and: (right.name, right.source.schema),
      inputs: hasDistance ? [DistanceColumn.name] : [])
  }

  /// The column of the output.
  ///
  /// - Parameter index: The index of the column's values among those given with each row.
  func output(_ index: Int) -> OutputColumn {
    OutputColumn(name: name, type: formula.type ?? .string, source: .given(index))
  }

  fileprivate func evaluator(
    on sides: JoinSides, distance: @escaping (Int) -> Double?
  ) -> FormulaEvaluator {
    FormulaEvaluator(
      formula, onPairsOf: sides.left.source.table, and: sides.right.source.table,
      inputs: hasDistance ? [distance] : [])
  }
}

/// The values of computed columns, for a batch of pairs at a time.
final class PairValues {
  private let names: [String]
  private let sides: JoinSides
  private let distance: (JoinPair) -> Double?
  private var evaluators: [FormulaEvaluator] = []
  private var batch: ArraySlice<JoinPair> = []
  private var results: [FormulaVector] = []

  /// - Parameter distance: Returns the distance of a pair.
  init(
    _ columns: [PairFormula], of sides: JoinSides, distance: @escaping (JoinPair) -> Double?
  ) {
    names = columns.map(\.name)
    self.sides = sides
    self.distance = distance
    evaluators = columns.map {
      $0.evaluator(on: sides) { [unowned self] index in
        self.distance(batch[batch.startIndex + index])
      }
    }
  }

  /// The greatest number of pairs in a batch.
  var batchSize: Int { FormulaVector.capacity }

  /// Computes the columns of a batch of pairs.
  ///
  /// - Throws: A data failure that names the column and the rows.
  func compute(_ batch: ArraySlice<JoinPair>) throws {
    self.batch = batch
    results = []
    guard !evaluators.isEmpty else { return }
    let (left, right) = (batch.map(\.left), batch.map(\.right))
    for (name, evaluator) in zip(names, evaluators) {
      do throws(FormulaError) {
        results.append(try evaluator.evaluate(left, and: right))
      } catch {
        let pair = batch[batch.startIndex + error.key]
        let rows = [
          sides.left.source.table.name(ofRow: pair.left),
          pair.right.map { sides.right.source.table.name(ofRow: $0) },
        ]
        throw Failure(
          .badData,
          message: "--select \(name): \(error.message), in "
            + rows.compactMap { $0 }.joined(separator: " and "))
      }
    }
  }

  /// The value of a computed column of a pair of the batch.
  func value(_ column: Int, row: Int) -> Value { results[column].value(row) }
}
