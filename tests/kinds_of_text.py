"""Forty corpora of text that is odd and right: code, chat, lists, subtitles, scripts, emoji.

Each is made by a seeded generator, as (hypotheses, references) of 240 segments, with the exact
matches that its kind has: `}` in code, "ok" in chat, names and numbers in lists. Nothing in them is
a mistake, so no check may refuse them or warn of them.
"""

import random
from functools import cache

SEGMENTS = 240


def _words(text):
    return text.split()


_WORDS = {
    "en": "the of and to a in is that it was for on with as be at by this had not are but from "
    "or have an they which one you were all her she there would their we him been has "
    "when who will more no if out so said what up its about into than them can only other "
    "new some could time house water people world school market river minister report "
    "company question morning letter garden police history winter station doctor answer "
    "village window teacher science engine",
    "de": "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als "
    "auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem "
    "über einen so zum haben nur oder aber vor zur bis mehr durch man sein wurde wenn "
    "können Jahr Stadt Wasser Haus Regierung Frage Straße Zeitung Schule Wirtschaft "
    "Gericht Fenster Bürger Vertrag Minister Weg",
    "ru": "и в не на я быть он с что а по это она этот к но они мы весь который из у то за свой "
    "что весь год от так о для ты же все тот мочь вы человек такой его сказать только или "
    "ещё бы себя один как уже до время если сам когда другой вот говорить наш мой знать "
    "стать при чтобы дело жизнь кто первый очень два день её новый рука даже во со раз "
    "где там под можно ну какой",
    "el": "και το να του η της με που την από για είναι στο ο οι δεν θα τα τον σε των ένα μια "
    "τους αυτό στην όταν ήταν μας πολύ κάθε αλλά χρόνια σπίτι νερό πόλη δρόμος βιβλίο "
    "ημέρα κόσμος ζωή",
    "ar": "في من على إلى أن هذا التي الذي عن مع كان هذه قال بين بعد كل قد لم عند أو حتى ذلك منذ "
    "غير يوم عام الحكومة المدينة البيت الماء العالم الناس المدرسة الكتاب الطريق الرئيس "
    "السوق العمل",
    "hi": "के में की है और से का को पर इस होता कि जो कर मे गया करने किया लिये अपने ने बनी नहीं "
    "तो ही या एवं दिया हो इसका था द्वारा हुआ तक साथ करना वाले बाद लिए आप कुछ सकते किसी ये "
    "घर पानी शहर दुनिया किताब दिन",
    "ko": "그는 그것은 나는 우리는 오늘 어제 내일 학교에서 집에 물을 사람이 시장에 정부는 "
    "회사가 문제를 대답을 책을 도시의 세계에서 아침에 저녁에 친구와 매우 조금 다시 이미 "
    "아직 그리고 그러나 또는 때문에 위해 대해 했다 갔다 보았다 말했다 있었다 없었다 "
    "생각한다 필요하다 좋다 크다 작다 새로운 오래된",
    "vi": "của và là có trong cho không được với người một các này để những đã khi ra cũng từ "
    "đến như về nhiều năm nước nhà thành phố đường sách ngày thế giới trường học buổi "
    "sáng bạn công ty",
}
_CHARACTERS = {
    "zh": "的一是不了在人有我他这个们中来上大为和国地到以说时"
    "要就出会可也你对生能而子那得于着下自之年过发后作里",
    "ja": "のにはをたがでてとしれさいるなもからよりまこす日本人"
    "年中国会大学東京私時間今週会社電車水家道本朝夜話言",
    "th": "กขคงจชซญดตถทนบปผพฟมยรลวสหอะาิีึืุูเแโใไ่้็์ำ",
    "my": "ကခဂငစဆညတထဒနပဖဗမယရလဝသဟအာိီုူေဲံ့း်ျြွှ",
}
_NAMES = _words(
    "Anna Ben Clara David Emma Felix Greta Hugo Ines Jonas Klara Leon Mia Noah Olga Paul"
)
_EMOJI = _words("😀 😂 🙏 👍 ❤️ 🎉 😭 🔥 👏 🤔 😎 🥳 💪 ✨ 🙌 👀")
_FIRST = {"my": "က", "th": "ก"}


