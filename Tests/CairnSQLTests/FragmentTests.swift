import CairnSQL
import Testing

@Suite struct FragmentTests {
  @Test func valuesBecomeParametersOrLiterals() {
    let condition: SQLFragment = "\(name: "a\"ge") > \(value: .int(5))"
    let statement = condition.statement(.postgis)
    #expect(statement.text == "\"a\"\"ge\" > $1::bigint")
    #expect(statement.parameters == [.int(5)])
    #expect(condition.text(.duckdb) == "\"a\"\"ge\" > 5")
    #expect(condition.statement(.sedona).text == "`a\"ge` > 5")
    #expect(condition.statement(.sedona).parameters == [])
  }
}
