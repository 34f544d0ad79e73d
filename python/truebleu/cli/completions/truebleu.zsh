#compdef truebleu
# Completion of truebleu for zsh. Written by docs/command/make.py.
_truebleu_metrics() { compadd -- bleu chrf chrf++ ter; _files }
_truebleu_tokenizers() { compadd -- 13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm; _files }
_truebleu_only() { compadd -- sys domain doc seg; _files }
_truebleu() {
    local -a commands=(
        'score:scores of one or more systems'
        'segments:scores of every segment'
        'compare:which system is better, and which differences are significant'
        'explain:how a score is calculated'
        'report:an HTML page on all systems, down to single words'
        'plot:one chart of the report, for a paper'
        'audit:what other tools would report, and why'
        'reproduce:the settings that give a published score'
        'tokenize:the tokens that BLEU compares'
        'data:test sets\: list, download, add and verify them'
        'mbr:the best of several translations, by minimum Bayes risk'
        'mtme:write score files for mt-metrics-eval'
        'completion:a completion script for bash, zsh or fish'
    )
    if ((CURRENT == 2)); then
        _describe command commands
        compadd -- --help --version
        return
    fi
    local command=$words[2]
    shift words
    ((CURRENT--))
    case $command in
    score)
        _arguments \
            '*-r[reference translations, one segment per line]:*-*:REFERENCE:_files' \
            '*--references[reference translations, one segment per line]:*-*:REFERENCE:_files' \
            '*-t[references of a test set, such as wmt24]:NAME:(wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train)' \
            '*--test-set[references of a test set, such as wmt24]:NAME:(wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train)' \
            '*-l[language pair of the test set, such as en-de]:PAIR:_files' \
            '*--language-pair[language pair of the test set, such as en-de]:PAIR:_files' \
            '*--text[SYSTEM and REFERENCE are strings instead of files, each of them one segment]' \
            '*--hypothesis-column[the files are tables, and this column is the output of a system]:COLUMN:_files' \
            '*--reference-column[a column of references, strings or lists of strings]:COLUMN:_files' \
            '*--where[use only the rows that satisfy this condition]:SQL:_files' \
            '*--group-by[one score per distinct value of these columns]:COLUMN,...:_files' \
            '*-m[any of bleu, chrf, chrf++, ter (default\: bleu)]:*-*:NAME:_truebleu_metrics' \
            '*--metrics[any of bleu, chrf, chrf++, ter (default\: bleu)]:*-*:NAME:_truebleu_metrics' \
            '*--metric[any of bleu, chrf, chrf++, ter (default\: bleu)]:*-*:NAME:_truebleu_metrics' \
            '*--dialect[compute BLEU as another tool does]:NAME:(sacrebleu nltk huggingface torchmetrics moses mteval-v13a tensorflow-nmt tensor2tensor fairseq compare-mt keras papineni skip-zero)' \
            '*-tok[how text is split into tokens (default\: 13a; for a test set, that of its language)]:NAME:(13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm)' \
            '*--tokenizer[how text is split into tokens (default\: 13a; for a test set, that of its language)]:NAME:(13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm)' \
            '*--unicode-form[normalize the text]:FORM:(NFC NFD NFKC NFKD)' \
            '*-lc[lowercase the text]' \
            '*--lowercase[lowercase the text]' \
            '*--max-order[highest n-gram order (default\: 4)]:N:_files' \
            '*--weights[weights of the orders, from 1 up (default\: uniform)]:W,W,...:_files' \
            '*--smoothing[rule for orders without a match (default\: exp)]:NAME:(add-k compare-mt exp floor lin-och method0 method1 method2 method3 method4 method5 method6 method7 nist none skip-zero)' \
            '*--smooth-value[the parameter of the smoothing]:X:_files' \
            '*--effective-order[leave out orders for which the hypothesis is too short (default\: for single segments, but not for corpora)]' \
            '*--no-effective-order[leave out orders for which the hypothesis is too short (default\: for single segments, but not for corpora)]' \
            '*--reference-length[which reference length the brevity penalty uses (default\: closest)]:RULE:(closest closest-first shortest longest average)' \
            '*--phantom-ngrams[count at least one n-gram of every order in every segment, as NLTK does]' \
            '*--chrf-char-order[highest order of character n-grams (default\: 6)]:N:_files' \
            '*--chrf-word-order[highest order of word n-grams (default\: 0; chrf++ is chrf with 2)]:N:_files' \
            '*--chrf-beta[weight of recall in the F-score (default\: 2)]:X:_files' \
            '*--chrf-whitespace[count whitespace as well]' \
            '*--chrf-lowercase[lowercase the text]' \
            '*--chrf-eps-smoothing[average the F-scores of all orders, as chrF++.py does, instead of leaving out orders for which texts are too short]' \
            '*--ter-normalized[split off punctuation]' \
            '*--ter-no-punct[remove punctuation]' \
            '*--ter-asian-support[with --ter-normalized, split Han characters into words of their own]' \
            '*--ter-case-sensitive[distinguish upper and lower case]' \
            '*-f[one of text, json, jsonl, tsv, markdown, latex, html (default\: text)]:FORMAT:(text json jsonl tsv markdown latex html)' \
            '*--format[one of text, json, jsonl, tsv, markdown, latex, html (default\: text)]:FORMAT:(text json jsonl tsv markdown latex html)' \
            '*--latex-float[with --format latex, write a table float with a caption and a label]' \
            '*-b[print only the scores]' \
            '*--score-only[print only the scores]' \
            '*-w[decimals of a score (default\: 2)]:N:_files' \
            '*--width[decimals of a score (default\: 2)]:N:_files' \
            '*--fail-under[exit with code 1 if the score of any system is below X, from 0 to 100 (TER\: above it)]:*-*:X:_files' \
            '*--confidence[add a confidence interval to each score]' \
            '*--n-resamples[resamples for intervals (default\: 10000)]:N:_files' \
            '*--interval[kind of confidence interval of a score (default\: bca)]:INTERVAL:(bca expanded-percentile)' \
            '*--confidence-level[level of the intervals (default\: 0.95)]:X:_files' \
            '*--seed[seed of the random numbers (default\: 12345)]:N:_files' \
            '*--legacy[reproduce the numbers of sacreBLEU, to the last bit \[sacrebleu\]]:LEGACY:(sacrebleu)' \
            '*--documents[resample whole documents]:FILE:_files' \
            '*-h[show this summary]' \
            '*--help[show this summary]' \
            '*--threads[threads to use (default\: all processors)]:N:_files' \
            '*-q[print no warnings]' \
            '*--quiet[print no warnings]' \
            '*--require-checksum[refuse downloaded models and files of which no checksum is known (default\: TRUEBLEU_REQUIRE_CHECKSUM)]' \
            '*:SYSTEM:_files'
        ;;
    segments)
        _arguments \
            '*-r[reference translations, one segment per line]:*-*:REFERENCE:_files' \
            '*--references[reference translations, one segment per line]:*-*:REFERENCE:_files' \
            '*-t[references of a test set, such as wmt24]:NAME:(wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train)' \
            '*--test-set[references of a test set, such as wmt24]:NAME:(wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train)' \
            '*-l[language pair of the test set, such as en-de]:PAIR:_files' \
            '*--language-pair[language pair of the test set, such as en-de]:PAIR:_files' \
            '*--hypothesis-column[the files are tables, and this column is the output of a system]:COLUMN:_files' \
            '*--reference-column[a column of references, strings or lists of strings]:COLUMN:_files' \
            '*--where[use only the rows that satisfy this condition]:SQL:_files' \
            '*-m[any of bleu, chrf, chrf++, ter (default\: bleu)]:*-*:NAME:_truebleu_metrics' \
            '*--metrics[any of bleu, chrf, chrf++, ter (default\: bleu)]:*-*:NAME:_truebleu_metrics' \
            '*--metric[any of bleu, chrf, chrf++, ter (default\: bleu)]:*-*:NAME:_truebleu_metrics' \
            '*--dialect[compute BLEU as another tool does]:NAME:(sacrebleu nltk huggingface torchmetrics moses mteval-v13a tensorflow-nmt tensor2tensor fairseq compare-mt keras papineni skip-zero)' \
            '*-tok[how text is split into tokens (default\: 13a; for a test set, that of its language)]:NAME:(13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm)' \
            '*--tokenizer[how text is split into tokens (default\: 13a; for a test set, that of its language)]:NAME:(13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm)' \
            '*--unicode-form[normalize the text]:FORM:(NFC NFD NFKC NFKD)' \
            '*-lc[lowercase the text]' \
            '*--lowercase[lowercase the text]' \
            '*--max-order[highest n-gram order (default\: 4)]:N:_files' \
            '*--weights[weights of the orders, from 1 up (default\: uniform)]:W,W,...:_files' \
            '*--smoothing[rule for orders without a match (default\: exp)]:NAME:(add-k compare-mt exp floor lin-och method0 method1 method2 method3 method4 method5 method6 method7 nist none skip-zero)' \
            '*--smooth-value[the parameter of the smoothing]:X:_files' \
            '*--effective-order[leave out orders for which the hypothesis is too short (default\: for single segments, but not for corpora)]' \
            '*--no-effective-order[leave out orders for which the hypothesis is too short (default\: for single segments, but not for corpora)]' \
            '*--reference-length[which reference length the brevity penalty uses (default\: closest)]:RULE:(closest closest-first shortest longest average)' \
            '*--phantom-ngrams[count at least one n-gram of every order in every segment, as NLTK does]' \
            '*--chrf-char-order[highest order of character n-grams (default\: 6)]:N:_files' \
            '*--chrf-word-order[highest order of word n-grams (default\: 0; chrf++ is chrf with 2)]:N:_files' \
            '*--chrf-beta[weight of recall in the F-score (default\: 2)]:X:_files' \
            '*--chrf-whitespace[count whitespace as well]' \
            '*--chrf-lowercase[lowercase the text]' \
            '*--chrf-eps-smoothing[average the F-scores of all orders, as chrF++.py does, instead of leaving out orders for which texts are too short]' \
            '*--ter-normalized[split off punctuation]' \
            '*--ter-no-punct[remove punctuation]' \
            '*--ter-asian-support[with --ter-normalized, split Han characters into words of their own]' \
            '*--ter-case-sensitive[distinguish upper and lower case]' \
            '*-f[one of tsv, text, json, jsonl, markdown, latex, html (default\: tsv)]:FORMAT:(tsv text json jsonl markdown latex html)' \
            '*--format[one of tsv, text, json, jsonl, markdown, latex, html (default\: tsv)]:FORMAT:(tsv text json jsonl markdown latex html)' \
            '*--latex-float[with --format latex, write a table float with a caption and a label]' \
            '*-w[decimals of a score (default\: 2)]:N:_files' \
            '*--width[decimals of a score (default\: 2)]:N:_files' \
            '*-h[show this summary]' \
            '*--help[show this summary]' \
            '*--threads[threads to use (default\: all processors)]:N:_files' \
            '*-q[print no warnings]' \
            '*--quiet[print no warnings]' \
            '*--require-checksum[refuse downloaded models and files of which no checksum is known (default\: TRUEBLEU_REQUIRE_CHECKSUM)]' \
            '*:SYSTEM:_files'
        ;;
    compare)
        _arguments \
            '*-r[reference translations, one segment per line]:*-*:REFERENCE:_files' \
            '*--references[reference translations, one segment per line]:*-*:REFERENCE:_files' \
            '*-t[references of a test set, such as wmt24]:NAME:(wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train)' \
            '*--test-set[references of a test set, such as wmt24]:NAME:(wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train)' \
            '*-l[language pair of the test set, such as en-de]:PAIR:_files' \
            '*--language-pair[language pair of the test set, such as en-de]:PAIR:_files' \
            '*--hypothesis-column[the files are tables, and this column is the output of a system]:COLUMN:_files' \
            '*--reference-column[a column of references, strings or lists of strings]:COLUMN:_files' \
            '*--where[use only the rows that satisfy this condition]:SQL:_files' \
            '*-m[any of bleu, chrf, chrf++, ter (default\: bleu)]:*-*:NAME:_truebleu_metrics' \
            '*--metrics[any of bleu, chrf, chrf++, ter (default\: bleu)]:*-*:NAME:_truebleu_metrics' \
            '*--metric[any of bleu, chrf, chrf++, ter (default\: bleu)]:*-*:NAME:_truebleu_metrics' \
            '*--dialect[compute BLEU as another tool does]:NAME:(sacrebleu nltk huggingface torchmetrics moses mteval-v13a tensorflow-nmt tensor2tensor fairseq compare-mt keras papineni skip-zero)' \
            '*-tok[how text is split into tokens (default\: 13a; for a test set, that of its language)]:NAME:(13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm)' \
            '*--tokenizer[how text is split into tokens (default\: 13a; for a test set, that of its language)]:NAME:(13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm)' \
            '*--unicode-form[normalize the text]:FORM:(NFC NFD NFKC NFKD)' \
            '*-lc[lowercase the text]' \
            '*--lowercase[lowercase the text]' \
            '*--max-order[highest n-gram order (default\: 4)]:N:_files' \
            '*--weights[weights of the orders, from 1 up (default\: uniform)]:W,W,...:_files' \
            '*--smoothing[rule for orders without a match (default\: exp)]:NAME:(add-k compare-mt exp floor lin-och method0 method1 method2 method3 method4 method5 method6 method7 nist none skip-zero)' \
            '*--smooth-value[the parameter of the smoothing]:X:_files' \
            '*--effective-order[leave out orders for which the hypothesis is too short (default\: for single segments, but not for corpora)]' \
            '*--no-effective-order[leave out orders for which the hypothesis is too short (default\: for single segments, but not for corpora)]' \
            '*--reference-length[which reference length the brevity penalty uses (default\: closest)]:RULE:(closest closest-first shortest longest average)' \
            '*--phantom-ngrams[count at least one n-gram of every order in every segment, as NLTK does]' \
            '*--chrf-char-order[highest order of character n-grams (default\: 6)]:N:_files' \
            '*--chrf-word-order[highest order of word n-grams (default\: 0; chrf++ is chrf with 2)]:N:_files' \
            '*--chrf-beta[weight of recall in the F-score (default\: 2)]:X:_files' \
            '*--chrf-whitespace[count whitespace as well]' \
            '*--chrf-lowercase[lowercase the text]' \
            '*--chrf-eps-smoothing[average the F-scores of all orders, as chrF++.py does, instead of leaving out orders for which texts are too short]' \
            '*--ter-normalized[split off punctuation]' \
            '*--ter-no-punct[remove punctuation]' \
            '*--ter-asian-support[with --ter-normalized, split Han characters into words of their own]' \
            '*--ter-case-sensitive[distinguish upper and lower case]' \
            '*-f[one of text, json, jsonl, tsv, markdown, latex, html (default\: text)]:FORMAT:(text json jsonl tsv markdown latex html)' \
            '*--format[one of text, json, jsonl, tsv, markdown, latex, html (default\: text)]:FORMAT:(text json jsonl tsv markdown latex html)' \
            '*--latex-float[with --format latex, write a table float with a caption and a label]' \
            '*--baseline[compare the others with this system only (default\: all with each other)]:SYSTEM:_files' \
            '*--test[the test of differences (default\: approximate-randomization)]:TEST:(approximate-randomization bootstrap)' \
            '*--n-trials[trials of each test (default\: 10000, or more if there are many tests; a test stops early once 500 are extreme)]:N:_files' \
            '*--alpha[a difference is significant if its adjusted p-value is below this (default\: 0.05)]:X:_files' \
            '*--alternative[better (default\: two-sided)]:ALTERNATIVE:(two-sided better)' \
            '*--n-resamples[resamples for intervals (default\: 10000)]:N:_files' \
            '*--interval[kind of confidence interval of a score (default\: bca)]:INTERVAL:(bca expanded-percentile)' \
            '*--confidence-level[level of the intervals (default\: 0.95)]:X:_files' \
            '*--seed[seed of the random numbers (default\: 12345)]:N:_files' \
            '*--legacy[reproduce the numbers of sacreBLEU, to the last bit \[sacrebleu\]]:LEGACY:(sacrebleu)' \
            '*--documents[resample whole documents]:FILE:_files' \
            '*--detectable[show the difference that each test would find four times in five, alone and after correction]' \
            '*--sort-pairs[the order of the pairs, one of rank (that of their systems), difference (the largest first), p (the smallest adjusted p-value first), name (default\: rank)]:ORDER:(rank difference p name)' \
            '*--only-significant[leave out pairs whose difference is not significant]' \
            '*--pairs-with[leave out pairs without this system]:SYSTEM:_files' \
            '*--p-matrix[show adjusted p-values as a matrix of the systems, instead of a list of pairs]' \
            '*-h[show this summary]' \
            '*--help[show this summary]' \
            '*--threads[threads to use (default\: all processors)]:N:_files' \
            '*-q[print no warnings]' \
            '*--quiet[print no warnings]' \
            '*--require-checksum[refuse downloaded models and files of which no checksum is known (default\: TRUEBLEU_REQUIRE_CHECKSUM)]' \
            '*:SYSTEM:_files'
        ;;
    explain)
        _arguments \
            '*-r[reference translations, one segment per line]:*-*:REFERENCE:_files' \
            '*--references[reference translations, one segment per line]:*-*:REFERENCE:_files' \
            '*-t[references of a test set, such as wmt24]:NAME:(wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train)' \
            '*--test-set[references of a test set, such as wmt24]:NAME:(wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train)' \
            '*-l[language pair of the test set, such as en-de]:PAIR:_files' \
            '*--language-pair[language pair of the test set, such as en-de]:PAIR:_files' \
            '*--text[SYSTEM and REFERENCE are strings instead of files, each of them one segment]' \
            '*--segment[explain line N, counted from 1 (default\: all lines)]:N:_files' \
            '*--hypothesis-column[the files are tables, and this column is the output of a system]:COLUMN:_files' \
            '*--reference-column[a column of references, strings or lists of strings]:COLUMN:_files' \
            '*--where[use only the rows that satisfy this condition]:SQL:_files' \
            '*-m[one of bleu, chrf, chrf++, ter (default\: bleu)]:NAME:(bleu chrf chrf++ ter)' \
            '*--metric[one of bleu, chrf, chrf++, ter (default\: bleu)]:NAME:(bleu chrf chrf++ ter)' \
            '*--metrics[one of bleu, chrf, chrf++, ter (default\: bleu)]:NAME:(bleu chrf chrf++ ter)' \
            '*--dialect[compute BLEU as another tool does]:NAME:(sacrebleu nltk huggingface torchmetrics moses mteval-v13a tensorflow-nmt tensor2tensor fairseq compare-mt keras papineni skip-zero)' \
            '*-tok[how text is split into tokens (default\: 13a; for a test set, that of its language)]:NAME:(13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm)' \
            '*--tokenizer[how text is split into tokens (default\: 13a; for a test set, that of its language)]:NAME:(13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm)' \
            '*--unicode-form[normalize the text]:FORM:(NFC NFD NFKC NFKD)' \
            '*-lc[lowercase the text]' \
            '*--lowercase[lowercase the text]' \
            '*--max-order[highest n-gram order (default\: 4)]:N:_files' \
            '*--weights[weights of the orders, from 1 up (default\: uniform)]:W,W,...:_files' \
            '*--smoothing[rule for orders without a match (default\: exp)]:NAME:(add-k compare-mt exp floor lin-och method0 method1 method2 method3 method4 method5 method6 method7 nist none skip-zero)' \
            '*--smooth-value[the parameter of the smoothing]:X:_files' \
            '*--effective-order[leave out orders for which the hypothesis is too short (default\: for single segments, but not for corpora)]' \
            '*--no-effective-order[leave out orders for which the hypothesis is too short (default\: for single segments, but not for corpora)]' \
            '*--reference-length[which reference length the brevity penalty uses (default\: closest)]:RULE:(closest closest-first shortest longest average)' \
            '*--phantom-ngrams[count at least one n-gram of every order in every segment, as NLTK does]' \
            '*--chrf-char-order[highest order of character n-grams (default\: 6)]:N:_files' \
            '*--chrf-word-order[highest order of word n-grams (default\: 0; chrf++ is chrf with 2)]:N:_files' \
            '*--chrf-beta[weight of recall in the F-score (default\: 2)]:X:_files' \
            '*--chrf-whitespace[count whitespace as well]' \
            '*--chrf-lowercase[lowercase the text]' \
            '*--chrf-eps-smoothing[average the F-scores of all orders, as chrF++.py does, instead of leaving out orders for which texts are too short]' \
            '*--ter-normalized[split off punctuation]' \
            '*--ter-no-punct[remove punctuation]' \
            '*--ter-asian-support[with --ter-normalized, split Han characters into words of their own]' \
            '*--ter-case-sensitive[distinguish upper and lower case]' \
            '*-f[one of text, json, jsonl, tsv, markdown, latex, html (default\: text)]:FORMAT:(text json jsonl tsv markdown latex html)' \
            '*--format[one of text, json, jsonl, tsv, markdown, latex, html (default\: text)]:FORMAT:(text json jsonl tsv markdown latex html)' \
            '*--latex-float[with --format latex, write a table float with a caption and a label]' \
            '*-h[show this summary]' \
            '*--help[show this summary]' \
            '*--threads[threads to use (default\: all processors)]:N:_files' \
            '*-q[print no warnings]' \
            '*--quiet[print no warnings]' \
            '*--require-checksum[refuse downloaded models and files of which no checksum is known (default\: TRUEBLEU_REQUIRE_CHECKSUM)]' \
            '1:SYSTEM:_files'
        ;;
    report)
        _arguments \
            '*--sources[the source texts, one segment per line]:FILE:_files' \
            '*-r[reference translations, one segment per line]:*-*:REFERENCE:_files' \
            '*--references[reference translations, one segment per line]:*-*:REFERENCE:_files' \
            '*-t[references of a test set, such as wmt24]:NAME:(wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train)' \
            '*--test-set[references of a test set, such as wmt24]:NAME:(wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train)' \
            '*-l[language pair of the test set, such as en-de]:PAIR:_files' \
            '*--language-pair[language pair of the test set, such as en-de]:PAIR:_files' \
            '*--domains[add a chart of the scores by domain]:FILE:_files' \
            '*--hypothesis-column[the files are tables, and this column is the output of a system]:COLUMN:_files' \
            '*--reference-column[a column of references, strings or lists of strings]:COLUMN:_files' \
            '*--where[use only the rows that satisfy this condition]:SQL:_files' \
            '*-m[any of bleu, chrf, chrf++, ter (default\: bleu)]:*-*:NAME:_truebleu_metrics' \
            '*--metrics[any of bleu, chrf, chrf++, ter (default\: bleu)]:*-*:NAME:_truebleu_metrics' \
            '*--metric[any of bleu, chrf, chrf++, ter (default\: bleu)]:*-*:NAME:_truebleu_metrics' \
            '*--dialect[compute BLEU as another tool does]:NAME:(sacrebleu nltk huggingface torchmetrics moses mteval-v13a tensorflow-nmt tensor2tensor fairseq compare-mt keras papineni skip-zero)' \
            '*-tok[how text is split into tokens (default\: 13a; for a test set, that of its language)]:NAME:(13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm)' \
            '*--tokenizer[how text is split into tokens (default\: 13a; for a test set, that of its language)]:NAME:(13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm)' \
            '*--unicode-form[normalize the text]:FORM:(NFC NFD NFKC NFKD)' \
            '*-lc[lowercase the text]' \
            '*--lowercase[lowercase the text]' \
            '*--max-order[highest n-gram order (default\: 4)]:N:_files' \
            '*--weights[weights of the orders, from 1 up (default\: uniform)]:W,W,...:_files' \
            '*--smoothing[rule for orders without a match (default\: exp)]:NAME:(add-k compare-mt exp floor lin-och method0 method1 method2 method3 method4 method5 method6 method7 nist none skip-zero)' \
            '*--smooth-value[the parameter of the smoothing]:X:_files' \
            '*--effective-order[leave out orders for which the hypothesis is too short (default\: for single segments, but not for corpora)]' \
            '*--no-effective-order[leave out orders for which the hypothesis is too short (default\: for single segments, but not for corpora)]' \
            '*--reference-length[which reference length the brevity penalty uses (default\: closest)]:RULE:(closest closest-first shortest longest average)' \
            '*--phantom-ngrams[count at least one n-gram of every order in every segment, as NLTK does]' \
            '*--chrf-char-order[highest order of character n-grams (default\: 6)]:N:_files' \
            '*--chrf-word-order[highest order of word n-grams (default\: 0; chrf++ is chrf with 2)]:N:_files' \
            '*--chrf-beta[weight of recall in the F-score (default\: 2)]:X:_files' \
            '*--chrf-whitespace[count whitespace as well]' \
            '*--chrf-lowercase[lowercase the text]' \
            '*--chrf-eps-smoothing[average the F-scores of all orders, as chrF++.py does, instead of leaving out orders for which texts are too short]' \
            '*--ter-normalized[split off punctuation]' \
            '*--ter-no-punct[remove punctuation]' \
            '*--ter-asian-support[with --ter-normalized, split Han characters into words of their own]' \
            '*--ter-case-sensitive[distinguish upper and lower case]' \
            '*-o[the page to write, such as report.html]:FILE:_files' \
            '*--output[the page to write, such as report.html]:FILE:_files' \
            '*--source-lang[language of the sources, such as de (default\: guessed from the script)]:TAG:_files' \
            '*--target-lang[language of the references and outputs, such as de (default\: guessed from the script)]:TAG:_files' \
            '*--title[title of the page]:TEXT:_files' \
            '*--baseline[the system to compare the others with (default\: the first)]:SYSTEM:_files' \
            '*--test[the test of differences (default\: approximate-randomization)]:TEST:(approximate-randomization bootstrap)' \
            '*--n-trials[trials of each test (default\: 10000, or more if there are many tests; a test stops early once 500 are extreme)]:N:_files' \
            '*--alpha[a difference is significant if its adjusted p-value is below this (default\: 0.05)]:X:_files' \
            '*--alternative[better (default\: two-sided)]:ALTERNATIVE:(two-sided better)' \
            '*--n-resamples[resamples for intervals (default\: 10000)]:N:_files' \
            '*--interval[kind of confidence interval of a score (default\: bca)]:INTERVAL:(bca expanded-percentile)' \
            '*--confidence-level[level of the intervals (default\: 0.95)]:X:_files' \
            '*--seed[seed of the random numbers (default\: 12345)]:N:_files' \
            '*--legacy[reproduce the numbers of sacreBLEU, to the last bit \[sacrebleu\]]:LEGACY:(sacrebleu)' \
            '*--documents[resample whole documents]:FILE:_files' \
            '*-h[show this summary]' \
            '*--help[show this summary]' \
            '*--threads[threads to use (default\: all processors)]:N:_files' \
            '*-q[print no warnings]' \
            '*--quiet[print no warnings]' \
            '*--require-checksum[refuse downloaded models and files of which no checksum is known (default\: TRUEBLEU_REQUIRE_CHECKSUM)]' \
            '*:SYSTEM:_files'
        ;;
    plot)
        _arguments \
            '*-r[reference translations, one segment per line]:*-*:REFERENCE:_files' \
            '*--references[reference translations, one segment per line]:*-*:REFERENCE:_files' \
            '*-t[references of a test set, such as wmt24]:NAME:(wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train)' \
            '*--test-set[references of a test set, such as wmt24]:NAME:(wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train)' \
            '*-l[language pair of the test set, such as en-de]:PAIR:_files' \
            '*--language-pair[language pair of the test set, such as en-de]:PAIR:_files' \
            '*--domains[needed by the chart '\''domains'\'']:FILE:_files' \
            '*--hypothesis-column[the files are tables, and this column is the output of a system]:COLUMN:_files' \
            '*--reference-column[a column of references, strings or lists of strings]:COLUMN:_files' \
            '*--where[use only the rows that satisfy this condition]:SQL:_files' \
            '*-m[one of bleu, chrf, chrf++, ter (default\: bleu)]:NAME:(bleu chrf chrf++ ter)' \
            '*--metric[one of bleu, chrf, chrf++, ter (default\: bleu)]:NAME:(bleu chrf chrf++ ter)' \
            '*--metrics[one of bleu, chrf, chrf++, ter (default\: bleu)]:NAME:(bleu chrf chrf++ ter)' \
            '*--dialect[compute BLEU as another tool does]:NAME:(sacrebleu nltk huggingface torchmetrics moses mteval-v13a tensorflow-nmt tensor2tensor fairseq compare-mt keras papineni skip-zero)' \
            '*-tok[how text is split into tokens (default\: 13a; for a test set, that of its language)]:NAME:(13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm)' \
            '*--tokenizer[how text is split into tokens (default\: 13a; for a test set, that of its language)]:NAME:(13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm)' \
            '*--unicode-form[normalize the text]:FORM:(NFC NFD NFKC NFKD)' \
            '*-lc[lowercase the text]' \
            '*--lowercase[lowercase the text]' \
            '*--max-order[highest n-gram order (default\: 4)]:N:_files' \
            '*--weights[weights of the orders, from 1 up (default\: uniform)]:W,W,...:_files' \
            '*--smoothing[rule for orders without a match (default\: exp)]:NAME:(add-k compare-mt exp floor lin-och method0 method1 method2 method3 method4 method5 method6 method7 nist none skip-zero)' \
            '*--smooth-value[the parameter of the smoothing]:X:_files' \
            '*--effective-order[leave out orders for which the hypothesis is too short (default\: for single segments, but not for corpora)]' \
            '*--no-effective-order[leave out orders for which the hypothesis is too short (default\: for single segments, but not for corpora)]' \
            '*--reference-length[which reference length the brevity penalty uses (default\: closest)]:RULE:(closest closest-first shortest longest average)' \
            '*--phantom-ngrams[count at least one n-gram of every order in every segment, as NLTK does]' \
            '*--chrf-char-order[highest order of character n-grams (default\: 6)]:N:_files' \
            '*--chrf-word-order[highest order of word n-grams (default\: 0; chrf++ is chrf with 2)]:N:_files' \
            '*--chrf-beta[weight of recall in the F-score (default\: 2)]:X:_files' \
            '*--chrf-whitespace[count whitespace as well]' \
            '*--chrf-lowercase[lowercase the text]' \
            '*--chrf-eps-smoothing[average the F-scores of all orders, as chrF++.py does, instead of leaving out orders for which texts are too short]' \
            '*--ter-normalized[split off punctuation]' \
            '*--ter-no-punct[remove punctuation]' \
            '*--ter-asian-support[with --ter-normalized, split Han characters into words of their own]' \
            '*--ter-case-sensitive[distinguish upper and lower case]' \
            '*-o[the chart to write]:FILE:_files' \
            '*--output[the chart to write]:FILE:_files' \
            '*--pair[the systems that the chart compares (default\: the best system and the baseline, or the second best)]:ONE:_files:OTHER:_files' \
            '*--baseline[the system to compare the others with (default\: the first)]:SYSTEM:_files' \
            '*--test[the test of differences (default\: approximate-randomization)]:TEST:(approximate-randomization bootstrap)' \
            '*--n-trials[trials of each test (default\: 10000, or more if there are many tests; a test stops early once 500 are extreme)]:N:_files' \
            '*--alpha[a difference is significant if its adjusted p-value is below this (default\: 0.05)]:X:_files' \
            '*--alternative[better (default\: two-sided)]:ALTERNATIVE:(two-sided better)' \
            '*--n-resamples[resamples for intervals (default\: 10000)]:N:_files' \
            '*--interval[kind of confidence interval of a score (default\: bca)]:INTERVAL:(bca expanded-percentile)' \
            '*--confidence-level[level of the intervals (default\: 0.95)]:X:_files' \
            '*--seed[seed of the random numbers (default\: 12345)]:N:_files' \
            '*--legacy[reproduce the numbers of sacreBLEU, to the last bit \[sacrebleu\]]:LEGACY:(sacrebleu)' \
            '*--documents[resample whole documents]:FILE:_files' \
            '*-h[show this summary]' \
            '*--help[show this summary]' \
            '*--size[as wide as a column (3.03 inches) or the text of a page (6.3 inches)]:SIZE:(column page)' \
            '*--threads[threads to use (default\: all processors)]:N:_files' \
            '*-q[print no warnings]' \
            '*--quiet[print no warnings]' \
            '*--require-checksum[refuse downloaded models and files of which no checksum is known (default\: TRUEBLEU_REQUIRE_CHECKSUM)]' \
            '1:NAME:(scores precisions penalty sentences lengths documents domains segments influence ngrams frequency)' \
            '*:SYSTEM:_files'
        ;;
    audit)
        _arguments \
            '*-r[reference translations, one segment per line]:*-*:REFERENCE:_files' \
            '*--references[reference translations, one segment per line]:*-*:REFERENCE:_files' \
            '*-t[references of a test set, such as wmt24]:NAME:(wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train)' \
            '*--test-set[references of a test set, such as wmt24]:NAME:(wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train)' \
            '*-l[language pair of the test set, such as en-de]:PAIR:_files' \
            '*--language-pair[language pair of the test set, such as en-de]:PAIR:_files' \
            '*--hypothesis-column[the files are tables, and this column is the output of a system]:COLUMN:_files' \
            '*--reference-column[a column of references, strings or lists of strings]:COLUMN:_files' \
            '*--where[use only the rows that satisfy this condition]:SQL:_files' \
            '*-m[the metric that the tools compute (default\: bleu) \[bleu, chrf\]]:METRIC:(bleu chrf)' \
            '*--metric[the metric that the tools compute (default\: bleu) \[bleu, chrf\]]:METRIC:(bleu chrf)' \
            '*--metrics[the metric that the tools compute (default\: bleu) \[bleu, chrf\]]:METRIC:(bleu chrf)' \
            '*--explain[why two of them differ here]:ONE:_files:OTHER:_files' \
            '*-f[one of text, json, jsonl, tsv, markdown, latex, html (default\: text)]:FORMAT:(text json jsonl tsv markdown latex html)' \
            '*--format[one of text, json, jsonl, tsv, markdown, latex, html (default\: text)]:FORMAT:(text json jsonl tsv markdown latex html)' \
            '*--latex-float[with --format latex, write a table float with a caption and a label]' \
            '*-h[show this summary]' \
            '*--help[show this summary]' \
            '*--threads[threads to use (default\: all processors)]:N:_files' \
            '*-q[print no warnings]' \
            '*--quiet[print no warnings]' \
            '*--require-checksum[refuse downloaded models and files of which no checksum is known (default\: TRUEBLEU_REQUIRE_CHECKSUM)]' \
            '1:SYSTEM:_files'
        ;;
    reproduce)
        _arguments \
            '*-r[reference translations, one segment per line]:*-*:REFERENCE:_files' \
            '*--references[reference translations, one segment per line]:*-*:REFERENCE:_files' \
            '*-t[references of a test set, such as wmt24]:NAME:(wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train)' \
            '*--test-set[references of a test set, such as wmt24]:NAME:(wmt24 wmt23 wmt22 wmt21/systems wmt21 wmt21/B wmt21/AB wmt21/C wmt21/AC wmt21/D wmt21/dev wmt20/tworefs wmt20 wmt20/dev wmt20/robust/set1 wmt20/robust/set2 wmt20/robust/set3 wmt19 wmt19/dev wmt19/google/ar wmt19/google/arp wmt19/google/wmtp wmt19/google/hqr wmt19/google/hqp wmt19/google/hqall wmt18 wmt18/test-ts wmt18/dev wmt17 wmt17/B wmt17/tworefs wmt17/improved wmt17/dev wmt17/ms wmt16 wmt16/B wmt16/tworefs wmt16/dev wmt15 wmt14 wmt14/full wmt13 wmt12 wmt11 wmt10 wmt09 wmt08 wmt08/nc wmt08/europarl iwslt17 iwslt17/tst2016 iwslt17/tst2015 iwslt17/tst2014 iwslt17/tst2013 iwslt17/tst2012 iwslt17/tst2011 iwslt17/tst2010 iwslt17/dev2010 mtedx/valid mtedx/test multi30k/2016 multi30k/2017 multi30k/2018 mtnt2019 mtnt1.1/test mtnt1.1/valid mtnt1.1/train)' \
            '*-l[language pair of the test set, such as en-de]:PAIR:_files' \
            '*--language-pair[language pair of the test set, such as en-de]:PAIR:_files' \
            '*-m[the metric that the tools compute (default\: bleu) \[bleu, chrf\]]:METRIC:(bleu chrf)' \
            '*--metric[the metric that the tools compute (default\: bleu) \[bleu, chrf\]]:METRIC:(bleu chrf)' \
            '*--metrics[the metric that the tools compute (default\: bleu) \[bleu, chrf\]]:METRIC:(bleu chrf)' \
            '*--target[the score as it was printed, such as 27.3]:X:_files' \
            '*--tokenizers[the tokenizers to try for BLEU (default\: all that need no extra package)]:*-*:NAME:_truebleu_tokenizers' \
            '*--limit[how many results to print, except in JSON (default\: 10)]:N:_files' \
            '*-f[one of text, json, jsonl, tsv, markdown, latex, html (default\: text)]:FORMAT:(text json jsonl tsv markdown latex html)' \
            '*--format[one of text, json, jsonl, tsv, markdown, latex, html (default\: text)]:FORMAT:(text json jsonl tsv markdown latex html)' \
            '*--latex-float[with --format latex, write a table float with a caption and a label]' \
            '*-h[show this summary]' \
            '*--help[show this summary]' \
            '*--threads[threads to use (default\: all processors)]:N:_files' \
            '*-q[print no warnings]' \
            '*--quiet[print no warnings]' \
            '*--require-checksum[refuse downloaded models and files of which no checksum is known (default\: TRUEBLEU_REQUIRE_CHECKSUM)]' \
            '1:SYSTEM:_files'
        ;;
    tokenize)
        _arguments \
            '*-tok[how text is split into tokens (default\: 13a)]:NAME:(13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm)' \
            '*--tokenizer[how text is split into tokens (default\: 13a)]:NAME:(13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm)' \
            '*--unicode-form[normalize the text]:FORM:(NFC NFD NFKC NFKD)' \
            '*-lc[lowercase the text]' \
            '*--lowercase[lowercase the text]' \
            '*-f[one of text, json, jsonl, tsv, markdown, latex, html (default\: text)]:FORMAT:(text json jsonl tsv markdown latex html)' \
            '*--format[one of text, json, jsonl, tsv, markdown, latex, html (default\: text)]:FORMAT:(text json jsonl tsv markdown latex html)' \
            '*--latex-float[with --format latex, write a table float with a caption and a label]' \
            '*--offsets[JSON Lines or JSON, with the character offsets of each token]' \
            '*-h[show this summary]' \
            '*--help[show this summary]' \
            '*--threads[threads to use (default\: all processors)]:N:_files' \
            '*-q[print no warnings]' \
            '*--quiet[print no warnings]' \
            '*--require-checksum[refuse downloaded models and files of which no checksum is known (default\: TRUEBLEU_REQUIRE_CHECKSUM)]' \
            '*:FILE:_files'
        ;;
    data)
        _arguments \
            '*-l[only this language pair, such as en-de]:PAIR:_files' \
            '*--language-pair[only this language pair, such as en-de]:PAIR:_files' \
            '*-f[one of text, json, jsonl, tsv, markdown, latex, html (default\: text)]:FORMAT:(text json jsonl tsv markdown latex html)' \
            '*--format[one of text, json, jsonl, tsv, markdown, latex, html (default\: text)]:FORMAT:(text json jsonl tsv markdown latex html)' \
            '*--latex-float[with --format latex, write a table float with a caption and a label]' \
            '*-h[show this summary]' \
            '*--help[show this summary]' \
            '*-q[print no warnings]' \
            '*--quiet[print no warnings]' \
            '*--require-checksum[refuse downloaded models and files of which no checksum is known (default\: TRUEBLEU_REQUIRE_CHECKSUM)]' \
            '1:ACTION:(list show get add verify)' \
            '*:NAME:_files'
        ;;
    mbr)
        _arguments \
            '*--input-format[one of jsonl, tsv, moses (default\: jsonl)]:FORMAT:(jsonl tsv moses)' \
            '*--method[exact (default), or aggregated]:NAME:(exact aggregated)' \
            '*-m[one of bleu, chrf, chrf++, ter (default\: bleu)]:NAME:(bleu chrf chrf++ ter)' \
            '*--metric[one of bleu, chrf, chrf++, ter (default\: bleu)]:NAME:(bleu chrf chrf++ ter)' \
            '*--metrics[one of bleu, chrf, chrf++, ter (default\: bleu)]:NAME:(bleu chrf chrf++ ter)' \
            '*--dialect[compute BLEU as another tool does]:NAME:(sacrebleu nltk huggingface torchmetrics moses mteval-v13a tensorflow-nmt tensor2tensor fairseq compare-mt keras papineni skip-zero)' \
            '*-tok[how text is split into tokens (default\: 13a; for a test set, that of its language)]:NAME:(13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm)' \
            '*--tokenizer[how text is split into tokens (default\: 13a; for a test set, that of its language)]:NAME:(13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm)' \
            '*--unicode-form[normalize the text]:FORM:(NFC NFD NFKC NFKD)' \
            '*-lc[lowercase the text]' \
            '*--lowercase[lowercase the text]' \
            '*--max-order[highest n-gram order (default\: 4)]:N:_files' \
            '*--weights[weights of the orders, from 1 up (default\: uniform)]:W,W,...:_files' \
            '*--smoothing[rule for orders without a match (default\: exp)]:NAME:(add-k compare-mt exp floor lin-och method0 method1 method2 method3 method4 method5 method6 method7 nist none skip-zero)' \
            '*--smooth-value[the parameter of the smoothing]:X:_files' \
            '*--effective-order[leave out orders for which the hypothesis is too short (default\: for single segments, but not for corpora)]' \
            '*--no-effective-order[leave out orders for which the hypothesis is too short (default\: for single segments, but not for corpora)]' \
            '*--reference-length[which reference length the brevity penalty uses (default\: closest)]:RULE:(closest closest-first shortest longest average)' \
            '*--phantom-ngrams[count at least one n-gram of every order in every segment, as NLTK does]' \
            '*--chrf-char-order[highest order of character n-grams (default\: 6)]:N:_files' \
            '*--chrf-word-order[highest order of word n-grams (default\: 0; chrf++ is chrf with 2)]:N:_files' \
            '*--chrf-beta[weight of recall in the F-score (default\: 2)]:X:_files' \
            '*--chrf-whitespace[count whitespace as well]' \
            '*--chrf-lowercase[lowercase the text]' \
            '*--chrf-eps-smoothing[average the F-scores of all orders, as chrF++.py does, instead of leaving out orders for which texts are too short]' \
            '*--ter-normalized[split off punctuation]' \
            '*--ter-no-punct[remove punctuation]' \
            '*--ter-asian-support[with --ter-normalized, split Han characters into words of their own]' \
            '*--ter-case-sensitive[distinguish upper and lower case]' \
            '*-f[one of text, json, jsonl, tsv, markdown, latex, html (default\: text)]:FORMAT:(text json jsonl tsv markdown latex html)' \
            '*--format[one of text, json, jsonl, tsv, markdown, latex, html (default\: text)]:FORMAT:(text json jsonl tsv markdown latex html)' \
            '*--latex-float[with --format latex, write a table float with a caption and a label]' \
            '*-h[show this summary]' \
            '*--help[show this summary]' \
            '*--threads[threads to use (default\: all processors)]:N:_files' \
            '*-q[print no warnings]' \
            '*--quiet[print no warnings]' \
            '*--require-checksum[refuse downloaded models and files of which no checksum is known (default\: TRUEBLEU_REQUIRE_CHECKSUM)]' \
            '*:FILE:_files'
        ;;
    mtme)
        _arguments \
            '*-l[language pairs, such as en-de (default\: all)]:*-*:PAIR:_files' \
            '*--language-pair[language pairs, such as en-de (default\: all)]:*-*:PAIR:_files' \
            '*--systems[names of systems (default\: all)]:*-*:NAME:_files' \
            '*-r[names of references (default\: each reference by itself)]:*-*:NAME:_files' \
            '*--references[names of references (default\: each reference by itself)]:*-*:NAME:_files' \
            '*--only[levels to write scores for (default\: all)]:*-*:LEVEL:_truebleu_only' \
            '*-m[any of bleu, chrf, chrf++, ter (default\: bleu)]:*-*:NAME:_truebleu_metrics' \
            '*--metrics[any of bleu, chrf, chrf++, ter (default\: bleu)]:*-*:NAME:_truebleu_metrics' \
            '*--metric[any of bleu, chrf, chrf++, ter (default\: bleu)]:*-*:NAME:_truebleu_metrics' \
            '*--dialect[compute BLEU as another tool does]:NAME:(sacrebleu nltk huggingface torchmetrics moses mteval-v13a tensorflow-nmt tensor2tensor fairseq compare-mt keras papineni skip-zero)' \
            '*-tok[how text is split into tokens (default\: 13a; for a test set, that of its language)]:NAME:(13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm)' \
            '*--tokenizer[how text is split into tokens (default\: 13a; for a test set, that of its language)]:NAME:(13a intl zh zh-fixed char none words moses spaces mteval-v13a mteval-v14 mteval-v13a-lc mteval-v13a-intl mteval-v14-intl tensor2tensor keras ja-mecab ko-mecab flores101 flores200 spBLEU-1K spm)' \
            '*--unicode-form[normalize the text]:FORM:(NFC NFD NFKC NFKD)' \
            '*-lc[lowercase the text]' \
            '*--lowercase[lowercase the text]' \
            '*--max-order[highest n-gram order (default\: 4)]:N:_files' \
            '*--weights[weights of the orders, from 1 up (default\: uniform)]:W,W,...:_files' \
            '*--smoothing[rule for orders without a match (default\: exp)]:NAME:(add-k compare-mt exp floor lin-och method0 method1 method2 method3 method4 method5 method6 method7 nist none skip-zero)' \
            '*--smooth-value[the parameter of the smoothing]:X:_files' \
            '*--effective-order[leave out orders for which the hypothesis is too short (default\: for single segments, but not for corpora)]' \
            '*--no-effective-order[leave out orders for which the hypothesis is too short (default\: for single segments, but not for corpora)]' \
            '*--reference-length[which reference length the brevity penalty uses (default\: closest)]:RULE:(closest closest-first shortest longest average)' \
            '*--phantom-ngrams[count at least one n-gram of every order in every segment, as NLTK does]' \
            '*--chrf-char-order[highest order of character n-grams (default\: 6)]:N:_files' \
            '*--chrf-word-order[highest order of word n-grams (default\: 0; chrf++ is chrf with 2)]:N:_files' \
            '*--chrf-beta[weight of recall in the F-score (default\: 2)]:X:_files' \
            '*--chrf-whitespace[count whitespace as well]' \
            '*--chrf-lowercase[lowercase the text]' \
            '*--chrf-eps-smoothing[average the F-scores of all orders, as chrF++.py does, instead of leaving out orders for which texts are too short]' \
            '*--ter-normalized[split off punctuation]' \
            '*--ter-no-punct[remove punctuation]' \
            '*--ter-asian-support[with --ter-normalized, split Han characters into words of their own]' \
            '*--ter-case-sensitive[distinguish upper and lower case]' \
            '*-o[folder to write metric-scores into (default\: the test set)]:DIRECTORY:_files' \
            '*--output[folder to write metric-scores into (default\: the test set)]:DIRECTORY:_files' \
            '*--name[names of the metrics in file names, one per metric (default\: BLEU, chrF, chrF++, TER; with --tokenizer, BLEU-TOKENIZER)]:*-*:NAME:_files' \
            '*--overwrite[replace files that exist]' \
            '*-f[one of text, json, jsonl, tsv, markdown, latex, html (default\: text)]:FORMAT:(text json jsonl tsv markdown latex html)' \
            '*--format[one of text, json, jsonl, tsv, markdown, latex, html (default\: text)]:FORMAT:(text json jsonl tsv markdown latex html)' \
            '*--latex-float[with --format latex, write a table float with a caption and a label]' \
            '*-h[show this summary]' \
            '*--help[show this summary]' \
            '*--threads[threads to use (default\: all processors)]:N:_files' \
            '*-q[print no warnings]' \
            '*--quiet[print no warnings]' \
            '*--require-checksum[refuse downloaded models and files of which no checksum is known (default\: TRUEBLEU_REQUIRE_CHECKSUM)]' \
            '1:DIRECTORY:_files'
        ;;
    completion)
        _arguments \
            '*-h[show this summary]' \
            '*--help[show this summary]' \
            '*-q[print no warnings]' \
            '*--quiet[print no warnings]' \
            '*--require-checksum[refuse downloaded models and files of which no checksum is known (default\: TRUEBLEU_REQUIRE_CHECKSUM)]' \
            '1:SHELL:(bash zsh fish)'
        ;;
    esac
}
if [[ $funcstack[1] == _truebleu ]]; then
    _truebleu "$@"
else
    compdef _truebleu truebleu
fi
