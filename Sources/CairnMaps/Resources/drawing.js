// Steps of less than half a pixel are left out.
function traceFlat(flat, turn) {
  let lastX = 1e9, lastY = 1e9;
  for (let at = 0; at < flat.length; at += 2) {
    const x = toX(flat[at] + turn), y = toY(flat[at + 1]);
    if (Math.abs(x - lastX) < .5 && Math.abs(y - lastY) < .5 && at + 2 < flat.length) continue;
    at ? ink.lineTo(x, y) : ink.moveTo(x, y);
    lastX = x; lastY = y;
  }
}

function trace(part) {
  if (part.north < toLatitude(size.height) || part.south > toLatitude(0)) return;
  for (const turn of turns(part.west, part.east)) traceFlat(part.flat, turn);
}

function strokeAll(parts, colour, width) {
  ink.beginPath(); parts.forEach(trace);
  ink.strokeStyle = colour; ink.lineWidth = width; ink.lineJoin = 'round'; ink.stroke();
}

const stepsOf = most => [...new Set([1, 2, 3, 4, 5].map(i => Math.round(most ** (i / 5))))];
const heatOf = (count, bounds) => heat[bounds.length < 2 ? 2 :
  Math.round(bounds.findIndex(bound => count <= bound) * 4 / (bounds.length - 1))];

const radius = () => Math.min(7, (marks.length < 300 ? 4.5 : marks.length < 5000 ? 3 : 2)
  * Math.max(1, (view.scale / fullScale()) ** .25));
const radiusOf = mark => data.radii ? data.radii[mark.index] : radius();
const colourOf = mark => data.classes ? data.colours[data.classes[mark.index]] : colours.row;
const shapeColour = shape => data.shapeClasses ? data.colours[data.shapeClasses[shape.index]] : colours.row;

// A mark of each colour and size is drawn once and then copied, because many circles are slow.
function stamp(stamps, colour, radius, isCrowded) {
  const key = colour + radius;
  if (stamps.has(key)) return stamps.get(key);
  const copy = document.createElement('canvas'), side = Math.ceil(radius + 1.5) * 2;
  copy.width = copy.height = side * size.ratio;
  const pen = copy.getContext('2d');
  pen.scale(size.ratio, size.ratio);
  pen.arc(side / 2, side / 2, radius, 0, 7);
  pen.fillStyle = colour; pen.globalAlpha = isCrowded ? .55 : .82; pen.fill();
  pen.globalAlpha = 1; pen.strokeStyle = colours.rim; pen.lineWidth = .8;
  if (!isCrowded) pen.stroke();
  stamps.set(key, { copy, side });
  return stamps.get(key);
}

function drawShapes() {
  const bottom = toLatitude(size.height), top = toLatitude(0);
  for (const shape of shapes) {
    if (shape.north < bottom || shape.south > top) continue;
    const isFound = found && found.row === shape.row, colour = shapeColour(shape);
    for (const turn of turns(shape.west, shape.east)) {
      if (extent(shape) * view.scale * view.scale < .5 && shape.rings.length) {
        ink.fillStyle = colour;
        ink.fillRect(toX(shape.west + turn), toY(shape.north), 1, 1);
        continue;
      }
      ink.strokeStyle = colour;
      if (shape.rings.length) {
        ink.beginPath(); shape.rings.forEach(ring => traceFlat(ring, turn));
        ink.globalAlpha = isFound ? .75 : data.shapeClasses ? .6 : .22; ink.fillStyle = colour; ink.fill('evenodd');
        ink.globalAlpha = .9; ink.lineWidth = .7; ink.stroke();
      }
      if (shape.lines.length) {
        ink.beginPath(); shape.lines.forEach(line => traceFlat(line, turn));
        ink.globalAlpha = 1; ink.lineWidth = isFound ? 3.5 : 1.6; ink.stroke();
      }
      ink.globalAlpha = 1;
    }
  }
}

// Where marks would cover each other, squares of this size in pixels show how many they are.
const square = 4;

