/// Canonical equivalence (Unicode Standard Annex #15) beyond letters with marks, which
/// ``MarkedLetters`` has: syllables of Hangul and their letters, vowel signs of two parts, and
/// characters that are another one, such as the compatibility ideographs.
///
/// Derived with Python's `unicodedata`, of Unicode 14.
package enum CanonicalForms {
  /// The first code point that is equivalent to others.
  package static let first: UInt32 = 0x374

  /// Returns the code point that a code point is equivalent to, or the code point itself.
  package static func single(_ value: UInt32) -> UInt32 {
    switch value {
    case 0xF900...0xFAD9, 0x2F800...0x2FA1D: ideographs[value] ?? value
    case 0x374...0x232A: singles[value] ?? value
    default: value
    }
  }

  /// Returns the code point that two are equivalent to, one after the other.
  package static func composed(_ first: UInt32, _ second: UInt32) -> UInt32? {
    switch second {
    case Hangul.vowels where Hangul.initials.contains(first):
      let index = (first - Hangul.initials.lowerBound) * Hangul.vowelCount
      return Hangul.syllables.lowerBound
        + (index + second - Hangul.vowels.lowerBound) * Hangul.finalCount
    case Hangul.finals where Hangul.isOpen(first):
      return first + second - Hangul.finals.lowerBound + 1
    case 0x9BE, 0x9D7, 0xB3E, 0xB57, 0xBBE, 0xBD7, 0xCD5, 0xD3E, 0xD57, 0xDCF, 0xDDF, 0x1B35,
      0x1133E, 0x11357, 0x114B0, 0x114BD, 0x115AF, 0x11930, 0x1D165, 0x1D16E, 0x1D16F,
      0x1D170, 0x1D171, 0x1D172:
      return composites[UInt64(first) << 32 | UInt64(second)]
    default: return nil
    }
  }

  /// Returns the two code points that one is equivalent to, of which the first may have parts, too.
  package static func parts(of value: UInt32) -> (UInt32, UInt32)? {
    guard Hangul.syllables.contains(value) else { return parts[value] }
    let index = value - Hangul.syllables.lowerBound
    let final = index % Hangul.finalCount
    guard final == 0 else { return (value - final, Hangul.finals.lowerBound + final - 1) }
    let (initial, vowel) = (index / Hangul.finalCount)
      .quotientAndRemainder(dividingBy: Hangul.vowelCount)
    return (Hangul.initials.lowerBound + initial, Hangul.vowels.lowerBound + vowel)
  }

  /// The letters of Hangul, and its syllables in the order of their letters: the last letter, which a
  /// syllable may lack, changes fastest.
  private enum Hangul {
    static let syllables: ClosedRange<UInt32> = 0xAC00...0xD7A3
    static let initials: ClosedRange<UInt32> = 0x1100...0x1112
    static let vowels: ClosedRange<UInt32> = 0x1161...0x1175
    static let finals: ClosedRange<UInt32> = 0x11A8...0x11C2
    static let vowelCount: UInt32 = 21
    /// The number of last letters, and none.
    static let finalCount: UInt32 = 28

    /// Whether a code point is a syllable without a last letter.
    static func isOpen(_ value: UInt32) -> Bool {
      syllables.contains(value) && (value - syllables.lowerBound) % finalCount == 0
    }
  }

  /// Two code points and the one that they are equivalent to. Pairs with a nonspacing mark are
  /// missing: marks are removed before.
  private static let pairs: [(UInt32, UInt32, UInt32)] = [
    (0x9C7, 0x9BE, 0x9CB), (0x9C7, 0x9D7, 0x9CC), (0xB47, 0xB3E, 0xB4B), (0xB47, 0xB57, 0xB4C),
    (0xB92, 0xBD7, 0xB94), (0xBC6, 0xBBE, 0xBCA), (0xBC7, 0xBBE, 0xBCB), (0xBC6, 0xBD7, 0xBCC),
    (0xCC2, 0xCD5, 0xCCB), (0xD46, 0xD3E, 0xD4A), (0xD47, 0xD3E, 0xD4B), (0xD46, 0xD57, 0xD4C),
    (0xDD9, 0xDCF, 0xDDC), (0xDD9, 0xDDF, 0xDDE), (0x1B05, 0x1B35, 0x1B06),
    (0x1B07, 0x1B35, 0x1B08), (0x1B09, 0x1B35, 0x1B0A), (0x1B0B, 0x1B35, 0x1B0C),
    (0x1B0D, 0x1B35, 0x1B0E), (0x1B11, 0x1B35, 0x1B12), (0x1B3E, 0x1B35, 0x1B40),
    (0x1B3F, 0x1B35, 0x1B41), (0x11347, 0x1133E, 0x1134B), (0x11347, 0x11357, 0x1134C),
    (0x114B9, 0x114B0, 0x114BC), (0x114B9, 0x114BD, 0x114BE), (0x115B8, 0x115AF, 0x115BA),
    (0x115B9, 0x115AF, 0x115BB), (0x11935, 0x11930, 0x11938), (0x1D157, 0x1D165, 0x1D15E),
    (0x1D158, 0x1D165, 0x1D15F), (0x1D15F, 0x1D16E, 0x1D160), (0x1D15F, 0x1D16F, 0x1D161),
    (0x1D15F, 0x1D170, 0x1D162), (0x1D15F, 0x1D171, 0x1D163), (0x1D15F, 0x1D172, 0x1D164),
    (0x1D1B9, 0x1D165, 0x1D1BB), (0x1D1BA, 0x1D165, 0x1D1BC), (0x1D1BB, 0x1D16E, 0x1D1BD),
    (0x1D1BC, 0x1D16E, 0x1D1BE), (0x1D1BB, 0x1D16F, 0x1D1BF), (0x1D1BC, 0x1D16F, 0x1D1C0),
  ]

  private static let composites = Dictionary(
    uniqueKeysWithValues: pairs.map { (UInt64($0) << 32 | UInt64($1), $2) })

  private static let parts = Dictionary(uniqueKeysWithValues: pairs.map { ($2, ($0, $1)) })

  private static let singles: [UInt32: UInt32] = [
    0x374: 0x2B9, 0x37E: 0x3B, 0x387: 0xB7, 0xDDD: 0xDDC, 0x1FBE: 0x3B9, 0x1FEF: 0x60, 0x1FFD: 0xB4,
    0x2000: 0x2002, 0x2001: 0x2003, 0x2126: 0x3A9, 0x212A: 0x4B, 0x2329: 0x3008, 0x232A: 0x3009,
  ]

  /// The unified ideographs of the compatibility ideographs.
  private static let ideographs: [UInt32: UInt32] = {
    var map: [UInt32: UInt32] = [:]
    for (first, unified) in compatibility {
      for (value, scalar) in zip(first..., unified.unicodeScalars) { map[value] = scalar.value }
    }
    return map
  }()

  /// The compatibility ideographs of the unified ones.
  private static let variants = Dictionary(grouping: ideographs.keys) { ideographs[$0] ?? $0 }

  /// Ranges of compatibility ideographs, and the unified ideographs of each.
  private static let compatibility: [(UInt32, String)] = [
    (
      0xF900,
      """
      豈更車賈滑串句龜龜契金喇奈懶癩羅蘿螺裸邏樂洛烙珞落酪駱亂卵欄爛蘭鸞嵐濫藍襤拉臘蠟廊朗浪狼\
      郎來冷勞擄櫓爐盧老蘆虜路露魯鷺碌祿綠菉錄鹿論壟弄籠聾牢磊賂雷壘屢樓淚漏累縷陋勒肋凜凌稜綾\
      菱陵讀拏樂諾丹寧怒率異北磻便復不泌數索參塞省葉說殺辰沈拾若掠略亮兩凉梁糧良諒量勵呂女廬旅\
      濾礪閭驪麗黎力曆歷轢年憐戀撚漣煉璉秊練聯輦蓮連鍊列劣咽烈裂說廉念捻殮簾獵令囹寧嶺怜玲瑩羚\
      聆鈴零靈領例禮醴隸惡了僚寮尿料樂燎療蓼遼龍暈阮劉杻柳流溜琉留硫紐類六戮陸倫崙淪輪律慄栗率\
      隆利吏履易李梨泥理痢罹裏裡里離匿溺吝燐璘藺隣鱗麟林淋臨立笠粒狀炙識什茶刺切度拓糖宅洞暴輻\
      行降見廓兀嗀
      """
    ),
    (0xFA10, "塚"),
    (0xFA12, "晴"),
    (0xFA15, "凞猪益礼神祥福靖精羽"),
    (0xFA20, "蘒"),
    (0xFA22, "諸"),
    (0xFA25, "逸都"),
    (
      0xFA2A,
      """
      飯飼館鶴郞隷侮僧免勉勤卑喝嘆器塀墨層屮悔慨憎懲敏既暑梅海渚漢煮爫琢碑社祉祈祐祖祝禍禎穀突\
      節練縉繁署者臭艹艹著褐視謁謹賓贈辶逸難響頻恵𤋮舘
      """
    ),
    (
      0xFA70,
      """
      並况全侀充冀勇勺喝啕喙嗢塚墳奄奔婢嬨廒廙彩徭惘慎愈憎慠懲戴揄搜摒敖晴朗望杖歹殺流滛滋漢瀞\
      煮瞧爵犯猪瑱甆画瘝瘟益盛直睊着磌窱節类絛練缾者荒華蝹襁覆視調諸請謁諾諭謹變贈輸遲醙鉶陼難\
      靖韛響頋頻鬒龜𢡊𢡄𣏕㮝䀘䀹𥉉𥳐𧻓齃龎
      """
    ),
    (
      0x2F800,
      """
      丽丸乁𠄢你侮侻倂偺備僧像㒞𠘺免兔兤具𠔜㒹內再𠕋冗冤仌冬况𩇟凵刃㓟刻剆割剷㔕勇勉勤勺包匆北\
      卉卑博即卽卿卿卿𠨬灰及叟𠭣叫叱吆咞吸呈周咢哶唐啓啣善善喙喫喳嗂圖嘆圗噑噴切壮城埴堍型堲報\
      墬𡓤売壷夆多夢奢𡚨𡛪姬娛娧姘婦㛮㛼嬈嬾嬾𡧈寃寘寧寳𡬘寿将当尢㞁屠屮峀岍𡷤嵃𡷦嵮嵫嵼巡巢㠯\
      巽帨帽幩㡢𢆃㡼庰庳庶廊𪎒廾𢌱𢌱舁弢弢㣇𣊸𦇚形彫㣣徚忍志忹悁㤺㤜悔𢛔惇慈慌慎慌慺憎憲憤憯懞\
      懲懶成戛扝抱拔捐𢬌挽拼捨掃揤𢯱搢揅掩㨮摩摾撝摷㩬敏敬𣀊旣書晉㬙暑㬈㫤冒冕最暜肭䏙朗望朡杞\
      杓𣏃㭉柺枅桒梅𣑭梎栟椔㮝楂榣槪檨𣚣櫛㰘次𣢧歔㱎歲殟殺殻𣪍𡴋𣫺汎𣲼沿泍汧洖派海流浩浸涅𣴞洴\
      港湮㴳滋滇𣻑淹潮𣽞𣾎濆瀹瀞瀛㶖灊災灷炭𠔥煅𤉣熜𤎫爨爵牐𤘈犀犕𤜵𤠔獺王㺬玥㺸㺸瑇瑜瑱璅瓊㼛\
      甤𤰶甾𤲒異𢆟瘐𤾡𤾸𥁄㿼䀈直𥃳𥃲𥄙𥄳眞真真睊䀹瞋䁆䂖𥐝硎碌磌䃣𥘦祖𥚚𥛅福秫䄯穀穊穏𥥼𥪧𥪧竮\
      䈂𥮫篆築䈧𥲀糒䊠糨糣紀𥾆絣䌁緇縂繅䌴𦈨𦉇䍙𦋙罺𦌾羕翺者𦓚𦔣聠𦖨聰𣍟䏕育脃䐋脾媵𦞧𦞵𣎓𣎜舁\
      舄辞䑫芑芋芝劳花芳芽苦𦬼若茝荣莭茣莽菧著荓菊菌菜𦰶𦵫𦳕䔫蓱蓳蔖𧏊蕤𦼬䕝䕡𦾱𧃒䕫虐虜虧虩蚩\
      蚈蜎蛢蝹蜨蝫螆䗗蟡蠁䗹衠衣𧙧裗裞䘵裺㒻𧢮𧥦䚾䛇誠諭變豕𧲨貫賁贛起𧼯𠠄跋趼跰𠣞軔輸𨗒𨗭邔郱\
      鄑𨜮鄛鈸鋗鋘鉼鏹鐕𨯺開䦕閷𨵷䧦雃嶲霣𩅅𩈚䩮䩶韠𩐊䪲𩒖頋頋頩𩖶飢䬳餩馧駂駾䯎𩬰鬒鱀鳽䳎䳭鵧\
      𪃎䳸𪄅𪈎𪊑麻䵖黹黾鼅鼏鼖鼻𪘀
      """
    ),
  ]
}

