// What a prediction takes from the source: spans of at least three words in a row, and words that are new.

const LEAST = 3;
// Words of any alphabet; letters of scripts without blanks are words.
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}\p{N}])+/gu;
const wordsOf = text => [...text.matchAll(WORD)].map(match => ({ word: match[0].toLowerCase(), start: match.index, end: match.index + match[0].length }));
const plainText = text => text.s.map(sentence => sentence.join("")).join("\n");

// The indices of the source's words that are in the longest spans of the prediction, from left to right.
function copied(source, prediction) {
  const places = new Map(), found = new Set();
  source.forEach(({ word }, place) => { if (!places.has(word)) places.set(word, []); places.get(word).push(place); });
  for (let at = 0; at < prediction.length;) {
    let longest = 0, from = 0;
    for (const place of places.get(prediction[at].word) || []) {
      let size = 1;
      while (at + size < prediction.length && source[place + size]?.word === prediction[at + size].word) size++;
      if (size > longest) { longest = size; from = place; }
    }
    if (longest >= LEAST) for (let step = 0; step < longest; step++) found.add(from + step);
    at += Math.max(1, longest);
  }
  return found;
}

// The source with the spans that a prediction copies.
function sourceSide(lines, prediction) {
  const text = { s: lines }, words = wordsOf(plainText(text));
  const marked = copied(words, wordsOf(plainText(prediction)));
  const box = side("Source", "source", { s: [] });
  const content = box.querySelector(".text");
  content.replaceChildren();
  let at = 0, number = 0;
  for (const [line] of lines) {
    const row = make("p", { dir: "auto" });
    let done = 0;
    while (number < words.length && words[number].end <= at + line.length) {
      const first = number;
      while (marked.has(number) && words[number].end <= at + line.length) number++;
      if (number > first) {
        row.append(line.slice(done, words[first].start - at), make("mark", { class: "copied" }, line.slice(words[first].start - at, words[number - 1].end - at)));
        done = words[number - 1].end - at;
      } else number++;
    }
    row.append(line.slice(done));
    content.append(row);
    at += line.length + 1;
  }
  return box;
}

// Mark the words of a prediction that the source does not have.
function markNovel(box, lines) {
  const known = new Set(wordsOf(plainText({ s: lines })).map(({ word }) => word));
  for (const token of box.querySelectorAll("[data-token]"))
    token.classList.toggle("novel", wordsOf(token.textContent).some(({ word }) => !known.has(word)));
}
