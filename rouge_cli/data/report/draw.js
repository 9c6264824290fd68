// Histograms and the scatter.

// A histogram of numbers as SVG; choose(low, high) is called with the range of a bar.
function histogram(values, { labels, choose, classes = "bars", width = 480, height = 220 }) {
  const known = values.filter(value => !Number.isNaN(value));
  let low = Math.min(0, ...minMax(known)), high = Math.max(0, ...minMax(known));
  if (low === high) high = low + 1;
  // Zero is a boundary between bars, so that every bar is on one side of it.
  const step = roundStep((high - low) / 1.6 / Math.max(5, Math.min(41, Math.round(Math.sqrt(known.length) * 2))));
  low = Math.floor(low / step) * step; high = Math.ceil(high / step) * step;
  const bins = Math.round((high - low) / step), counts = new Array(bins).fill(0);
  for (const value of known) counts[Math.min(bins - 1, Math.floor((value - low) / step))]++;
  const most = Math.max(1, ...counts), left = 34, bottom = 34, top = 10;
  const x = value => left + (value - low) / (high - low) * (width - left - 10);
  const y = count => height - bottom - count / most * (height - bottom - top);
  const svg = make("svg", { viewBox: `0 0 ${width} ${height}`, class: classes, role: "img",
    "aria-label": `${labels.title}: ${known.length} evals from ${low.toFixed(3)} to ${high.toFixed(3)}` });
  counts.forEach((count, bin) => {
    if (!count) return;
    const start = low + bin * step, end = start + step, middle = (start + end) / 2;
    const bar = make("rect", { x: x(start) + .5, width: Math.max(1, x(end) - x(start) - 1), y: y(count),
      height: height - bottom - y(count), class: labels.signed && middle < 0 ? "two" : "one" },
      make("title", {}, `${count} evals from ${start.toFixed(4)} to ${end.toFixed(4)}`));
    if (choose) bar.addEventListener("click", () => choose(start, bin === bins - 1 ? Infinity : end));
    svg.append(bar);
  });
  svg.append(make("path", { class: "axis", d: `M${left} ${top}V${height - bottom}H${width - 10}` }));
  if (labels.signed) svg.append(make("line", { class: "zero", x1: x(0), x2: x(0), y1: top, y2: height - bottom }));
  const word = (text, at, above, anchor) => svg.append(make("text", { x: at, y: above, "text-anchor": anchor }, text));
  for (const tick of ticks(low, high)) word(tickText(tick), x(tick), height - bottom + 14, "middle");
  word(labels.x, (left + width) / 2, height - 5, "middle");
  word(String(most), left - 4, top + 8, "end");
  return svg;
}

// In pixels, so that letters have the same size on small screens.
const plotWidth = () => Math.max(260, Math.min(560, ($("histogram").clientWidth || 480)));

function minMax(values) {
  let low = Infinity, high = -Infinity;
  for (const value of values) { if (value < low) low = value; if (value > high) high = value; }
  return values.length ? [low, high] : [0];
}

