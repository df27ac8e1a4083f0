let degrees = [];

function degreeText(value, positive, negative) {
  const rounded = Math.round(value * 1000) / 1000;
  return Math.abs(rounded) + '\u00b0' + (rounded === 0 || rounded === -180 ? '' : rounded < 0 ? negative : positive);
}
const meridianText = x => degreeText(x - 360 * Math.floor((x + 180) / 360), 'E', 'W');
const parallelText = y => degreeText(y, 'N', 'S');

function drawGrid() {
  const steps = [.001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 15, 30, 45];
  const step = steps.find(s => s * view.scale >= 90) || 45;
  degrees = [];
  ink.beginPath();
  polar ? tracePolarGrid(step) : traceGrid(step);
  ink.strokeStyle = colours.grid; ink.lineWidth = 1; ink.stroke();
}

function traceGrid(step) {
  for (let n = Math.ceil(toLongitude(0) / step); n * step < toLongitude(size.width); n++) {
    const x = toX(n * step);
    ink.moveTo(x, toY(90)); ink.lineTo(x, toY(-90));
    degrees.push([meridianText(n * step), x + 2, Math.min(size.height, toY(-90)) - 12]);
  }
  const top = Math.min(90, toLatitude(0)), bottom = Math.max(-90, toLatitude(size.height));
  for (let n = Math.ceil(bottom / step); n * step <= top; n++) {
    const y = toY(n * step);
    ink.moveTo(0, y); ink.lineTo(size.width, y);
    degrees.push([parallelText(n * step), 2, y - 13]);
  }
}

const isVisible = (x, y, margin) =>
  x > margin && x < size.width - margin && y > margin && y < size.height - margin;

function tracePolarGrid(step) {
  const place = (longitude, distance) => {
    const [x, y] = project(longitude, polar * (90 - distance));
    return [toX(x), toY(y)];
  };
  for (let longitude = -150; longitude <= 180; longitude += 30) {
    ink.moveTo(...place(longitude, 0)); ink.lineTo(...place(longitude, 100));
    for (let distance = 100; distance > 0; distance -= .5) {
      const [x, y] = place(longitude, distance);
      if (!isVisible(x, y, 14)) continue;
      degrees.push([meridianText(longitude), x + 2, y - 6]);
      break;
    }
  }
  for (let n = 1; n * step <= 100; n++) {
    ink.moveTo(toX(n * step), toY(0));
    ink.arc(toX(0), toY(0), n * step * view.scale, 0, 2 * Math.PI);
    for (let longitude = -165; longitude <= 165; longitude += 30) {
      const [x, y] = place(longitude, n * step);
      if (!isVisible(x, y, 24)) continue;
      degrees.push([parallelText(polar * (90 - n * step)), x + 2, y - 13]);
      break;
    }
  }
}

// The boxes of the names placed so far. They do not overlap.
let taken = [];

// Takes the first free box of that size, given its upper left corners.
function takeBox(corners, width, height) {
  for (const [x, y] of corners) {
    if (x < 2 || y < 2 || x + width > size.width - 2 || y + height > size.height) continue;
    if (taken.some(box => x < box[2] && box[0] < x + width && y < box[3] && box[1] < y + height)) continue;
    taken.push([x, y, x + width, y + height]);
    return [x, y];
  }
  return null;
}

function drawText(text, corners, font, colour, height) {
  ink.font = font;
  const corner = takeBox(corners(ink.measureText(text).width), ink.measureText(text).width, height);
  if (!corner) return false;
  ink.textBaseline = 'top'; ink.lineJoin = 'round'; ink.globalAlpha = .75;
  ink.strokeStyle = colours.page; ink.lineWidth = 3; ink.strokeText(text, corner[0], corner[1] + 1);
  ink.globalAlpha = 1; ink.fillStyle = colour; ink.fillText(text, corner[0], corner[1] + 1);
  return true;
}

const around = (x, y, distance, height) => width => [[x + distance, y - height / 2],
  [x - distance - width, y - height / 2], [x - width / 2, y - distance - height], [x - width / 2, y + distance]];

function drawNames() {
  taken = [];
  for (const [text, x, y] of degrees)
    drawText(text, () => [[x, Math.max(2, y)]], '9.5px system-ui, sans-serif', colours.degree, 12);
  const rows = marks.length + shapes.length <= 30 && data.name !== null && !isCounted ? [...marks, ...shapes] : [];
  const names = new Set(rows.map(part => part.row[data.name + 2]));
  rows.forEach(drawRowName);
  data.countries.forEach(drawCountry);
  const zoom = Math.log2(view.scale * 360 / 256) + 1.5;
  let count = 0;
  for (const [text, longitude, latitude, least] of data.places) {
    if (least / 10 > zoom || count >= 80 || names.has(text)) continue;
    const [planeX, planeY] = project(longitude, latitude);
    for (const turn of turns(planeX, planeX)) {
      const x = toX(planeX + turn), y = toY(planeY);
      if (!drawText(text, around(x, y, 4, 13), '10.5px system-ui, sans-serif', colours.place, 13)) continue;
      count++;
      ink.beginPath(); ink.arc(x, y, 1.7, 0, 7); ink.fill();
    }
  }
}

function drawRowName(part) {
  const name = part.row[data.name + 2];
  if (name === null) return;
  const text = String(name).length > 40 ? String(name).slice(0, 39) + '\u2026' : String(name);
  const [planeX, planeY] = part.rings ? [(part.west + part.east) / 2, (part.south + part.north) / 2] : [part.x, part.y];
  const distance = part.rings ? 0 : radiusOf(part) + 3;
  for (const turn of turns(planeX, planeX))
    drawText(text, around(toX(planeX + turn), toY(planeY), distance, 15), '600 12px system-ui, sans-serif', colours.ink, 15);
}

function drawCountry([name, longitude, latitude, extent]) {
  const text = name.toUpperCase(), [planeX, planeY] = project(longitude, latitude);
  ink.font = '11px system-ui, sans-serif';
  const width = ink.measureText(text).width;
  if (extent / 10 * squeeze * view.scale * 1.3 < width) return;
  for (const turn of turns(planeX, planeX)) {
    const x = toX(planeX + turn), y = toY(planeY);
    drawText(text, width => [[x - width / 2, y - 7]], ink.font, colours.country, 14);
  }
}