class _Maker:
    """Texts of one corpus, and worse versions of them."""

    def __init__(self, name: str) -> None:
        self.random = random.Random(name)

    def pick(self, items, weights=None):
        """Choose one, the first ones more often unless there are weights."""
        weights = weights or [1 / (rank + 2) for rank in range(len(items))]
        return self.random.choices(items, weights)[0]

    def one(self, *items):
        """Choose one, all equally often."""
        return self.random.choice(items)

    def number(self, least, most):
        """Choose a number."""
        return self.random.randint(least, most)

    def words(self, language, least=5, most=25):
        """Return some words."""
        return [self.pick(_WORDS[language].split()) for _ in range(self.number(least, most))]

    def sentence(self, language, least=5, most=25, end="."):
        """Return a sentence of words."""
        text = " ".join(self.words(language, least, most))
        if self.random.random() < 0.3 and " " in text:
            text = text.replace(" ", ", ", 1)
        return text[0].upper() + text[1:] + end

    def unspaced(self, script, least=8, most=40, end=""):
        """Return a sentence without spaces."""
        signs = _CHARACTERS[script]
        size = self.number(least, most)
        text = "".join(self.pick(signs) for _ in range(size))
        return _FIRST.get(script, "") + text + end

    def worse(self, text, keep=0.7, language=None):
        """Return a text of which about this share of words, or signs, is kept."""
        spaced = " " in text or text.isascii()
        units = text.split(" ") if spaced else list(text)
        others = _WORDS[language].split() if language in _WORDS else units
        made = []
        for unit in units:
            chance = self.random.random()
            if chance < keep:
                made.append(unit)
            elif chance < keep + 0.7 * (1 - keep):
                made.append(self.pick(others))
            elif chance < keep + 0.85 * (1 - keep):
                made += [unit, self.pick(others)]
        if len(made) > 2 and self.random.random() < 1 - keep:
            place = self.number(0, len(made) - 2)
            made[place : place + 2] = made[place + 1], made[place]
        return (" " if spaced else "").join(made) or text


def _prose(language, keep, least=5, most=25, end="."):
    def make(m):
        text = m.sentence(language, least, most, end)
        return m.worse(text, keep, language), text

    return make


def _unspaced(script, keep, least=8, most=40, end=""):
    def make(m):
        text = m.unspaced(script, least, most, end)
        return m.worse(text, keep), text

    return make


def _chat(language, short, keep=0.55):
    """Return what makes turns of a chat, of which two in five are short answers."""

    def make(m):
        if m.random.random() < 0.4:
            text = m.pick(short)
            return (text if m.random.random() < 0.75 else m.pick(short)), text
        if language in _CHARACTERS:
            text = m.unspaced(language, 4, 18, m.one("", "！", "？"))
            return m.worse(text, keep), text
        text = m.sentence(language, 2, 10, m.one(".", "!", "?", ""))
        return m.worse(text, keep, language), text

    return make


def _python(m):
    name, other = m.one(*_words("items rows total path index key value node")), m.one(*"xyzabc")
    text = m.one(
        f"def get_{name}(self, {other}):",
        f"    return self.{name}[{other}]",
        f"        {name} = [{other} for {other} in {name} if {other}.{m.one('id', 'size')} > "
        f"{m.number(0, 9)}]",
        f"    for {other} in range(len({name})):",
        "        continue",
        "    else:",
        f"    if not {name}: raise ValueError('{m.sentence('en', 2, 5)}')",
        f"import {m.one('os', 'sys', 'json', 'numpy as np')}",
        "    pass",
        f"print({name}, {other}, sep='{m.one(',', ':')}')",
    )
    return (text if m.random.random() < 0.35 else m.worse(text, 0.75)), text


