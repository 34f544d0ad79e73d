// How the search ranks what it finds: pages that explain go before those that list.
// The other values are Sphinx's own.
var Scorer = {
  score: ([page, , , , score]) => {
    if (/^(generated\/|conformance|benchmarks|reliability)/.test(page)) return score - 2;
    if (page.startsWith("ko/")) return score - 1;
    return /^(cookbook|course|build)\//.test(page) ? score + 1 : score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
