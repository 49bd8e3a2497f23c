//! Sentences of Japanese news: the grammar and the endings are real, the words are not.

use super::draw::{any, often, zipf};
use crate::experiments::SampleRandom;

/// Characters of the made-up words.
const KANJI: &str = "日本国会政府首相大臣経済財務外交省庁長官議員党自民公明社共産主義案法律改正予算補助金融銀行株式市場取引企業業界団体\
    組合労働者雇用失業率景気対策構造革命地方都市県町村知事選挙投票率候補当落教育学校大学生徒児童研究所科学技術開発原子力発電所電気通信\
    情報放送新聞記事報道関係機関警察官署逮捕容疑被告人裁判判決控訴最高検事件事故死亡負傷病院医師患者手術治療薬品保険年金福祉介護高齢化\
    少子女性男子家族住宅土地建設道路鉄道航空機運輸交通安全保障防衛隊米軍基地中韓露欧州連合国際協力援助支持反対批判要求交渉合意条約\
    締結平和戦争核兵器実験環境温暖化汚染農林水産漁業食料輸入出口貿易黒字赤円相場上昇下落横浜東京大阪名古屋福岡札幌仙台広島神戸京都";

/// Kana of the made-up loanwords.
const KATAKANA: &str =
    "アイウエオカキクケコサシスセソタチツテトナニノハヒフヘホマミムメモラリルレロンーグズドブプ";

const SURNAMES: [&str; 16] = [
    "小泉", "森", "田中", "福田", "塩川", "石原", "竹中", "鈴木", "山崎", "麻生", "橋本", "加藤",
    "野中", "柳沢", "扇", "蔦",
];

const TITLES: [&str; 10] = [
    "首相",
    "外相",
    "官房長官",
    "財務相",
    "幹事長",
    "知事",
    "教授",
    "社長",
    "容疑者",
    "さん",
];

const ENDINGS: [&str; 16] = [
    "した",
    "と述べた",
    "としている",
    "との考えを示した",
    "ことを明らかにした",
    "と語った",
    "方針を固めた",
    "ことが分かった",
    "ものとみられる",
    "を求めている",
    "と発表した",
    "に合意した",
    "を検討している",
    "意向を示している",
    "姿勢を示した",
    "ことになった",
];

const OPENINGS: [&str; 10] = [
    "これに対し、",
    "また、",
    "しかし、",
    "このため、",
    "一方、",
    "さらに、",
    "関係者によると、",
    "同省によると、",
    "この日の会見で、",
    "調べによると、",
];

const PARTICLES: [&str; 8] = ["の", "を", "に", "が", "と", "で", "は", "も"];

/// Vocabulary of news, frequent words first.
pub(super) struct Japanese {
    words: Vec<String>,
}

impl Japanese {
    /// Draws a vocabulary.
    pub fn new(random: &mut SampleRandom) -> Japanese {
        let kanji: Vec<char> = KANJI.chars().filter(|c| !c.is_whitespace()).collect();
        let kana: Vec<char> = KATAKANA.chars().collect();
        let word = |_| {
            let (of, len) = match random.below(8) {
                0 => (&kana, 3 + random.below(4)),
                1 => (&kanji, 3 + random.below(2)),
                _ => (&kanji, 2),
            };
            (0..len).map(|_| *any(of, random)).collect()
        };
        Japanese {
            words: (0..8_000).map(word).collect(),
        }
    }

    fn word(&self, random: &mut SampleRandom) -> &str {
        often::<String>(&self.words, random)
    }

    /// Returns a person with a title, such as Prime Minister Koizumi.
    pub fn person(&self, random: &mut SampleRandom) -> String {
        let title = often(&TITLES, random);
        format!("{}{title}", often(&SURNAMES, random))
    }

    /// Returns the subject of a story: longer than most n-grams.
    pub fn phrase(&self, random: &mut SampleRandom) -> String {
        let rare = |random: &mut SampleRandom| any(&self.words, random).as_str();
        format!(
            "{}{}の元{}・{}",
            rare(random),
            rare(random),
            rare(random),
            self.person(random)
        )
    }

    /// A headline.
    pub fn headline(&self, random: &mut SampleRandom) -> String {
        let mut headline = format!("{}、", self.person(random));
        for _ in 0..2 + random.below(3) {
            headline += self.word(random);
            headline += *any(&["", "の", "を", "へ"], random);
        }
        headline + *any(&["否定", "検討", "決定", "発表", "逮捕", "合意"], random)
    }

    /// Returns paragraphs of about this many characters in total.
    pub fn paragraphs(
        &self,
        length: usize,
        phrase: &str,
        random: &mut SampleRandom,
    ) -> Vec<String> {
        let (mut paragraphs, mut written) = (Vec::new(), 0);
        while written < length {
            let mut paragraph = "\u{3000}".to_owned();
            for at in 0..1 + random.below(3) {
                self.sentence(&mut paragraph, written == 0 && at == 0, phrase, random);
            }
            written += paragraph.chars().count();
            paragraphs.push(paragraph);
        }
        paragraphs
    }

    fn sentence(&self, out: &mut String, first: bool, phrase: &str, random: &mut SampleRandom) {
        if first {
            let day = ["一", "二", "三", "八", "十", "十五", "二十", "二十三"];
            *out += &format!(
                "{}は{}日、{}で",
                self.person(random),
                any(&day, random),
                self.word(random)
            );
        } else if random.chance(0.4) {
            *out += *often(&OPENINGS, random);
        } else if random.chance(0.15) {
            *out += &format!("{}は", self.person(random));
        } else if random.chance(0.15) {
            *out += &format!("{phrase}は");
        }
        for at in 0..4 + random.below(10) {
            *out += self.word(random);
            *out += PARTICLES[zipf(PARTICLES.len(), random)];
            if at % 5 == 4 && random.chance(0.5) {
                *out += "、";
            }
        }
        *out += self.word(random);
        *out += *often(&ENDINGS, random);
        *out += "。";
    }
}
