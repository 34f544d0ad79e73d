// How the search ranks what it finds: sections whose titles or keywords have the words go first,
// then pages that explain, then those that list. The other values are Sphinx's own.
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

// All sections: their place, their title, and sets of words, of the title first.
function sectionsOf({ docnames, filenames, titles, alltitles }, stems) {
  const sections = new Map();
  for (const [title, places] of Object.entries(alltitles)) {
    for (const [file, id] of places) {
      const name = titles[file] === title ? title : `${titles[file]} > ${title}`;
      const place = id ? `${docnames[file]}#${id}` : docnames[file];
      const result = [docnames[file], name, id ? `#${id}` : "", null, 0, filenames[file], "title"];
      const keywords = (KEYWORDS[place] || "").split(", ").filter(Boolean);
      sections.set(place, { result, phrases: [title, ...keywords].map(stems) });
    }
  }
  return [...sections.values()];
}

// A keyword that is the query has 100, a title or a keyword with all its words from 20 to 90, and a
// section that has half of its rarer words, here and there, at most 15.
function rank(phrases, wanted, rarity) {
  const all = (words) => wanted.every((word) => words.has(word));
  const whole = phrases.map((words, place) =>
    all(words) ? (place ? 40 : 20) + ((place ? 60 : 50) * wanted.length) / words.size : 0,
  );
  const has = (word) => phrases.some((words) => words.has(word));
  const sum = (words) => words.reduce((total, word) => total + rarity(word), 0);
  const share = sum(wanted.filter(has)) / sum(wanted);
  return Math.max(...whole, wanted.length > 1 && share >= 0.5 ? 15 * share : 0);
}

// How well the text of each section fits, from 0 to 12: by BM25, for sections that have most words.
function rankTexts(wanted) {
  const [lengths, index] = SECTIONS;
  const places = Object.keys(lengths);
  const average = Object.values(lengths).reduce((sum, length) => sum + length) / places.length;
  const found = new Map();
  let most = 0;
  for (const word of wanted) {
    const times = Object.hasOwn(index, word) ? index[word] : [];
    const rarity = Math.log(1 + places.length / (1 + times.length / 2));
    most += rarity;
    for (let at = 0; at < times.length; at += 2) {
      const place = places[times[at]];
      const [score, share] = found.get(place) || [0, 0];
      const long = 1.2 * (0.25 + (0.75 * lengths[place]) / average);
      const part = (rarity * times[at + 1]) / (times[at + 1] + long);
      found.set(place, [score + part, share + rarity]);
    }
  }
  const best = Math.max(...[...found.values()].map(([score]) => score));
  for (const [place, [score, share]] of found) {
    found.set(place, share >= 0.6 * most ? (12 * score) / best : 0);
  }
  return found;
}

const searchPages = Search._performSearch;
Search._performSearch = (query, ...terms) => {
  const stemmer = new Stemmer();
  const stems = (text) => {
    const words = splitQuery(text.toLowerCase());
    const telling = words.filter((word) => !stopwords.has(word));
    return new Set((telling.length ? telling : words).map((word) => stemmer.stemWord(word)));
  };
  const sections = sectionsOf(Search._index, stems);
  const wanted = [...stems(query)];
  const count = (word) => sections.filter(({ phrases }) => phrases.some((p) => p.has(word))).length;
  const counts = Object.fromEntries(wanted.map((word) => [word, count(word)]));
  const rarity = (word) => Math.log(1 + sections.length / (1 + counts[word]));
  const texts = rankTexts(wanted);
  for (const { result, phrases } of sections) {
    result[4] = rank(phrases, wanted, rarity) + (texts.get(result[0] + result[2]) || 0);
  }
  const found = sections.map(({ result }) => result).filter((result) => result[4] > 0);
  for (const result of found) result[4] = Scorer.score(result);
  const best = new Map();
  // Titles are among those found.
  const others = searchPages(query, ...terms).filter((result) => result[6] !== "title");
  for (const result of [...others, ...found]) {
    const place = result[0] + result[2];
    if (!(best.get(place)?.[4] >= result[4])) best.set(place, result);
  }
  return [...best.values()].sort(_orderResultsByScoreThenName);
};
