import CairnSystem
import Testing

@testable import CairnParquet

@Suite struct WKBExtentTests {
  @Test func singlesLieOutside() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<10_000 {
      let x = Double.random(in: -180...180, using: &random)
      let y = Double.random(in: -90...90, using: &random)
      let box = WKBExtent(x: x, y: y, hasAltitude: false).singles
      #expect(Double(box.xmin) <= x && x <= Double(box.xmax))
      #expect(Double(box.ymin) <= y && y <= Double(box.ymax))
      #expect(box.xmin.nextUp.nextUp >= box.xmax && box.ymin.nextUp.nextUp >= box.ymax)
    }
  }

  @Test func whatASingleHoldsIsExact() {
    let box = WKBExtent(x: 7.5, y: -46.25, hasAltitude: true).singles
    #expect(box.xmin == 7.5 && box.xmax == 7.5 && box.ymin == -46.25 && box.ymax == -46.25)
  }
}
