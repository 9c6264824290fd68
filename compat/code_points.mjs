// Record how js-rouge reads each code point: fixtures/others/code_points/js.json.
//
//     npm install --prefix DIR --ignore-scripts js-rouge@3.2.3
//     cp compat/code_points.mjs DIR && node DIR/code_points.mjs > fixtures/others/code_points/js.json
//
// js-rouge is a black box: equal tokens and sentences of texts with the code point (`@`) make a
// class. `lower` has what JavaScript makes of capitals. Recorded are all code points that node's
// Unicode assigns, except private ones, and some others.
import { readFileSync } from "node:fs";
import { sentenceSegment, treeBankTokenize } from "js-rouge";

const TOKENS = [
  "a@b", "a @ b", "@ a", "a @", "a@", "a.@b", "a.@", ".@ a", "b@.", "x,@", "x:@ b", '@"a" b',
  'a"@ b', "''@ a'' b", "a@''b'' c", "a@'s b", "a'll@", "cannot@", "@cannot", "@d'ye", "more'n@ b",
  "wanna@b", "'tis@",
];
const SENTENCES = ["Ab cd@Ef gh", "Ab cd.@Ef gh", "Ab cd. @f gh", "Ab c@. Ef gh"];
const ODD = [0xe000, 0xf8ff, 0xfdd0, 0xfffe, 0xffff, 0x2fe0, 0xf0000, 0x10ffff];

function points() {
  const all = [];
  for (let point = 0; point <= 0x10ffff; point++) {
    const character = String.fromCodePoint(point);
    if (ODD.includes(point) || !/[\p{Cn}\p{Co}\p{Cs}]/u.test(character)) all.push(point);
  }
  return all;
}

function outcome(call, character) {
  try {
    return call().map((part) => part.replaceAll(character, "@"));
  } catch (error) {
    return error.name;
  }
}

function ranges(numbers) {
  const spans = [];
  for (const number of numbers) {
    const last = spans.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else spans.push([number, number]);
  }
  return spans
    .map(([first, last]) => (first === last ? first.toString(16) : `${first.toString(16)}-${last.toString(16)}`))
    .join(" ");
}

function classes(templates, read) {
  const found = new Map();
  for (const point of points()) {
    const character = String.fromCodePoint(point);
    const texts = templates.map((template) => template.replace("@", () => character));
    const parts = texts.map((text) => outcome(() => read(text), character));
    const key = JSON.stringify(parts);
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(point);
  }
  return Object.fromEntries([...found].map(([key, numbers]) => [key, ranges(numbers)]));
}

const lower = {};
for (const point of points()) {
  const character = String.fromCodePoint(point);
  if (character.toLowerCase() !== character) lower[point.toString(16)] = character.toLowerCase();
}
const folder = new URL("node_modules/js-rouge/package.json", import.meta.url);
const document = {
  package: "js-rouge",
  version: JSON.parse(readFileSync(folder, "utf-8")).version,
  node: process.versions.node,
  unicode: process.versions.unicode,
  tokens: TOKENS,
  classes: classes(TOKENS, treeBankTokenize),
  sentences: SENTENCES,
  classes_of_sentences: classes(SENTENCES, sentenceSegment),
  lower,
};
console.log(JSON.stringify(document, null, 0).replaceAll('","', '",\n"').replaceAll(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`));
