import CairnQuery
import CairnStorage
import CairnTestSupport

/// An execution on one thread or, for even the smallest piece of work, on several.
func execution(
  _ query: TableQuery, _ table: Table, _ random: inout SplitMix64
) throws -> Execution {
  try Execution(
    query, on: table,
    thresholds: random.pick([.worthwhile, ParallelismThresholds(chunks: 0, rows: 0, bestChunks: 0)])
  )
}