const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// The scatter of two systems, one dot per eval. Dragging, or Shift with arrow keys, selects a rectangle.
const scatter = {
  chosen: null, // [x0, y0, x1, y1] in scores
  cross: null, // [x, y] in scores, which arrows move
  draw(places) {
    const canvas = $("scatter"), ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width) return;
    canvas.width = width * ratio; canvas.height = height * ratio;
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    let most = 0;
    for (let place = 0; place < evals.length; place++)
      most = Math.max(most, score(state.one, place) || 0, score(state.two, place) || 0);
    this.most = (most || 1) * 1.04; this.width = width; this.height = height;
    const ink = colour("--ink"), quiet = colour("--quiet"), blue = colour("--blue");
    pen.font = "12px system-ui, sans-serif"; pen.strokeStyle = quiet; pen.fillStyle = quiet;
    pen.beginPath(); pen.moveTo(...this.at(0, this.most)); pen.lineTo(...this.at(0, 0)); pen.lineTo(...this.at(this.most, 0)); pen.stroke();
    pen.setLineDash([4, 4]); pen.beginPath(); pen.moveTo(...this.at(0, 0)); pen.lineTo(...this.at(this.most, this.most)); pen.stroke(); pen.setLineDash([]);
    for (const tick of ticks(0, this.most)) {
      const [x, y] = this.at(tick, tick);
      pen.textAlign = "center"; pen.fillText(tickText(tick), x, height - 22);
      pen.textAlign = "right"; pen.fillText(tickText(tick), 36, y + 4);
    }
    pen.fillStyle = ink; pen.textAlign = "right"; pen.fillText(`${systems[state.one]} \u2192`, width - 8, height - 6);
    pen.textAlign = "left"; pen.fillText(`\u2191 ${systems[state.two]}`, 42, 14);
    const size = evals.length > 2000 ? 1.6 : evals.length > 300 ? 2.4 : 3.4, among = new Set(places);
    for (const isChosen of [false, true]) {
      pen.fillStyle = isChosen ? blue : quiet; pen.globalAlpha = isChosen ? (evals.length > 2000 ? .5 : .75) : .18;
      for (let place = 0; place < evals.length; place++) {
        if (among.has(place) !== isChosen) continue;
        const [x, y] = this.at(score(state.one, place), score(state.two, place));
        if (Number.isNaN(x + y)) continue;
        if (size < 2) pen.fillRect(x - size, y - size, 2 * size, 2 * size);
        else { pen.beginPath(); pen.arc(x, y, size, 0, 7); pen.fill(); }
      }
    }
    pen.globalAlpha = 1;
    const box = this.drag || this.chosen;
    if (box) {
      const [x0, y0] = this.at(box[0], box[1]), [x1, y1] = this.at(box[2], box[3]);
      pen.strokeStyle = colour("--focus"); pen.lineWidth = 2; pen.strokeRect(x0, y0, x1 - x0, y1 - y0);
    }
    if (this.cross && document.activeElement === canvas) {
      const [x, y] = this.at(...this.cross);
      pen.strokeStyle = colour("--focus"); pen.lineWidth = 2;
      pen.beginPath(); pen.moveTo(x - 9, y); pen.lineTo(x + 9, y); pen.moveTo(x, y - 9); pen.lineTo(x, y + 9); pen.stroke();
    }
  },
  // Move the cross by a fiftieth of the axes; while selecting, the cross is the rectangle's other corner.
  move(step, isChoosing) {
    const from = this.cross || [this.most / 2, this.most / 2];
    this.cross = from.map((value, axis) => Math.max(0, Math.min(this.most, value + step[axis] * this.most / 50)));
    this.chosen = isChoosing ? [...(this.chosen || from).slice(0, 2), ...this.cross] : null;
  },
  at(x, y) {
    return [40 + x / this.most * (this.width - 52), this.height - 38 - y / this.most * (this.height - 50)];
  },
  back(event) {
    const box = $("scatter").getBoundingClientRect();
    return [(event.clientX - box.left - 40) / (this.width - 52) * this.most,
      (this.height - 38 - (event.clientY - box.top)) / (this.height - 50) * this.most];
  },
  has(place) {
    if (!this.chosen) return true;
    const [x0, y0, x1, y1] = this.chosen, x = score(state.one, place), y = score(state.two, place);
    return x >= Math.min(x0, x1) && x <= Math.max(x0, x1) && y >= Math.min(y0, y1) && y <= Math.max(y0, y1);
  },
};

// The least of 1, 2 or 5 times a power of ten that is not below the size.
function roundStep(size) {
  const power = 10 ** Math.floor(Math.log10(size));
  return [1, 2, 5, 10].map(factor => factor * power).find(step => step >= size * (1 - 1e-9));
}

// Round numbers from low to high, at most seven.
function ticks(low, high) {
  const step = roundStep((high - low) / 6), places = [];
  for (let number = Math.ceil(low / step - 1e-9); number <= high / step + 1e-9; number++) places.push(number * step);
  return places;
}

const tickText = tick => String(Number(tick.toPrecision(6)) + 0);
