// Which n-grams of an output match, as truebleu counts them; and the arithmetic of a score.

import { counted, fixed, report, say, valueOf } from "./data.js";

/** Return how often each n-gram of an order occurs, and where. */
function ngramsOf(tokens, order) {
  const grams = new Map();
  for (let start = 0; start + order <= tokens.length; start += 1) {
    const gram = tokens.slice(start, start + order);
    const key = gram.join(report.facts.separator);
    const known = grams.get(key);
    if (known) {
      known.places.push(start);
    } else {
      grams.set(key, { order, tokens: gram, places: [start] });
    }
  }
  return grams;
}

/** Count the n-grams of an output against its references, order by order. */
export function explained(tokens, references) {
  const orders = [];
  for (let order = 1; order <= report.facts.marks.orders; order += 1) {
    const known = references.map((reference) => ngramsOf(reference, order));
    const grams = [...ngramsOf(tokens, order).entries()].map(([key, gram]) => {
      const counts = known.map((reference) => reference.get(key)?.places.length ?? 0);
      const maximum = Math.max(0, ...counts);
      const clipped = Math.min(gram.places.length, maximum);
      return { ...gram, counts, count: gram.places.length, maximum, clipped };
    });
    orders.push(grams);
  }
  return orders;
}

/**
 * Say of every token how it matches, under one order or under all (0).
 *
 * `level` is the highest order of a match that it is part of. `clipped` is whether it is in an
 * n-gram that would have matched, had it not been there too often.
 */
export function marks(orders, length, order) {
  const all = Array.from({ length }, () => ({ level: 0, clipped: false }));
  for (const gram of orders.flat()) {
    if (order && gram.order !== order) {
      continue;
    }
    gram.places.forEach((start, index) => {
      const inside = all.slice(start, start + gram.order);
      if (index < gram.clipped) {
        inside.forEach((mark) => (mark.level = Math.max(mark.level, gram.order)));
      } else if (gram.maximum && gram.order === (order || 1)) {
        inside.forEach((mark) => (mark.clipped = true));
      }
    });
  }
  return all;
}

// What separates words, as Python splits them.
// oxlint-disable-next-line no-control-regex
export const SPACE = /[\t-\r\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/u;

/** Split a text into the characters that chrF counts, and say where each is. */
export function charactersOf(text) {
  const { lowercase, whitespace } = report.facts.marks;
  const tokens = [];
  const places = [];
  let at = 0;
  for (const character of text) {
    if (whitespace || !SPACE.test(character)) {
      tokens.push(lowercase ? character.toLowerCase() : character);
      places.push([at, at + character.length]);
    }
    at += character.length;
  }
  return { shown: text, tokens, places };
}

/** Return which reference an output is compared with by chrF: that whose counts the row has. */
export function comparedWith(tokens, references, system, segment) {
  const value = (order, name) => valueOf(`row.char_${order}_${name}`, system, segment);
  return references.findIndex((reference) =>
    explained(tokens, [reference]).every((grams, index) => {
      const matches = grams.reduce((sum, gram) => sum + gram.clipped, 0);
      const total = Math.max(0, reference.length - index);
      return matches === value(index + 1, "match") && total === value(index + 1, "ref");
    }),
  );
}

/** Find tokens in the text they are of; null if the tokenizer has changed it. */
export function aligned(text, tokens) {
  const spans = [];
  let at = 0;
  for (const token of tokens) {
    while (at < text.length && /\s/u.test(text[at]) && !text.startsWith(token, at)) {
      at += 1;
    }
    const piece = text.slice(at, at + token.length);
    const same = (report.facts.lowercase ? piece.toLowerCase() : piece) === token;
    if (!token || !same) {
      return null;
    }
    spans.push([at, at + token.length]);
    at += token.length;
  }
  return /\S/u.test(text.slice(at)) ? null : spans;
}

/** Return the numbers of one segment's score, order by order. */
export function partsOf(system, segment) {
  const { weights, skipsZeros } = report.facts.ngrams;
  const { orders } = report.facts.marks;
  const value = (name) => valueOf(name, system, segment);
  const effective = value("effective");
  const kept = weights.slice(0, effective).reduce((sum, weight) => sum + weight, 0);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const rows = [];
  for (let order = 1; order <= orders; order += 1) {
    const matches = value(`row.match_${order}`);
    const total = value(`row.total_${order}`);
    const smoothed = value(`precision_${order}`);
    const plain = total ? (100 * matches) / total : 0;
    const precision = smoothed || plain;
    // Some smoothings leave out what has no match; none counts an order that is not effective.
    const skipped = skipsZeros && !precision && value("sentence") > 0;
    const weight = order > effective || skipped || !kept ? 0 : (weights[order - 1] * all) / kept;
    rows.push({ order, matches, total, plain, smoothed, precision, weight });
  }
  return {
    rows,
    score: value("sentence"),
    penalty: value("penalty"),
    tokens: value("row.hyp_len"),
    expected: value("row.ref_len"),
  };
}

/** Write the formula with its numbers. */
export function formula(parts) {
  const counting = parts.rows.filter((row) => row.weight);
  if (!parts.score || counting.some((row) => !row.precision)) {
    return say`An order has no match, or there are no tokens: score = ${fixed(parts.score)}`;
  }
  const sum = counting
    .map((row) => `${Number(fixed(row.weight, 4))} ln ${fixed(row.precision / 100, 4)}`)
    .join(" + ");
  return `100 × ${fixed(parts.penalty, 4)} × exp(${sum || 0}) = ${fixed(parts.score)}`;
}

/** Say where the penalty comes from. */
export function penaltyLine(parts) {
  if (parts.tokens >= parts.expected) {
    return say`${parts.tokens} ≥ ${counted(parts.expected, "token")}: no brevity penalty (BP = 1)`;
  }
  if (!parts.tokens) {
    return say`no tokens against ${parts.expected}: BP = 0`;
  }
  return say`brevity penalty exp(1 − ${parts.expected} / ${parts.tokens}) = ${fixed(parts.penalty, 4)}`;
}
