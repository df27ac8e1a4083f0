import CairnGeometry
import CairnModelTestSupport
import CairnObjects
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Stores whose classes do not match the program, and classes of unusual size.
@Suite struct UnusualModelTests {
  @Test func aClassOfTwoHundredProperties() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let realm = try file.realm()
    let wide = Wide()
    for place in 0..<200 { wide.setValue(place, forKey: "p\(place)") }
    try realm.write { realm.add(wide) }
    let found = try #require(realm.objects(Wide.self).where { $0.p199 == 199 && $0.p0 == 0 }.first)
    for place in 0..<200 { #expect(found.value(forKey: "p\(place)") as? Int == place) }
  }
}

/// A class with two hundred properties.
class Wide: Object {
  @Persisted var p0 = 0
  @Persisted var p1 = 0
  @Persisted var p2 = 0
  @Persisted var p3 = 0
  @Persisted var p4 = 0
  @Persisted var p5 = 0
  @Persisted var p6 = 0
  @Persisted var p7 = 0
  @Persisted var p8 = 0
  @Persisted var p9 = 0
  @Persisted var p10 = 0
  @Persisted var p11 = 0
  @Persisted var p12 = 0
  @Persisted var p13 = 0
  @Persisted var p14 = 0
  @Persisted var p15 = 0
  @Persisted var p16 = 0
  @Persisted var p17 = 0
  @Persisted var p18 = 0
  @Persisted var p19 = 0
  @Persisted var p20 = 0
  @Persisted var p21 = 0
  @Persisted var p22 = 0
  @Persisted var p23 = 0
  @Persisted var p24 = 0
  @Persisted var p25 = 0
  @Persisted var p26 = 0
  @Persisted var p27 = 0
  @Persisted var p28 = 0
  @Persisted var p29 = 0
  @Persisted var p30 = 0
  @Persisted var p31 = 0
  @Persisted var p32 = 0
  @Persisted var p33 = 0
  @Persisted var p34 = 0
  @Persisted var p35 = 0
  @Persisted var p36 = 0
  @Persisted var p37 = 0
  @Persisted var p38 = 0
  @Persisted var p39 = 0
  @Persisted var p40 = 0
  @Persisted var p41 = 0
  @Persisted var p42 = 0
  @Persisted var p43 = 0
  @Persisted var p44 = 0
  @Persisted var p45 = 0
  @Persisted var p46 = 0
  @Persisted var p47 = 0
  @Persisted var p48 = 0
  @Persisted var p49 = 0
  @Persisted var p50 = 0
  @Persisted var p51 = 0
  @Persisted var p52 = 0
  @Persisted var p53 = 0
  @Persisted var p54 = 0
  @Persisted var p55 = 0
  @Persisted var p56 = 0
  @Persisted var p57 = 0
  @Persisted var p58 = 0
  @Persisted var p59 = 0
  @Persisted var p60 = 0
  @Persisted var p61 = 0
  @Persisted var p62 = 0
  @Persisted var p63 = 0
  @Persisted var p64 = 0
  @Persisted var p65 = 0
  @Persisted var p66 = 0
  @Persisted var p67 = 0
  @Persisted var p68 = 0
  @Persisted var p69 = 0
  @Persisted var p70 = 0
  @Persisted var p71 = 0
  @Persisted var p72 = 0
  @Persisted var p73 = 0
  @Persisted var p74 = 0
  @Persisted var p75 = 0
  @Persisted var p76 = 0
  @Persisted var p77 = 0
  @Persisted var p78 = 0
  @Persisted var p79 = 0
  @Persisted var p80 = 0
  @Persisted var p81 = 0
  @Persisted var p82 = 0
  @Persisted var p83 = 0
  @Persisted var p84 = 0
  @Persisted var p85 = 0
  @Persisted var p86 = 0
  @Persisted var p87 = 0
  @Persisted var p88 = 0
  @Persisted var p89 = 0
  @Persisted var p90 = 0
  @Persisted var p91 = 0
  @Persisted var p92 = 0
  @Persisted var p93 = 0
  @Persisted var p94 = 0
  @Persisted var p95 = 0
  @Persisted var p96 = 0
  @Persisted var p97 = 0
  @Persisted var p98 = 0
  @Persisted var p99 = 0
  @Persisted var p100 = 0
  @Persisted var p101 = 0
  @Persisted var p102 = 0
  @Persisted var p103 = 0
  @Persisted var p104 = 0
  @Persisted var p105 = 0
  @Persisted var p106 = 0
  @Persisted var p107 = 0
  @Persisted var p108 = 0
  @Persisted var p109 = 0
  @Persisted var p110 = 0
  @Persisted var p111 = 0
  @Persisted var p112 = 0
  @Persisted var p113 = 0
  @Persisted var p114 = 0
  @Persisted var p115 = 0
  @Persisted var p116 = 0
  @Persisted var p117 = 0
  @Persisted var p118 = 0
  @Persisted var p119 = 0
  @Persisted var p120 = 0
  @Persisted var p121 = 0
  @Persisted var p122 = 0
  @Persisted var p123 = 0
  @Persisted var p124 = 0
  @Persisted var p125 = 0
  @Persisted var p126 = 0
  @Persisted var p127 = 0
  @Persisted var p128 = 0
  @Persisted var p129 = 0
  @Persisted var p130 = 0
  @Persisted var p131 = 0
  @Persisted var p132 = 0
  @Persisted var p133 = 0
  @Persisted var p134 = 0
  @Persisted var p135 = 0
  @Persisted var p136 = 0
  @Persisted var p137 = 0
  @Persisted var p138 = 0
  @Persisted var p139 = 0
  @Persisted var p140 = 0
  @Persisted var p141 = 0
  @Persisted var p142 = 0
  @Persisted var p143 = 0
  @Persisted var p144 = 0
  @Persisted var p145 = 0
  @Persisted var p146 = 0
  @Persisted var p147 = 0
  @Persisted var p148 = 0
  @Persisted var p149 = 0
  @Persisted var p150 = 0
  @Persisted var p151 = 0
  @Persisted var p152 = 0
  @Persisted var p153 = 0
  @Persisted var p154 = 0
  @Persisted var p155 = 0
  @Persisted var p156 = 0
  @Persisted var p157 = 0
  @Persisted var p158 = 0
  @Persisted var p159 = 0
  @Persisted var p160 = 0
  @Persisted var p161 = 0
  @Persisted var p162 = 0
  @Persisted var p163 = 0
  @Persisted var p164 = 0
  @Persisted var p165 = 0
  @Persisted var p166 = 0
  @Persisted var p167 = 0
  @Persisted var p168 = 0
  @Persisted var p169 = 0
  @Persisted var p170 = 0
  @Persisted var p171 = 0
  @Persisted var p172 = 0
  @Persisted var p173 = 0
  @Persisted var p174 = 0
  @Persisted var p175 = 0
  @Persisted var p176 = 0
  @Persisted var p177 = 0
  @Persisted var p178 = 0
  @Persisted var p179 = 0
  @Persisted var p180 = 0
  @Persisted var p181 = 0
  @Persisted var p182 = 0
  @Persisted var p183 = 0
  @Persisted var p184 = 0
  @Persisted var p185 = 0
  @Persisted var p186 = 0
  @Persisted var p187 = 0
  @Persisted var p188 = 0
  @Persisted var p189 = 0
  @Persisted var p190 = 0
  @Persisted var p191 = 0
  @Persisted var p192 = 0
  @Persisted var p193 = 0
  @Persisted var p194 = 0
  @Persisted var p195 = 0
  @Persisted var p196 = 0
  @Persisted var p197 = 0
  @Persisted var p198 = 0
  @Persisted var p199 = 0
}
