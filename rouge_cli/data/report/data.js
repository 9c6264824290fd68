"use strict";
// Everything runs in one function. Scores, intervals and p-values come from Python; nothing is computed here.
// Texts are inserted as textContent only.
(() => {
const $ = id => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const figures = ["R", "P", "F"];
const systems = data.systems, evals = data.evals;
const state = { label: data.first[0], figure: data.first[1], one: 0, two: Math.min(1, systems.length - 1) };

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
const shown = (value, sign = false) => Number.isNaN(value) ? "-"
  : (sign && value > 0 ? "+" : "") + value.toFixed(5);
const columnName = () => `${data.labels[state.label]} ${figures[state.figure]}`;

const chunks = new Map();
const placeOfText = new Map(data.texts.map((place, number) => [place, number]));
// The texts of an eval, unpacked chunk by chunk; null if the page does not contain them.
async function textsOf(place) {
  const number = placeOfText.get(place);
  if (number === undefined) return null;
  const chunk = Math.floor(number / data.atOnce);
  if (!chunks.has(chunk))
    chunks.set(chunk, unpack(data.chunks[chunk]).then(bytes => JSON.parse(new TextDecoder().decode(bytes))));
  return (await chunks.get(chunk))[number % data.atOnce];
}
