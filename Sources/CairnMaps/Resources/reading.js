'use strict';
const element = id => document.getElementById(id);
const data = JSON.parse(element('data').textContent);
const canvas = element('map'), ink = canvas.getContext('2d'), tip = element('tip');
const [west, south, east, north] = data.frame, squeeze = data.squeeze, polar = data.polar || 0;
const isCounted = !data.rows;
const heat = ['#f4a261', '#ec7b52', '#d94a4a', '#b02a55', '#701e5f'];
let view, size, found = null, colours = {};

// The plane of the map: degrees of longitude and latitude, or degrees from a pole.
function project(longitude, latitude) {
  if (!polar) return [longitude, latitude];
  const radius = 90 - polar * latitude, angle = longitude * Math.PI / 180;
  return [radius * Math.sin(angle), -polar * radius * Math.cos(angle)];
}
function unproject(x, y) {
  if (!polar) return [x - 360 * Math.floor((x + 180) / 360), y];
  return [Math.atan2(x, -polar * y) * 180 / Math.PI, polar * (90 - Math.hypot(x, y))];
}

// A line in the plane, as x, y, x, y and so on; nothing if it is far from the pole. A parallel is
// a curve around a pole, so long steps are divided.
function projectLine(flat) {
  if (!polar) return flat;
  const line = [];
  let isNear = false;
  for (let at = 0; at < flat.length; at += 2) {
    isNear ||= polar * flat[at + 1] > -10;
    const across = at ? flat[at] - flat[at - 2] : 0, up = at ? flat[at + 1] - flat[at - 1] : 0;
    const steps = Math.max(1, Math.ceil(Math.abs(across) / 3));
    for (let step = steps - 1; step >= 0; step--)
      line.push(...project(flat[at] - across * step / steps, flat[at + 1] - up * step / steps));
  }
  return isNear ? line : [];
}

const linesOf = id => readLines(element(id).textContent.replace(/\s/g, ''));

function withBounds(flat) {
  const bounds = { flat, west: 1e9, south: 1e9, east: -1e9, north: -1e9 };
  for (let at = 0; at < flat.length; at += 2) {
    bounds.west = Math.min(bounds.west, flat[at]); bounds.east = Math.max(bounds.east, flat[at]);
    bounds.south = Math.min(bounds.south, flat[at + 1]); bounds.north = Math.max(bounds.north, flat[at + 1]);
  }
  return bounds;
}

// The cut of the land along the antimeridian is not a coast.
function coasts(flat) {
  const lines = [[flat[0], flat[1]]];
  for (let at = 2; at < flat.length; at += 2) {
    const [x0, y0, x, y] = flat.slice(at - 2, at + 2);
    if (Math.abs(x0) === 180 && x0 === x || y0 === -90 && y === -90) lines.push([]);
    lines[lines.length - 1].push(x, y);
  }
  return lines;
}

const readLand = linesOf('land');
const prepare = lines => lines.map(projectLine).filter(flat => flat.length > 2).map(withBounds);
const land = prepare(readLand), coast = prepare(readLand.flatMap(coasts));
const borders = prepare(linesOf('borders'));
const regions = data.regions.map(rings => rings.map(ring => withBounds(ring.flat())));
const marks = (data.rows || data.squares).map((row, index) => {
  const [x, y] = isCounted ? row : project(row[0], row[1]);
  return { row, index, x, y };
});
// Large marks come first, so that they do not hide small ones.
if (data.radii) marks.sort((a, b) => data.radii[b.index] - data.radii[a.index]);
// Large areas come first, so that they do not hide small ones.
const shapes = data.shapes.map((row, index) => {
  const rings = row[0].map(projectLine), lines = row[1].map(projectLine);
  const bounds = withBounds([...rings, ...lines].flatMap(part => {
    const { west, south, east, north } = withBounds(part);
    return [west, south, east, north];
  }));
  return { ...bounds, row, index, rings, lines };
});
const extent = shape => (shape.east - shape.west) * (shape.north - shape.south);
shapes.sort((a, b) => extent(b) - extent(a));

const toX = x => size.width / 2 + (x - view.x) * squeeze * view.scale;
const toY = y => size.height / 2 - (y - view.y) * view.scale;
const toLongitude = x => view.x + (x - size.width / 2) / view.scale / squeeze;
const toLatitude = y => view.y - (y - size.height / 2) / view.scale;
const fullScale = () => Math.min(size.width / (east - west) / squeeze, size.height / (north - south));

function showAll() {
  view = { x: (west + east) / 2, y: (south + north) / 2, scale: fullScale() };
  hideTip();
  draw();
}

function zoom(factor, x = size.width / 2, y = size.height / 2) {
  const [planeX, planeY] = [toLongitude(x), toLatitude(y)];
  view.scale = Math.min(2e6, Math.max(size.width / 1080 / squeeze, view.scale * factor));
  view.x += planeX - toLongitude(x);
  view.y += planeY - toLatitude(y);
  keepInside();
}

function move(right, down) {
  view.x -= right / view.scale / squeeze;
  view.y += down / view.scale;
  keepInside();
}

// The map can be turned round the earth, but not moved beyond the poles.
function keepInside() {
  view.y = Math.max(-90, Math.min(90, view.y));
  const middle = (west + east) / 2;
  if (polar) view.x = Math.max(-90, Math.min(90, view.x));
  else view.x -= 360 * Math.round((view.x - middle) / 360);
  hideTip();
  draw();
}

let isAsked = false;
function draw() {
  if (isAsked) return;
  isAsked = true;
  requestAnimationFrame(() => { isAsked = false; drawNow(); });
}

// The rotations in which something between two meridians is visible.
function turns(from, to) {
  if (polar) return [0];
  const left = toLongitude(0), right = toLongitude(size.width);
  return [-720, -360, 0, 360, 720].filter(turn => to + turn >= left && from + turn <= right);
}
