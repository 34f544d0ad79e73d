"""What every project scores: hypotheses, and the references of each."""

HYPOTHESES = [
    "The dog bit the man.",
    "It was not surprising.",
    "The man had just bitten him, 2.5 times.",
]
REFERENCES = [
    ["The dog bit the man.", "The dog had bit the man."],
    ["It was not unexpected.", "No one was surprised."],
    ["The man bit him first.", "The man had bitten the dog 2.5 times."],
]
LONG = "the cat sat on the mat and looked at the dog that had bitten the man"

INPUTS = {
    "three segments": (HYPOTHESES, REFERENCES),
    "one reference": (HYPOTHESES, [several[:1] for several in REFERENCES]),
    "one segment": (HYPOTHESES[2:], REFERENCES[2:]),
    "equal": ([LONG, LONG.upper()], [[LONG], [LONG.upper()]]),
    "no match": (["a b c d e f"], [["u v w x y z"]]),
    "an empty hypothesis": (["", LONG], [[LONG, "x"], [LONG, "y"]]),
    "only an empty hypothesis": ([""], [[LONG]]),
    "an empty reference": ([LONG, "x"], [["", ""], ["x", ""]]),
    "more references for one": (HYPOTHESES[:2], [REFERENCES[0], REFERENCES[1][:1]]),
    "short": (["a", "a b", "a b c"], [["a"], ["a b"], ["a b d"]]),
    "long": (
        [f"{LONG} . {LONG}", LONG.replace("cat", "dog")],
        [[f"{LONG} , {LONG}"], [LONG]],
    ),
    "chinese": (
        ["他从不相信别人说的话。", "这是2024年的测试。"],
        [["他从来不相信别人的话。", "他不信。"], ["这是2024年的考试。", "测试。"]],
    ),
    "japanese and korean": (
        ["猫がマットに座った。", "고양이가 앉았다."],
        [["猫は座った。"], ["고양이가 앉았다."]],
    ),
    "odd characters": (
        [
            "don't &amp; &quot;x&quot; <skipped> 1,000.5-3",
            "a\u00a0b\u2028c\u200bd e\u0301 \U0001f600",
        ],
        [['don\'t & "x" 1,000.5 - 3'], ["a b c d é \U0001f600"]],
    ),
    "whitespace": (["  a  b\tc d ", "e f g h\n"], [["a b c d"], ["e f  g h"]]),
}
