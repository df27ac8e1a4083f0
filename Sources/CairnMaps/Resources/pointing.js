function nearest(x, y, more) {
  let best = null, closest = 1e9;
  for (const mark of marks) {
    const reach = isCounted ? Math.max(6, data.square * view.scale) : radiusOf(mark) + more;
    for (const turn of turns(mark.x, mark.x)) {
      const distance = Math.hypot(toX(mark.x + turn) - x, toY(mark.y) - y);
      if (distance <= reach && distance <= closest) { closest = distance; best = mark; }
    }
  }
  return best;
}

// The smallest area around a position, or a line near it.
function shapeAt(x, y, more) {
  const latitude = toLatitude(y), reach = more / view.scale, far = reach / squeeze;
  for (let index = shapes.length - 1; index >= 0; index--) {
    const shape = shapes[index];
    if (latitude < shape.south - reach || latitude > shape.north + reach) continue;
    for (const turn of [-720, -360, 0, 360, 720]) {
      const longitude = toLongitude(x) - turn;
      if (longitude < shape.west - far || longitude > shape.east + far) continue;
      if (isInside(shape.rings, longitude, latitude)) return shape;
      if (shape.lines.some(line => isNear(line, longitude, latitude, reach))) return shape;
    }
  }
  return null;
}

function isInside(rings, x, y) {
  let inside = false;
  for (const ring of rings) for (let at = 2; at < ring.length; at += 2) {
    const [x0, y0, x1, y1] = [ring[at - 2], ring[at - 1], ring[at], ring[at + 1]];
    if (y0 > y !== y1 > y && x < (x1 - x0) * (y - y0) / (y1 - y0) + x0) inside = !inside;
  }
  return inside;
}

function isNear(line, x, y, reach) {
  for (let at = 2; at < line.length; at += 2) {
    const dx = (line[at] - line[at - 2]) * squeeze, dy = line[at + 1] - line[at - 1];
    const px = (x - line[at - 2]) * squeeze, py = y - line[at - 1];
    const part = Math.max(0, Math.min(1, (px * dx + py * dy) / (dx * dx + dy * dy || 1)));
    if (Math.hypot(px - part * dx, py - part * dy) <= reach) return true;
  }
  return false;
}

function add(parent, kind, text, className) {
  const child = parent.appendChild(document.createElement(kind));
  if (text !== undefined) child.textContent = text;
  if (className) child.className = className;
  return child;
}

function hideTip() {
  tip.hidden = true;
  found = null;
}

// Shows the row at a position. A finger covers more than a pointer.
function tell(x, y, isFinger) {
  const before = found;
  found = nearest(x, y, isFinger ? 22 : 6) || shapeAt(x, y, isFinger ? 18 : 5);
  if (before !== found && shapes.length) draw();
  tip.hidden = !found;
  canvas.style.cursor = found ? 'pointer' : 'grab';
  if (!found) return;
  tip.textContent = '';
  if (isCounted && !found.rings) add(tip, 'b', found.row[2] + (found.row[2] === 1 ? ' row' : ' rows') + ' here');
  else describe(found.row);
  const [longitude, latitude] = found.rings ? unproject(toLongitude(x), toLatitude(y))
    : isCounted ? unproject(found.x, found.y) : found.row;
  add(tip, 'span', [latitude, longitude].map(d => Math.round(d * 1e5) / 1e5).join(', '), 'soft');
  const box = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(x + 14, size.width - box.width - 4)) + 'px';
  tip.style.top = Math.max(4, y + 14 + box.height > size.height ? y - box.height - 10 : y + 14) + 'px';
}

function describe(row) {
  if (data.name !== null) add(tip, 'b', row[data.name + 2] === null ? '(no name)' : row[data.name + 2]);
  const list = add(tip, 'div');
  data.columns.forEach((name, index) => {
    const value = row[index + 2];
    if (index === data.name || value === null) return;
    add(list, 'dt', name);
    add(list, 'span', typeof value === 'object' ? JSON.stringify(value) : value);
  });
}

let legendKey;

