// Scatters of systems' means by a metric and by people.

const WIDTH = 360, HEIGHT = 260, LEFT = 48, BOTTOM = 40;

function axis(values) {
  const [least, most] = minMax(values), room = (most - least) * .06 || .01;
  return { low: least >= 0 ? Math.max(0, least - room) : least - room, high: most + room };
}

function picture({ metric, human, dots }) {
  const across = axis(dots.map(dot => dot[1])), up = axis(dots.map(dot => dot[2]));
  const x = value => LEFT + (value - across.low) / (across.high - across.low) * (WIDTH - LEFT - 10);
  const y = value => HEIGHT - BOTTOM - (value - up.low) / (up.high - up.low) * (HEIGHT - BOTTOM - 10);
  const svg = make("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img",
    "aria-label": `Scatter of ${metric} against ${human}, one dot per system` });
  svg.append(make("path", { class: "axis", d: `M${LEFT} 10V${HEIGHT - BOTTOM}H${WIDTH - 10}` }));
  const word = (text, left, top, anchor) => svg.append(make("text", { x: left, y: top, "text-anchor": anchor }, text));
  for (const tick of ticks(across.low, across.high)) word(tickText(tick), x(tick), HEIGHT - BOTTOM + 16, "middle");
  for (const tick of ticks(up.low, up.high)) word(tickText(tick), LEFT - 4, y(tick) + 4, "end");
  word(metric, (WIDTH + LEFT) / 2, HEIGHT - 6, "middle");
  // The boxes of dots and names. A name that would cover one of them is left out.
  const taken = dots.map(([, a, b]) => [x(a) - 4, y(b) - 4, x(a) + 4, y(b) + 4]);
  for (const [name, a, b] of dots) {
    const width = 6 * name.length, isRight = x(a) > WIDTH * .6;
    svg.append(make("g", {}, make("title", {}, `${name}: ${shown(a)}, human ${shown(b)}`), make("circle", { cx: x(a), cy: y(b), r: 4.5 })));
    for (const isEnd of [isRight, !isRight]) {
      const left = isEnd ? x(a) - 7 - width : x(a) + 7, box = [left, y(b) - 5, left + width, y(b) + 5];
      if (box[0] < LEFT || box[2] > WIDTH || taken.some(other => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])) continue;
      taken.push(box);
      word(name, x(a) + (isEnd ? -7 : 7), y(b) + 4, isEnd ? "end" : "start");
      break;
    }
  }
  return make("figure", {}, make("figcaption", {}, "Systems' plain means: ", make("bdi", {}, metric), " and human ", make("bdi", {}, human)), svg);
}