// MARK: Words

extension CanonicalForms {
  /// Returns the other forms of a word in UTF-8 that are equivalent to it: with all code points
  /// composed, with all decomposed, and with compatibility ideographs. Most words have none.
  package static func otherForms(of word: [UInt8]) -> [[UInt8]] {
    guard word.contains(where: { $0 >= 0xE0 }) else { return [] }
    let units = String(decoding: word, as: UTF8.self).unicodeScalars.map { single($0.value) }
    let composed = compose(units)
    var forms = [composed, composed.flatMap(decompose)]
    if composed.count == 1 { forms += (variants[composed[0]] ?? []).sorted().map { [$0] } }
    return forms.map(utf8).filter { $0 != word }.reduce(into: []) { all, form in
      if !all.contains(form) { all.append(form) }
    }
  }

  private static func compose(_ units: [UInt32]) -> [UInt32] {
    units.reduce(into: []) { all, unit in
      if let last = all.last, let both = composed(last, unit) {
        all[all.count - 1] = both
      } else {
        all.append(unit)
      }
    }
  }

  /// Returns the code points that one consists of.
  package static func decompose(_ unit: UInt32) -> [UInt32] {
    guard let (first, second) = parts(of: unit) else { return [unit] }
    return decompose(first) + [second]
  }

  private static func utf8(_ units: [UInt32]) -> [UInt8] {
    units.compactMap(Unicode.Scalar.init).flatMap { Array(String($0).utf8) }
  }
}
