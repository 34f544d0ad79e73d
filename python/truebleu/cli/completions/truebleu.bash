# Completion of truebleu for bash. Written by docs/command/make.py.
_truebleu() {
    local current=${COMP_WORDS[COMP_CWORD]} option= options= values= first= place
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "score segments compare explain report plot audit reproduce tokenize data mbr mtme completion --help --version" -- "$current"))
        return
    fi
    for ((place = COMP_CWORD - 1; place > 1; place--)); do
        if [[ ${COMP_WORDS[place]} == -?* ]]; then
            option=${COMP_WORDS[place]}
            break
        fi
    done
    case ${COMP_WORDS[1]} in
    score)
        options="-r --references -t --test-set -l --language-pair --text --hypothesis-column --reference-column --where --group-by -m --metrics --metric --dialect -tok --tokenizer --unicode-form -lc --lowercase --max-order --weights --smoothing --smooth-value --effective-order --no-effective-order --reference-length --phantom-ngrams --chrf-char-order --chrf-word-order --chrf-beta --chrf-whitespace --chrf-lowercase --chrf-eps-smoothing --ter-normalized --ter-no-punct --ter-asian-support --ter-case-sensitive -f --format --latex-float -b --score-only -w --width --fail-under --confidence --n-resamples --interval --confidence-level --seed --legacy --documents -h --help --threads -q --quiet --require-checksum"
        first=""
        case $option in
        -t|--test-set) values="wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train" ;;
        -m|--metrics|--metric) values="bleu chrf chrf++ ter" ;;
        --dialect) values="sacrebleu nltk huggingface torchmetrics moses mteval-v13a tensorflow-nmt tensor2tensor fairseq compare-mt keras papineni skip-zero" ;;
        -tok|--tokenizer) values="13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm" ;;
        --unicode-form) values="NFC NFD NFKC NFKD" ;;
        --smoothing) values="add-k compare-mt exp floor lin-och method0 method1 method2 method3 method4 method5 method6 method7 nist none skip-zero" ;;
        --reference-length) values="closest closest-first shortest longest average" ;;
        -f|--format) values="text json jsonl tsv markdown latex html" ;;
        --interval) values="bca expanded-percentile" ;;
        --legacy) values="sacrebleu" ;;
        --text|-lc|--lowercase|--effective-order|--no-effective-order|--phantom-ngrams|--chrf-whitespace|--chrf-lowercase|--chrf-eps-smoothing|--ter-normalized|--ter-no-punct|--ter-asian-support|--ter-case-sensitive|--latex-float|-b|--score-only|--confidence|-h|--help|-q|--quiet|--require-checksum) option= ;;
        esac
        ;;
    segments)
        options="-r --references -t --test-set -l --language-pair --hypothesis-column --reference-column --where -m --metrics --metric --dialect -tok --tokenizer --unicode-form -lc --lowercase --max-order --weights --smoothing --smooth-value --effective-order --no-effective-order --reference-length --phantom-ngrams --chrf-char-order --chrf-word-order --chrf-beta --chrf-whitespace --chrf-lowercase --chrf-eps-smoothing --ter-normalized --ter-no-punct --ter-asian-support --ter-case-sensitive -f --format --latex-float -w --width -h --help --threads -q --quiet --require-checksum"
        first=""
        case $option in
        -t|--test-set) values="wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train" ;;
        -m|--metrics|--metric) values="bleu chrf chrf++ ter" ;;
        --dialect) values="sacrebleu nltk huggingface torchmetrics moses mteval-v13a tensorflow-nmt tensor2tensor fairseq compare-mt keras papineni skip-zero" ;;
        -tok|--tokenizer) values="13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm" ;;
        --unicode-form) values="NFC NFD NFKC NFKD" ;;
        --smoothing) values="add-k compare-mt exp floor lin-och method0 method1 method2 method3 method4 method5 method6 method7 nist none skip-zero" ;;
        --reference-length) values="closest closest-first shortest longest average" ;;
        -f|--format) values="tsv text json jsonl markdown latex html" ;;
        -lc|--lowercase|--effective-order|--no-effective-order|--phantom-ngrams|--chrf-whitespace|--chrf-lowercase|--chrf-eps-smoothing|--ter-normalized|--ter-no-punct|--ter-asian-support|--ter-case-sensitive|--latex-float|-h|--help|-q|--quiet|--require-checksum) option= ;;
        esac
        ;;
    compare)
        options="-r --references -t --test-set -l --language-pair --hypothesis-column --reference-column --where -m --metrics --metric --dialect -tok --tokenizer --unicode-form -lc --lowercase --max-order --weights --smoothing --smooth-value --effective-order --no-effective-order --reference-length --phantom-ngrams --chrf-char-order --chrf-word-order --chrf-beta --chrf-whitespace --chrf-lowercase --chrf-eps-smoothing --ter-normalized --ter-no-punct --ter-asian-support --ter-case-sensitive -f --format --latex-float --baseline --test --n-trials --alpha --alternative --n-resamples --interval --confidence-level --seed --legacy --documents --detectable --sort-pairs --only-significant --pairs-with --p-matrix -h --help --threads -q --quiet --require-checksum"
        first=""
        case $option in
        -t|--test-set) values="wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train" ;;
        -m|--metrics|--metric) values="bleu chrf chrf++ ter" ;;
        --dialect) values="sacrebleu nltk huggingface torchmetrics moses mteval-v13a tensorflow-nmt tensor2tensor fairseq compare-mt keras papineni skip-zero" ;;
        -tok|--tokenizer) values="13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm" ;;
        --unicode-form) values="NFC NFD NFKC NFKD" ;;
        --smoothing) values="add-k compare-mt exp floor lin-och method0 method1 method2 method3 method4 method5 method6 method7 nist none skip-zero" ;;
        --reference-length) values="closest closest-first shortest longest average" ;;
        -f|--format) values="text json jsonl tsv markdown latex html" ;;
        --test) values="approximate-randomization bootstrap" ;;
        --alternative) values="two-sided better" ;;
        --interval) values="bca expanded-percentile" ;;
        --legacy) values="sacrebleu" ;;
        --sort-pairs) values="rank difference p name" ;;
        -lc|--lowercase|--effective-order|--no-effective-order|--phantom-ngrams|--chrf-whitespace|--chrf-lowercase|--chrf-eps-smoothing|--ter-normalized|--ter-no-punct|--ter-asian-support|--ter-case-sensitive|--latex-float|--detectable|--only-significant|--p-matrix|-h|--help|-q|--quiet|--require-checksum) option= ;;
        esac
        ;;
    explain)
        options="-r --references -t --test-set -l --language-pair --text --segment --hypothesis-column --reference-column --where -m --metric --metrics --dialect -tok --tokenizer --unicode-form -lc --lowercase --max-order --weights --smoothing --smooth-value --effective-order --no-effective-order --reference-length --phantom-ngrams --chrf-char-order --chrf-word-order --chrf-beta --chrf-whitespace --chrf-lowercase --chrf-eps-smoothing --ter-normalized --ter-no-punct --ter-asian-support --ter-case-sensitive -f --format --latex-float -h --help --threads -q --quiet --require-checksum"
        first=""
        case $option in
        -t|--test-set) values="wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train" ;;
        -m|--metric|--metrics) values="bleu chrf chrf++ ter" ;;
        --dialect) values="sacrebleu nltk huggingface torchmetrics moses mteval-v13a tensorflow-nmt tensor2tensor fairseq compare-mt keras papineni skip-zero" ;;
        -tok|--tokenizer) values="13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm" ;;
        --unicode-form) values="NFC NFD NFKC NFKD" ;;
        --smoothing) values="add-k compare-mt exp floor lin-och method0 method1 method2 method3 method4 method5 method6 method7 nist none skip-zero" ;;
        --reference-length) values="closest closest-first shortest longest average" ;;
        -f|--format) values="text json jsonl tsv markdown latex html" ;;
        --text|-lc|--lowercase|--effective-order|--no-effective-order|--phantom-ngrams|--chrf-whitespace|--chrf-lowercase|--chrf-eps-smoothing|--ter-normalized|--ter-no-punct|--ter-asian-support|--ter-case-sensitive|--latex-float|-h|--help|-q|--quiet|--require-checksum) option= ;;
        esac
        ;;
    report)
        options="--sources -r --references -t --test-set -l --language-pair --domains --hypothesis-column --reference-column --where -m --metrics --metric --dialect -tok --tokenizer --unicode-form -lc --lowercase --max-order --weights --smoothing --smooth-value --effective-order --no-effective-order --reference-length --phantom-ngrams --chrf-char-order --chrf-word-order --chrf-beta --chrf-whitespace --chrf-lowercase --chrf-eps-smoothing --ter-normalized --ter-no-punct --ter-asian-support --ter-case-sensitive -o --output --source-lang --target-lang --title --baseline --test --n-trials --alpha --alternative --n-resamples --interval --confidence-level --seed --legacy --documents -h --help --threads -q --quiet --require-checksum"
        first=""
        case $option in
        -t|--test-set) values="wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train" ;;
        -m|--metrics|--metric) values="bleu chrf chrf++ ter" ;;
        --dialect) values="sacrebleu nltk huggingface torchmetrics moses mteval-v13a tensorflow-nmt tensor2tensor fairseq compare-mt keras papineni skip-zero" ;;
        -tok|--tokenizer) values="13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm" ;;
        --unicode-form) values="NFC NFD NFKC NFKD" ;;
        --smoothing) values="add-k compare-mt exp floor lin-och method0 method1 method2 method3 method4 method5 method6 method7 nist none skip-zero" ;;
        --reference-length) values="closest closest-first shortest longest average" ;;
        --test) values="approximate-randomization bootstrap" ;;
        --alternative) values="two-sided better" ;;
        --interval) values="bca expanded-percentile" ;;
        --legacy) values="sacrebleu" ;;
        -lc|--lowercase|--effective-order|--no-effective-order|--phantom-ngrams|--chrf-whitespace|--chrf-lowercase|--chrf-eps-smoothing|--ter-normalized|--ter-no-punct|--ter-asian-support|--ter-case-sensitive|-h|--help|-q|--quiet|--require-checksum) option= ;;
        esac
        ;;
    plot)
        options="-r --references -t --test-set -l --language-pair --domains --hypothesis-column --reference-column --where -m --metric --metrics --dialect -tok --tokenizer --unicode-form -lc --lowercase --max-order --weights --smoothing --smooth-value --effective-order --no-effective-order --reference-length --phantom-ngrams --chrf-char-order --chrf-word-order --chrf-beta --chrf-whitespace --chrf-lowercase --chrf-eps-smoothing --ter-normalized --ter-no-punct --ter-asian-support --ter-case-sensitive -o --output --pair --baseline --test --n-trials --alpha --alternative --n-resamples --interval --confidence-level --seed --legacy --documents -h --help --size --threads -q --quiet --require-checksum"
        first="scores precisions penalty sentences lengths documents domains segments influence ngrams frequency"
        case $option in
        -t|--test-set) values="wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train" ;;
        -m|--metric|--metrics) values="bleu chrf chrf++ ter" ;;
        --dialect) values="sacrebleu nltk huggingface torchmetrics moses mteval-v13a tensorflow-nmt tensor2tensor fairseq compare-mt keras papineni skip-zero" ;;
        -tok|--tokenizer) values="13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm" ;;
        --unicode-form) values="NFC NFD NFKC NFKD" ;;
        --smoothing) values="add-k compare-mt exp floor lin-och method0 method1 method2 method3 method4 method5 method6 method7 nist none skip-zero" ;;
        --reference-length) values="closest closest-first shortest longest average" ;;
        --test) values="approximate-randomization bootstrap" ;;
        --alternative) values="two-sided better" ;;
        --interval) values="bca expanded-percentile" ;;
        --legacy) values="sacrebleu" ;;
        --size) values="column page" ;;
        -lc|--lowercase|--effective-order|--no-effective-order|--phantom-ngrams|--chrf-whitespace|--chrf-lowercase|--chrf-eps-smoothing|--ter-normalized|--ter-no-punct|--ter-asian-support|--ter-case-sensitive|-h|--help|-q|--quiet|--require-checksum) option= ;;
        esac
        ;;
    audit)
        options="-r --references -t --test-set -l --language-pair --hypothesis-column --reference-column --where -m --metric --metrics --explain -f --format --latex-float -h --help --threads -q --quiet --require-checksum"
        first=""
        case $option in
        -t|--test-set) values="wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train" ;;
        -m|--metric|--metrics) values="bleu chrf" ;;
        -f|--format) values="text json jsonl tsv markdown latex html" ;;
        --latex-float|-h|--help|-q|--quiet|--require-checksum) option= ;;
        esac
        ;;
    reproduce)
        options="-r --references -t --test-set -l --language-pair -m --metric --metrics --target --tokenizers --limit -f --format --latex-float -h --help --threads -q --quiet --require-checksum"
        first=""
        case $option in
        -t|--test-set) values="wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train" ;;
        -m|--metric|--metrics) values="bleu chrf" ;;
        --tokenizers) values="13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm" ;;
        -f|--format) values="text json jsonl tsv markdown latex html" ;;
        --latex-float|-h|--help|-q|--quiet|--require-checksum) option= ;;
        esac
        ;;
    tokenize)
        options="-tok --tokenizer --unicode-form -lc --lowercase -f --format --latex-float --offsets -h --help --threads -q --quiet --require-checksum"
        first=""
        case $option in
        -tok|--tokenizer) values="13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm" ;;
        --unicode-form) values="NFC NFD NFKC NFKD" ;;
        -f|--format) values="text json jsonl tsv markdown latex html" ;;
        -lc|--lowercase|--latex-float|--offsets|-h|--help|-q|--quiet|--require-checksum) option= ;;
        esac
        ;;
    data)
        options="-l --language-pair -f --format --latex-float -h --help -q --quiet --require-checksum"
        first="list show get add verify"
        case $option in
        -f|--format) values="text json jsonl tsv markdown latex html" ;;
        --latex-float|-h|--help|-q|--quiet|--require-checksum) option= ;;
        esac
        ;;
    mbr)
        options="--input-format --method -m --metric --metrics --dialect -tok --tokenizer --unicode-form -lc --lowercase --max-order --weights --smoothing --smooth-value --effective-order --no-effective-order --reference-length --phantom-ngrams --chrf-char-order --chrf-word-order --chrf-beta --chrf-whitespace --chrf-lowercase --chrf-eps-smoothing --ter-normalized --ter-no-punct --ter-asian-support --ter-case-sensitive -f --format --latex-float -h --help --threads -q --quiet --require-checksum"
        first=""
        case $option in
        --input-format) values="jsonl tsv moses" ;;
        --method) values="exact aggregated" ;;
        -m|--metric|--metrics) values="bleu chrf chrf++ ter" ;;
        --dialect) values="sacrebleu nltk huggingface torchmetrics moses mteval-v13a tensorflow-nmt tensor2tensor fairseq compare-mt keras papineni skip-zero" ;;
        -tok|--tokenizer) values="13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm" ;;
        --unicode-form) values="NFC NFD NFKC NFKD" ;;
        --smoothing) values="add-k compare-mt exp floor lin-och method0 method1 method2 method3 method4 method5 method6 method7 nist none skip-zero" ;;
        --reference-length) values="closest closest-first shortest longest average" ;;
        -f|--format) values="text json jsonl tsv markdown latex html" ;;
        -lc|--lowercase|--effective-order|--no-effective-order|--phantom-ngrams|--chrf-whitespace|--chrf-lowercase|--chrf-eps-smoothing|--ter-normalized|--ter-no-punct|--ter-asian-support|--ter-case-sensitive|--latex-float|-h|--help|-q|--quiet|--require-checksum) option= ;;
        esac
        ;;
    mtme)
        options="-l --language-pair --systems -r --references --only -m --metrics --metric --dialect -tok --tokenizer --unicode-form -lc --lowercase --max-order --weights --smoothing --smooth-value --effective-order --no-effective-order --reference-length --phantom-ngrams --chrf-char-order --chrf-word-order --chrf-beta --chrf-whitespace --chrf-lowercase --chrf-eps-smoothing --ter-normalized --ter-no-punct --ter-asian-support --ter-case-sensitive -o --output --name --overwrite -f --format --latex-float -h --help --threads -q --quiet --require-checksum"
        first=""
        case $option in
        --only) values="sys domain doc seg" ;;
        -m|--metrics|--metric) values="bleu chrf chrf++ ter" ;;
        --dialect) values="sacrebleu nltk huggingface torchmetrics moses mteval-v13a tensorflow-nmt tensor2tensor fairseq compare-mt keras papineni skip-zero" ;;
        -tok|--tokenizer) values="13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm" ;;
        --unicode-form) values="NFC NFD NFKC NFKD" ;;
        --smoothing) values="add-k compare-mt exp floor lin-och method0 method1 method2 method3 method4 method5 method6 method7 nist none skip-zero" ;;
        --reference-length) values="closest closest-first shortest longest average" ;;
        -f|--format) values="text json jsonl tsv markdown latex html" ;;
        -lc|--lowercase|--effective-order|--no-effective-order|--phantom-ngrams|--chrf-whitespace|--chrf-lowercase|--chrf-eps-smoothing|--ter-normalized|--ter-no-punct|--ter-asian-support|--ter-case-sensitive|--overwrite|--latex-float|-h|--help|-q|--quiet|--require-checksum) option= ;;
        esac
        ;;
    completion)
        options="-h --help -q --quiet --require-checksum"
        first="bash zsh fish"
        case $option in
        -h|--help|-q|--quiet|--require-checksum) option= ;;
        esac
        ;;
    esac
    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$current"))
    elif [[ -n $values ]]; then
        COMPREPLY=($(compgen -W "$values" -- "$current"))
    elif ((COMP_CWORD == 2)); then
        COMPREPLY=($(compgen -W "$first" -- "$current"))
    fi
}
complete -o bashdefault -o default -F _truebleu truebleu