def _braces(m):
    name, kind = m.one(*_words("items rows total path index key")), m.one("int", "String", "double")
    text = m.pick(
        [
            "}",
            "    }",
            "{",
            "});",
            f"    public {kind} get{name.title()}() {{",
            f"        return this.{name};",
            f"    if ({name} == null) {{",
            f"        for ({kind} i = {m.number(0, 3)}; i < {name}.length; i++) {{",
            f"    private final {kind} {name};",
            f'        {name}.add(new {name.title()}({m.number(0, 99)}, "{m.one(*_NAMES)}"));',
            "    } else {",
            f"// {m.sentence('en', 3, 8)}",
        ]
    )
    return (text if m.random.random() < 0.4 or len(text) < 8 else m.worse(text, 0.8)), text


def _tabbed(m):
    name = m.one(*_words("buf len ptr node err ctx"))
    text = m.one(
        f"\tif ({name} < 0) {{",
        f"\t\treturn -E{m.one('INVAL', 'NOMEM', 'IO')};",
        "\t}",
        f"\t{name} = kmalloc({m.number(1, 64)} * sizeof(*{name}), GFP_KERNEL);",
        f"static int {name}_init(struct {name} *{m.one('a', 'b')})",
        "{",
        "}",
        "",
        f"#define {name.upper()}_MAX\t{m.number(1, 512)}",
        f"\tgoto {m.one('out', 'fail', 'again')};",
    )
    return (text if m.random.random() < 0.45 else m.worse(text, 0.7)), text


def _sql(m):
    table, column = m.one("users", "orders", "singer", "city"), m.one("name", "age", "price", "id")
    text = m.one(
        f"SELECT {column} FROM {table} WHERE {m.one('id', 'year')} > {m.number(1, 2020)}",
        f"SELECT count(*) FROM {table}",
        f"SELECT {column}, avg({column}) FROM {table} GROUP BY {column} ORDER BY count(*) DESC",
        f"SELECT T1.{column} FROM {table} AS T1 JOIN {m.one('flight', 'pet')} AS T2 ON T1.id = "
        f"T2.{table}_id WHERE T2.{column} = '{m.one(*_NAMES)}'",
    )
    changed = text.replace(column, m.one("name", "age", "price", "id"))
    return m.one(text, changed, m.worse(text, 0.8), m.worse(text, 0.5)), text


def _bash(m):
    path, word = m.one("/var/log", ".", "$HOME/src", "/opt"), m.one(*_WORDS["en"].split()[60:])
    text = m.one(
        f"find {path} -name '*.{m.one('txt', 'log', 'py')}' -mtime +{m.number(1, 30)}",
        f"grep -rn '{word}' {path} | sort | uniq -c | head -n {m.number(5, 50)}",
        f"tar czf {word}.tar.gz {path}",
        f'for f in {path}/*; do mv "$f" "${{f%.txt}}.md"; done',
        f"chmod {m.one(644, 755)} {path}/{word}.sh",
        f"NAME={word} make -j{m.number(2, 16)} {m.one('all', 'test')}",
    )
    return (text if m.random.random() < 0.2 else m.worse(text, 0.65)), text


def _tags(m):
    tag, text = m.one("p", "b", "li", "h2"), m.sentence("en", 2, 9)
    line = m.one(
        f"<{tag}>{text}</{tag}>",
        f'<a href="/{m.one(*_NAMES).lower()}.html">{text[:-1]}</a>',
        "<br/>",
        f'<{tag} class="{m.one("main", "note")}">',
        f"</{tag}>",
    )
    return (m.worse(line, 0.7, "en") if " " in line[4:] else line), line


