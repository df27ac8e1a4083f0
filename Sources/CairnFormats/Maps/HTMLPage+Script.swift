extension HTMLPage {
  /// The script that reads the data. `BaseMap.lineReader` comes after it.
  static let reading: StaticString = #"""

    </script>
    <script>
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

    """#

  /// The script that draws the map and the rows.
  static let drawing: StaticString = #"""
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

    """#
}