// Shows the meaning of the symbols: of squares with these numbers of rows, or of marks.
function showLegend(bounds) {
  const key = JSON.stringify(bounds);
  if (key === legendKey) return;
  legendKey = key;
  const legend = element('legend');
  legend.textContent = '';
  const entry = (style, text) => {
    const own = add(legend, 'span');
    add(own, 'i').style.cssText = style;
    own.append(text);
  };
  if (bounds) {
    add(legend, 'span', data.words + ':');
    bounds.forEach((bound, index) => {
      const least = index ? bounds[index - 1] + 1 : 1;
      entry('background:' + heatOf(bound, bounds), least === bound ? bound : least + '\u2013' + bound);
    });
  } else if (data.colours) {
    add(legend, 'span', data.words);
    add(legend, 'span', data.colourTitle + ':');
    data.colourLabels.forEach((label, index) => entry('border-radius: 50%; background:' + data.colours[index], label));
  } else entry('border-radius: 50%; background: var(--row)', data.words);
  if (data.sizeLabels && !bounds) {
    add(legend, 'span', data.sizeTitle + ':');
    for (const [label, radius] of data.sizeLabels)
      entry(`border-radius: 50%; border: 1px solid; box-sizing: border-box; vertical-align: middle;
        width: ${radius * 2}px; height: ${radius * 2}px`, label);
  }
  if (regions.length) entry('border: 2px solid var(--region); box-sizing: border-box', 'region');
  if (data.origin) add(legend, 'span', '+ near ' + data.origin[1] + ', ' + data.origin[0]);
  add(legend, 'span', 'map: Natural Earth', 'soft');
}

function fit() {
  const all = size && view && Math.abs(view.scale / fullScale() - 1) < 1e-9;
  size = { width: innerWidth, height: innerHeight, ratio: devicePixelRatio || 1 };
  canvas.width = size.width * size.ratio;
  canvas.height = size.height * size.ratio;
  !view || all ? showAll() : draw();
}

function readColours() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ['page', 'sea', 'land', 'coast', 'border', 'grid', 'ink', 'region', 'row', 'rim',
    'degree', 'country', 'place'])
    colours[name] = style.getPropertyValue('--' + name).trim();
}

const fingers = new Map();
let wasMoved = false;
canvas.addEventListener('pointerdown', event => {
  canvas.setPointerCapture(event.pointerId);
  wasMoved = fingers.size > 0;
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
});
canvas.addEventListener('pointermove', event => {
  const before = fingers.get(event.pointerId);
  if (!before) return tell(event.clientX, event.clientY, event.pointerType === 'touch');
  const [right, down] = [event.clientX - before[0], event.clientY - before[1]];
  // A finger is never quite still.
  if (!wasMoved && Math.hypot(right, down) < (event.pointerType === 'touch' ? 8 : 2)) return;
  wasMoved = true;
  const spread = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a[0] - b[0], a[1] - b[1]); };
  const old = fingers.size === 2 ? spread() : 0;
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  if (fingers.size === 2 && old > 0) zoom(spread() / old);
  move(right / fingers.size, down / fingers.size);
});
canvas.addEventListener('pointerup', event => {
  fingers.delete(event.pointerId);
  if (!wasMoved) tell(event.clientX, event.clientY, event.pointerType === 'touch');
});
canvas.addEventListener('pointercancel', event => fingers.delete(event.pointerId));
// A finger that is lifted leaves the tip; a tap elsewhere hides it.
canvas.addEventListener('pointerleave', event => { if (event.pointerType !== 'touch') hideTip(); });
canvas.addEventListener('wheel', event => {
  event.preventDefault();
  zoom(1.0015 ** -event.deltaY, event.clientX, event.clientY);
}, { passive: false });
canvas.addEventListener('dblclick', event => zoom(2, event.clientX, event.clientY));
addEventListener('keydown', event => {
  const act = { '+': () => zoom(1.5), '=': () => zoom(1.5), '-': () => zoom(1 / 1.5), '0': showAll,
    ArrowLeft: () => move(80, 0), ArrowRight: () => move(-80, 0), ArrowUp: () => move(0, 80),
    ArrowDown: () => move(0, -80) }[event.key];
  if (act && !event.ctrlKey && !event.metaKey) { event.preventDefault(); act(); }
});
element('in').onclick = () => zoom(1.5);
element('out').onclick = () => zoom(1 / 1.5);
element('all').onclick = showAll;
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readColours(); draw(); });
addEventListener('resize', fit);
readColours();
fit();