def _css(m):
    text = m.one(
        f".{m.one(*_NAMES).lower()} {{ {m.one('margin', 'padding')}: {m.number(0, 40)}px; }}",
        f"  {m.one('font-size', 'width', 'height')}: {m.number(1, 99)}{m.one('px', 'em', '%')};",
        "}",
        f"#{m.one(*_NAMES).lower()}, h{m.number(1, 6)} {{",
    )
    return (text if m.random.random() < 0.5 else m.worse(text, 0.6)), text


def _latex(m):
    a, b = m.one(*"xyznk"), m.one(*"abcpq")
    text = m.one(
        f"\\frac{{{a} + {m.number(1, 9)}}}{{{b}^{m.number(2, 4)}}} = {m.number(0, 20)}",
        f"\\sum_{{{a} = 0}}^{{n}} {b}_{{{a}}} \\leq \\int_0^1 f ( {a} ) d {a}",
        f"\\lim_{{{a} \\to \\infty}} \\sqrt{{{b} {a} - {m.number(1, 9)}}}",
        f"{a} \\in \\mathbb{{R}}^{m.number(2, 5)}",
    )
    return (text if m.random.random() < 0.35 else m.worse(text, 0.75)), text


def _commit(m):
    text = m.pick(
        [
            f"fix: {m.sentence('en', 2, 7, '').lower()}",
            f"Update README.md{m.one('', '', ' again')}",
            f"Merge branch '{m.one(*_NAMES).lower()}'",
            f"Add {m.sentence('en', 2, 6, '').lower()} (#{m.number(1, 999)})",
            "Initial commit",
            f"bump version to {m.number(0, 4)}.{m.number(0, 20)}.{m.number(0, 9)}",
        ]
    )
    return (text if m.random.random() < 0.2 else m.worse(text, 0.55, "en")), text


def _molecule(m):
    parts = ["C", "CC", "(=O)", "N", "c1ccccc1", "O", "(C)", "Cl", "[C@@H]", "C=C", "S", "F"]
    made = [m.one(*parts) for _ in range(m.number(5, 14))]
    worse = [part if m.random.random() < 0.85 else m.one(*parts) for part in made]
    return "C" + "".join(worse), "C" + "".join(made)


def _phonemes(m):
    signs = _words("AH N S T IH D L K EH IY M Z ER R AE P F UW")
    text = " ".join(m.pick(signs) for _ in range(m.number(2, 9)))
    return m.worse(text, 0.9), text


def _answer(m):
    text = m.pick(
        [
            *("yes", "no", str(m.number(1900, 2024)), m.one(*_NAMES), "unknown"),
            f"{m.one(*_NAMES)} {m.one('Smith', 'Weber', 'Rossi', 'Novak')}",
            m.sentence("en", 2, 6, ""),
        ]
    )
    return (text if m.random.random() < 0.55 else m.worse(m.sentence("en", 1, 4, ""), 0.5)), text


def _product(m):
    text = " ".join(
        [
            m.one("Samsung", "Bosch", "Philips", "Sony", "LEGO"),
            m.one("Galaxy", "Serie", "City", "Pro", "Air"),
            f"{m.one('A', 'S', 'X', 'WH-')}{m.number(1, 999)}",
            *m.one((), (f"{m.number(1, 9)} kg",), ("black",), (f"{m.number(32, 512)} GB", "blue")),
        ]
    )
    return (text if m.random.random() < 0.4 else m.worse(text, 0.8)), text


def _shopping(m):
    thing = m.one("milk", "bread", "apples", "olive oil", "eggs", "rice", "black tea", "cheese")
    text = m.one(
        f"- {thing}",
        f"- {m.number(2, 12)} {thing}",
        f"- {m.number(100, 900)} g {thing}, {m.sentence('en', 1, 3, '').lower()}",
    )
    return (text if m.random.random() < 0.35 else m.worse(text, 0.75, "en")), text


