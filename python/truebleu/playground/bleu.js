// BLEU of one segment, step by step: tokens, n-grams, clipping, precisions, brevity penalty.

// What separates words, as Python splits them.
// oxlint-disable-next-line no-control-regex
const SPACES = /[\t-\r\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/u;

const words = (text) => text.split(SPACES).filter(Boolean);

/** The tokenizers by name. */
export const TOKENIZERS = {
  // mteval's: entities are read, symbols stand alone, and full stops and commas outside numbers.
  "13a": (text) => {
    const read = text
      .replaceAll("<skipped>", "")
      .replaceAll("-\n", "")
      .replaceAll("\n", " ")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">");
    return words(
      ` ${read} `
        .replaceAll(/[{-~[-` -&(-+:-@/]/gu, " $& ")
        .replaceAll(/([^0-9])([.,])/gu, "$1 $2 ")
        .replaceAll(/([.,])([^0-9])/gu, " $1 $2")
        .replaceAll(/([0-9])(-)/gu, "$1 $2 "),
    );
  },
  none: words,
  char: (text) => [...text].filter((character) => !SPACES.test(character)),
};

/** Return the n-grams of an order: for each, where it begins. */
function ngramsOf(tokens, order) {
  const grams = new Map();
  for (let start = 0; start + order <= tokens.length; start += 1) {
    const gram = tokens.slice(start, start + order);
    // No token has a space in it.
    const key = gram.join(" ");
    const known = grams.get(key);
    if (known) {
      known.places.push(start);
    } else {
      grams.set(key, { key, order, tokens: gram, places: [start] });
    }
  }
  return grams;
}

/** Count the n-grams of an order, each at most as often as in the reference that has most of it. */
function clipped(tokens, references, order) {
  const known = references.map((reference) => ngramsOf(reference, order));
  return [...ngramsOf(tokens, order).values()].map((gram) => {
    const found = known.map((reference) => reference.get(gram.key)?.places ?? []);
    const counts = found.map((places) => places.length);
    const most = Math.max(0, ...counts);
    return { ...gram, found, counts, count: gram.places.length, most, match: Math.min(gram.places.length, most) };
  });
}

/** Return the length of the reference that is closest; of two as close, the shorter. */
function closest(length, lengths) {
  const away = (each) => Math.abs(each - length);
  return lengths.reduce((best, each) =>
    away(each) < away(best) || (away(each) === away(best) && each < best) ? each : best,
  );
}

/** Turn matches and totals into precisions, in percent, under a smoothing. */
function smoothed(matches, totals, smoothing, value) {
  let halving = 1;
  let reached = 0;
  const precisions = [];
  for (const [index, plain] of matches.entries()) {
    const added = smoothing === "add-k" && index > 0 ? value : 0;
    const match = plain + added;
    const total = totals[index] + added;
    if (total === 0) {
      break;
    }
    reached = index + 1;
    if (match > 0) {
      precisions.push((100 * match) / total);
    } else if (smoothing === "exp") {
      halving *= 2;
      precisions.push(100 / (halving * total));
    } else {
      precisions.push(smoothing === "floor" ? (100 * value) / total : 0);
    }
  }
  return { precisions, reached };
}

/** What `add-k` and `floor` add, or put in the place of 0. */
export const VALUES = { exp: null, floor: 0.1, "add-k": 1, none: null };

/**
 * Score a hypothesis against references.
 *
 * `settings` are `tokenizer`, `lowercase`, `order` (the highest), `smoothing` and `effective`
 * (whether orders that the hypothesis is too short for are left out).
 */
export function explain(hypothesis, references, settings) {
  const split = (text) => {
    const cased = settings.lowercase ? text.toLowerCase() : text;
    return TOKENIZERS[settings.tokenizer](cased);
  };
  const tokens = split(hypothesis);
  const others = references.map(split);
  const orders = Array.from({ length: settings.order }, (_, index) => clipped(tokens, others, index + 1));
  const matches = orders.map((grams) => grams.reduce((sum, gram) => sum + gram.match, 0));
  const totals = orders.map((_, index) => Math.max(0, tokens.length - index));
  const expected = closest(tokens.length, others.map((reference) => reference.length));
  const short = tokens.length < expected;
  const penalty = short ? (tokens.length ? Math.exp(1 - expected / tokens.length) : 0) : 1;
  const value = VALUES[settings.smoothing];
  const { precisions, reached } = smoothed(matches, totals, settings.smoothing, value);
  const used = settings.effective ? reached : settings.order;
  const anything = matches.some(Boolean);
  const whole = precisions.length >= used && precisions.every((each) => each > 0);
  const logs = precisions.map((precision) => Math.log(precision / 100));
  const mean = anything && whole && used ? Math.exp(logs.reduce((sum, each) => sum + each, 0) / used) : 0;
  const score = Math.min(100, 100 * penalty * mean);
  return { tokens, references: others, orders, matches, totals, precisions, used, expected, penalty, mean, score };
}

/** Say of every token of the hypothesis the highest order of a match that it is part of. */
export function marks(explained, order) {
  const all = explained.tokens.map(() => ({ level: 0, clipped: false }));
  for (const gram of explained.orders.flat()) {
    if (order && gram.order !== order) {
      continue;
    }
    gram.places.forEach((start, index) => {
      const inside = all.slice(start, start + gram.order);
      if (index < gram.match) {
        inside.forEach((mark) => (mark.level = Math.max(mark.level, gram.order)));
      } else if (gram.most && gram.order === (order || 1)) {
        inside.forEach((mark) => (mark.clipped = true));
      }
    });
  }
  return all;
}
