import { POINT, LINE, POLYGON, toX, toY } from './tiles.js';

const heat = ['#f4a261', '#ec7b52', '#d94a4a', '#b02a55', '#701e5f'], cells = 64;

function trace(ink, feature, { left, top, side }) {
  const unit = side / feature.layer.extent;
  for (const part of feature.parts) {
    ink.moveTo(left + part[0] * unit, top + part[1] * unit);
    for (let at = 2; at < part.length; at += 2) ink.lineTo(left + part[at] * unit, top + part[at + 1] * unit);
  }
}

export function drawTile(ink, place, colours, most) {
  const { layer } = place.tile, { left, top, side } = place, [x, y, width] = place.clip || [left, top, side];
  ink.save();
  ink.beginPath();
  ink.rect(x, y, width, width);
  // A mark at the edge reaches into the neighbour.
  if (layer.features.some(feature => feature.type !== POINT) || place.clip) ink.clip();
  drawShapes(ink, layer, place, colours);
  drawCells(ink, layer, place, most);
  drawPoints(ink, layer, place, colours);
  ink.restore();
}

function drawShapes(ink, layer, place, colours) {
  for (const type of [POLYGON, LINE]) {
    const shapes = layer.features.filter(feature => feature.type === type);
    if (!shapes.length) continue;
    for (const feature of shapes) {
      ink.beginPath();
      trace(ink, feature, place);
      ink.globalAlpha = .3;
      ink.fillStyle = colours.row;
      if (type === POLYGON) ink.fill('evenodd');
      ink.globalAlpha = 1;
      ink.strokeStyle = colours.row;
      ink.lineWidth = type === LINE ? 1.8 : 1;
      ink.stroke();
    }
  }
}

// Cells are squares; the logarithm of the number of rows chooses the colour.
function drawCells(ink, layer, { left, top, side }, most) {
  if (!layer.maxCount) return;
  const unit = side / layer.extent, width = side / cells, steps = Math.max(Math.log(most), 1e-9);
  ink.globalAlpha = .85;
  layer.features.forEach((feature, index) => {
    const count = layer.counts[index];
    if (!count) return;
    const [x, y] = feature.parts[0];
    ink.fillStyle = heat[Math.min(4, Math.floor(Math.log(count) / steps * 5))];
    ink.fillRect(left + x * unit - width / 2, top + y * unit - width / 2, width + .3, width + .3);
  });
  ink.globalAlpha = 1;
}

function drawPoints(ink, layer, { left, top, side }, colours) {
  const unit = side / layer.extent, radius = layer.features.length > 1000 ? 2.5 : 4;
  ink.fillStyle = colours.row;
  ink.strokeStyle = colours.rim;
  ink.lineWidth = 1;
  layer.features.forEach((feature, index) => {
    if (feature.type !== POINT || layer.counts[index]) return;
    for (const [x, y] of feature.parts) {
      ink.beginPath();
      ink.arc(left + x * unit, top + y * unit, radius, 0, 7);
      ink.fill();
      if (radius > 3) ink.stroke();
    }
  });
}

function traceRing(ink, view, ring) {
  for (const turn of [-1, 0, 1]) {
    ring.forEach(([x, y], at) => at ? ink.lineTo(...view.toScreen(x + turn, y)) : ink.moveTo(...view.toScreen(x + turn, y)));
    ink.closePath();
  }
}

export function drawFences(ink, view, fences, sketch, colours) {
  ink.save();
  ink.strokeStyle = ink.fillStyle = colours.fence;
  ink.lineWidth = 2;
  for (const ring of [...fences.map(fence => fence.ring.map(([a, b]) => [toX(a), toY(b)])), sketch]) {
    if (!ring.length) continue;
    ink.setLineDash(ring === sketch ? [6, 4] : []);
    ink.beginPath();
    traceRing(ink, view, ring);
    ink.globalAlpha = .12;
    ink.fill();
    ink.globalAlpha = 1;
    ink.stroke();
  }
  for (const [x, y] of sketch) {
    ink.beginPath();
    ink.arc(...view.toScreen(x, y), 3.5, 0, 7);
    ink.fill();
  }
  ink.restore();
}

export function drawFlashes(ink, view, flashes, now, time, colours) {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  ink.save();
  ink.strokeStyle = colours.fence;
  ink.lineWidth = 3;
  for (const { x, y, start } of flashes) {
    const age = isCalm ? .4 : (now - start) / time;
    ink.globalAlpha = 1 - age;
    for (const turn of view.turns()) {
      ink.beginPath();
      ink.arc(...view.toScreen(x + turn, y), 6 + 22 * age, 0, 7);
      ink.stroke();
    }
  }
  ink.restore();
}

// The square of the distance from a point to a segment.
function distance(x, y, x0, y0, x1, y1) {
  const [right, down] = [x1 - x0, y1 - y0], length = right * right + down * down;
  const share = length ? Math.max(0, Math.min(1, ((x - x0) * right + (y - y0) * down) / length)) : 0;
  return (x - x0 - share * right) ** 2 + (y - y0 - share * down) ** 2;
}

function isInside(parts, x, y) {
  let isIn = false;
  for (const part of parts)
    for (let at = 2; at < part.length; at += 2) {
      const [x0, y0, x1, y1] = part.slice(at - 2, at + 2);
      if (y0 > y !== y1 > y && x < x0 + (y - y0) / (y1 - y0) * (x1 - x0)) isIn = !isIn;
    }
  return isIn;
}

// The feature under a point of the screen: the nearest mark or line, or the smallest area.
export function pick(places, left, top) {
  let best = null, least = 100;
  for (const place of places) {
    const { layer } = place.tile;
    if (!layer) continue;
    const unit = layer.extent / place.side, x = (left - place.left) * unit, y = (top - place.top) * unit;
    for (const feature of layer.features) {
      const from = feature.type === POINT
        ? Math.min(...feature.parts.map(([a, b]) => (x - a) ** 2 + (y - b) ** 2))
        : Math.min(...feature.parts.flatMap(part => part.length < 4 ? [] :
          Array.from({ length: part.length / 2 - 1 }, (_, at) => distance(x, y, ...part.slice(at * 2, at * 2 + 4)))));
      const pixels = feature.type === POLYGON && isInside(feature.parts, x, y) ? 99 : from / unit / unit;
      if (pixels < least) [best, least] = [feature, pixels];
    }
  }
  return best;
}