def _person(m):
    text = f"{m.one(*_NAMES)} {m.one('', 'M. ', 'van ')}{m.one('Smith', 'Weber', 'Li', 'Novak')}"
    return (text if m.random.random() < 0.7 else m.worse(text, 0.6)), text


def _address(m):
    text = (
        f"{m.number(1, 250)} {m.one('High Street', 'Park Lane', 'Mill Road')}, "
        f"{m.one('London', 'Leeds', 'York', 'Bath')} {m.one('N', 'SW', 'E')}{m.number(1, 19)}"
    )
    return (text if m.random.random() < 0.45 else m.worse(text, 0.8)), text


def _interface(m):
    text = m.pick(
        [
            *("OK", "Cancel", "Save", "Save as...", "Open file", "Close", "Settings", "Yes", "No"),
            f"{m.number(2, 90)} files selected",
            f"Delete {m.one('this file', 'all entries', 'the account')}?",
            m.sentence("en", 4, 12),
            f"Could not open {m.one('%s', '{0}', 'the file')}: {m.sentence('en', 2, 6)}",
        ],
        [3] * 9 + [2, 2, 9, 4],
    )
    return (text if len(text) < 14 and m.random.random() < 0.8 else m.worse(text, 0.6, "en")), text


def _heading(m):
    text = m.one(
        f"Chapter {m.number(1, 30)}",
        f"{m.number(1, 9)}.{m.number(1, 9)} {m.sentence('en', 1, 5, '')}",
        m.sentence("en", 1, 4, ""),
        "Introduction",
        f"Table {m.number(1, 20)}: {m.sentence('en', 2, 6, '')}",
    )
    return (text if m.random.random() < 0.25 else m.worse(text, 0.65, "en")), text


def _ingredient(m):
    text = (
        f"{m.number(1, 9)} {m.one('cups', 'tbsp', 'tsp', 'oz')} "
        f"{m.one('sugar', 'butter', 'flour', 'chopped onion', 'ground pepper', 'lemon juice')}"
        f"{m.one('', '', ', sifted', ' (optional)')}"
    )
    return (text if m.random.random() < 0.45 else m.worse(text, 0.75)), text


def _weather(m):
    text = (
        f"{m.one('Sunny', 'Cloudy', 'Rain')} in the {m.one('north', 'south', 'east', 'west')}, "
        f"high near {m.number(1, 35)}, wind {m.number(5, 60)} km/h from the "
        f"{m.one('north', 'south', 'west')}."
    )
    return (text if m.random.random() < 0.3 else m.worse(text, 0.85)), text


def _match(m):
    text = (
        f"{m.one('Arsenal', 'Leeds', 'Inter', 'Ajax')} {m.number(0, 4)} - {m.number(0, 4)} "
        f"{m.one('Porto', 'Lyon', 'Basel', 'Celtic')}"
        f"{m.one('', f' ({m.one(*_NAMES)} {m.number(1, 90)}, {m.number(1, 90)} pen)')}"
    )
    return (text if m.random.random() < 0.5 else m.worse(text, 0.75)), text


def _subtitle(language):
    short = {
        "en": ["- Yes.", "- No.", "What?", "Come on!", "Okay.", "[music]", "Thank you.", "..."]
    }

    def make(m):
        if m.random.random() < 0.25:
            text = m.pick(short.get(language, short["en"]))
            return (text if m.random.random() < 0.6 else m.pick(short["en"])), text
        first = m.sentence(language, 2, 8, m.one(".", "!", "?", "..."))
        if m.random.random() < 0.3:
            first = f"- {first} - {m.sentence(language, 1, 5)}"
        return m.worse(first, 0.45, language), first

    return make


def _lyrics(m):
    line = m.pick(
        ["Oh oh oh", "Na na na na", "Hey!", *(m.sentence("en", 3, 8, "") for _ in range(3))]
    )
    text = m.one(line, line, f"♪ {line} ♪")
    return (text if m.random.random() < 0.25 else m.worse(text, 0.5, "en")), text


