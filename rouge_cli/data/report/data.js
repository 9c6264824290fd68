"use strict";
// Everything runs in one function. Scores, intervals and p-values come from Python; none is computed here.
// Texts are inserted as textContent only.
(() => {
const $ = id => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const figures = ["R", "P", "F"];
const systems = data.systems, evals = data.evals;
// What is shown, besides `view`, the open eval. The address keeps both.
const state = { label: data.first[0], figure: data.first[1], one: data.best[0], two: data.best[1],
  pair: false, own: false, stop: false };

// An element with attributes and children; strings become text.
function make(name, attributes = {}, ...children) {
  const isPicture = ["svg", "rect", "line", "circle", "path", "text", "title", "g"].includes(name);
  const element = isPicture ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

// A name, which does not break at its hyphens.
const named = name => make("bdi", { class: name.length <= 32 ? "id short" : "id" }, name);

// Open what an element is folded in.
function reveal(element) {
  for (let box = element.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
}

async function unpack(packed) {
  const letters = atob(packed), bytes = new Uint8Array(letters.length);
  for (let place = 0; place < letters.length; place++) bytes[place] = letters.charCodeAt(place);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

const MISSING = -(2 ** 31);
let scores = new Int32Array(0);
// The score of an eval, NaN if it has none.
function score(system, place, label = state.label, figure = state.figure) {
  const value = scores[((label * 3 + figure) * systems.length + system) * evals.length + place];
  return value === MISSING || value === undefined ? NaN : value * data.unit;
}
const difference = place => score(state.one, place) - score(state.two, place);
// A number of fixed decimals, never -0.0.
function shown(value, sign = false, digits = 5) {
  if (Number.isNaN(value)) return "-";
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : (sign && value > 0 ? "+" : "") + text;
}
const columnName = () => `${data.labels[state.label]} ${figures[state.figure]}`;

let beginnings = [];
const chunks = new Map();
const seatOfText = new Map(data.texts.flatMap((places, chunk) => places.map((place, seat) => [place, [chunk, seat]])));
// The texts of an eval, unpacked chunk by chunk; null if the page does not contain them.
async function textsOf(place) {
  if (!seatOfText.has(place)) return null;
  const [chunk, seat] = seatOfText.get(place);
  if (!chunks.has(chunk)) chunks.set(chunk, unpack(data.chunks[chunk]).then(asJson));
  return (await chunks.get(chunk))[seat];
}
const asJson = bytes => JSON.parse(new TextDecoder().decode(bytes));