function drawMarks() {
  const placed = [], columns = Math.ceil(size.width / square);
  const counts = new Int32Array(columns * Math.ceil(size.height / square));
  let occupied = 0, inside = 0;
  for (const mark of marks) {
    const y = toY(mark.y);
    if (y < -20 || y > size.height + 20) continue;
    for (const turn of turns(mark.x, mark.x)) {
      const x = toX(mark.x + turn);
      if (x < -20 || x > size.width + 20) continue;
      placed.push({ mark, x, y });
      if (x < 0 || x >= size.width || y < 0 || y >= size.height) continue;
      inside++;
      if (counts[Math.floor(y / square) * columns + Math.floor(x / square)]++ === 0) occupied++;
    }
  }
  const crowd = inside / Math.max(1, occupied), isStyled = data.classes || data.radii;
  if (isCounted) drawSquares(placed);
  else if (!isStyled && inside > 300 && crowd > 1.6) drawCounts(counts, columns);
  else {
    const stamps = new Map();
    for (const { mark, x, y } of placed) {
      const { copy, side } = stamp(stamps, colourOf(mark), radiusOf(mark), crowd > 1.15);
      ink.drawImage(copy, x - side / 2, y - side / 2, side, side);
    }
    showLegend(null);
  }
  const shown = placed.reduce((sum, { mark }) => sum + (isCounted ? mark.row[2] : 1), 0);
  document.documentElement.dataset.shown = shown + shapes.length;
}

function drawSquares(placed) {
  const side = Math.max(2, data.square * view.scale);
  const bounds = stepsOf(marks.reduce((most, mark) => Math.max(most, mark.row[2]), 1));
  for (const { mark, x, y } of placed) {
    ink.fillStyle = heatOf(mark.row[2], bounds);
    ink.fillRect(x - side / 2, y - side / 2, side, side);
  }
  showLegend(bounds);
}

function drawCounts(counts, columns) {
  const bounds = stepsOf(counts.reduce((most, count) => Math.max(most, count), 1));
  counts.forEach((count, index) => {
    if (!count) return;
    ink.fillStyle = heatOf(count, bounds);
    ink.fillRect(index % columns * square, Math.floor(index / columns) * square, square, square);
  });
  showLegend(bounds);
}

function drawNow() {
  ink.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
  ink.fillStyle = colours.page; ink.fillRect(0, 0, size.width, size.height);
  ink.fillStyle = colours.sea;
  if (polar) ink.fillRect(0, 0, size.width, size.height);
  else ink.fillRect(0, toY(90), size.width, toY(-90) - toY(90));
  ink.beginPath(); land.forEach(trace);
  ink.fillStyle = colours.land; ink.fill();
  strokeAll(coast, colours.coast, .8);
  strokeAll(borders, colours.border, .9);
  drawGrid();
  for (const rings of regions) {
    ink.beginPath(); rings.forEach(trace);
    ink.globalAlpha = .13; ink.fillStyle = colours.region; ink.fill('evenodd');
    ink.globalAlpha = 1; ink.strokeStyle = colours.region; ink.lineWidth = 2; ink.stroke();
  }
  drawShapes();
  drawMarks();
  if (data.origin) {
    const [planeX, planeY] = project(...data.origin);
    for (const turn of turns(planeX, planeX)) {
      const x = toX(planeX + turn), y = toY(planeY);
      ink.beginPath(); ink.moveTo(x - 9, y); ink.lineTo(x + 9, y); ink.moveTo(x, y - 9); ink.lineTo(x, y + 9);
      ink.strokeStyle = colours.ink; ink.lineWidth = 2; ink.stroke();
    }
  }
  drawNames();
  drawScale();
}

function drawScale() {
  const lengths = [1, 2, 5].flatMap(n => [.01, .1, 1, 10, 100, 1000].map(p => n * p)).sort((a, b) => a - b);
  const perKilometre = view.scale / 111.319 * squeeze
    / (polar ? 1 : Math.max(.05, Math.cos(view.y * Math.PI / 180)));
  const length = lengths.filter(l => l * perKilometre <= 140).pop() || .01;
  const bar = element('scale').firstElementChild;
  bar.style.width = length * perKilometre + 'px';
  bar.textContent = length < 1 ? Math.round(length * 1000) + ' m' : length + ' km';
}