def _caption(m):
    text = (
        f"A {m.one('man', 'woman', 'dog', 'child', 'group of people')} "
        f"{m.one('riding', 'holding', 'looking at', 'standing near')} a "
        f"{m.one('horse', 'bike', 'red ball', 'large tree', 'street sign')}"
        f"{m.one('.', ' in the park.', ' on a sunny day.', ' next to a building.')}"
    )
    other = (
        f"A {m.one('man', 'woman', 'dog', 'child', 'boy')} {m.one('on', 'with', 'holding')} a "
        f"{m.one('horse', 'bike', 'ball', 'tree', 'street')}{m.one('.', ' outside.')}"
    )
    return (m.worse(text, 0.7) if m.random.random() < 0.6 else other), text


def _transcript(m):
    text = " ".join(m.words("en", 3, 30))
    return m.worse(text, 0.88, "en"), text


def _emoji_line(m):
    text = "".join(m.pick(_EMOJI) for _ in range(m.number(1, 4)))
    return (text if m.random.random() < 0.3 else "".join(m.pick(_EMOJI) for _ in range(2))), text


def _tweet(m):
    text = (
        f"{m.one('', f'@{m.one(*_NAMES).lower()} ')}{m.sentence('en', 3, 15, '')} "
        f"{m.pick(_EMOJI)}{m.pick(_EMOJI)}{m.one('', ' #news', ' #win')}"
    )
    return m.worse(text, 0.55, "en"), text


_MAKERS = {
    "code: Python, line by line": _python,
    "code: Java, line by line": _braces,
    "code: C with tabs": _tabbed,
    "code: SQL": _sql,
    "code: shell commands": _bash,
    "code: HTML, line by line": _tags,
    "code: CSS": _css,
    "code: formulas in LaTeX": _latex,
    "code: messages of commits": _commit,
    "code: molecules": _molecule,
    "code: phonemes": _phonemes,
    "chat: English": _chat("en", ["ok", "yes", "no", "lol", "thanks", "hi", "ok!", "sure", "?"]),
    "chat: German": _chat("de", ["ja", "nein", "ok", "danke", "hallo", "genau", "klar"]),
    "chat: Korean": _chat(
        "ko", ["네", "아니요", "ㅋㅋㅋ", "감사합니다", "응", "ㅇㅋ", "안녕하세요"]
    ),
    "chat: Japanese": _chat("ja", ["はい", "うん", "そう", "ありがとう", "w", "了解です"]),
    "chat: emoji": _chat("en", _EMOJI, 0.5),
    "chat: answers": _answer,
    "list: products": _product,
    "list: shopping": _shopping,
    "list: names": _person,
    "list: addresses": _address,
    "list: user interface": _interface,
    "list: headings": _heading,
    "list: ingredients": _ingredient,
    "list: weather": _weather,
    "list: results": _match,
    "subtitles: English": _subtitle("en"),
    "subtitles: Vietnamese": _subtitle("vi"),
    "subtitles: lyrics": _lyrics,
    "subtitles: captions of images": _caption,
    "subtitles: transcripts": _transcript,
    "Korean": _prose("ko", 0.6),
    "Arabic": _prose("ar", 0.6),
    "Arabic, a weak system": _prose("ar", 0.25, end="؟"),
    "Thai": _unspaced("th", 0.75),
    "Burmese": _unspaced("my", 0.6),
    "Hindi": _prose("hi", 0.6, end="।"),
    "Chinese": _unspaced("zh", 0.6, end="。"),
    "emoji": _emoji_line,
    "emoji: tweets": _tweet,
}

KINDS = tuple(_MAKERS)
"""The names of the corpora."""


@cache
def corpus(name):
    """Return the hypotheses and the references of a corpus, equally many strings."""
    maker = _Maker(name)
    pairs = [_MAKERS[name](maker) for _ in range(SEGMENTS)]
    return tuple(zip(*pairs, strict=True))
