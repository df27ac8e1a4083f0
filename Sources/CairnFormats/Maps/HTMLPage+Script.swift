extension HTMLPage {
  /// The part after the coast: the script that draws the map.
  static let drawing: StaticString = #"""

    </script>
    <script>
    'use strict';
    const element = id => document.getElementById(id);
    const data = JSON.parse(element('data').textContent);
    const canvas = element('map'), ink = canvas.getContext('2d'), tip = element('tip');
    const [west, south, east, north] = data.frame, squeeze = data.squeeze;
    const marks = data.rows || data.squares, isCounted = !data.rows;
    const heat = ['#f4a261', '#ec7b52', '#d94a4a', '#b02a55', '#701e5f'];
    let view, size, found = null, colours = {};

    // Steps are in fiftieths of a degree, in base 91. Every ring begins with its first vertex and
    // ends with "!".
    function readLand(text) {
      return text.split('!').map(part => {
        const codes = Array.from(part.replace(/\s/g, ''), c => c.charCodeAt(0) - 36);
        let at = 0;
        const number = () => (codes[at++] * 91 + codes[at++]) * 91 + codes[at++];
        const step = () => {
          let code = codes[at++];
          if (code === 90) code = number() + 81;
          else if (code >= 81) code = (code - 81) * 91 + codes[at++] + 81;
          return code % 2 ? -(code + 1) / 2 : code / 2;
        };
        if (codes.length < 12) return [];
        let x = number() - 9000, y = number() - 4500;
        const ring = [[x / 50, y / 50]];
        while (at < codes.length) { x += step(); y += step(); ring.push([x / 50, y / 50]); }
        return ring;
      }).filter(ring => ring.length > 3);
    }
    const withBounds = ring => {
      let [west, south] = ring[0], [east, north] = ring[0];
      for (const [x, y] of ring) {
        west = Math.min(west, x); east = Math.max(east, x);
        south = Math.min(south, y); north = Math.max(north, y);
      }
      return { ring, west, east, south, north };
    };
    const land = readLand(element('land').textContent).map(withBounds);
    const regions = data.regions.map(rings => rings.map(withBounds));
    // Large areas come first, so that they do not hide small ones.
    const shapes = data.shapes.map(row => {
      const bounds = { west: 1e9, south: 1e9, east: -1e9, north: -1e9 };
      for (const part of [...row[0], ...row[1]]) for (let at = 0; at < part.length; at += 2) {
        bounds.west = Math.min(bounds.west, part[at]); bounds.east = Math.max(bounds.east, part[at]);
        bounds.south = Math.min(bounds.south, part[at + 1]); bounds.north = Math.max(bounds.north, part[at + 1]);
      }
      return { row, rings: row[0], lines: row[1], ...bounds };
    });
    const extent = shape => (shape.east - shape.west) * (shape.north - shape.south);
    shapes.sort((a, b) => extent(b) - extent(a));

    const toX = longitude => size.width / 2 + (longitude - view.x) * squeeze * view.scale;
    const toY = latitude => size.height / 2 - (latitude - view.y) * view.scale;
    const toLongitude = x => view.x + (x - size.width / 2) / view.scale / squeeze;
    const toLatitude = y => view.y - (y - size.height / 2) / view.scale;

    function showAll() {
      view = { x: (west + east) / 2, y: (south + north) / 2,
        scale: Math.min(size.width / (east - west) / squeeze, size.height / (north - south)) };
      draw();
    }

    function zoom(factor, x = size.width / 2, y = size.height / 2) {
      const longitude = toLongitude(x), latitude = toLatitude(y);
      view.scale = Math.min(2e6, Math.max(size.width / 1080 / squeeze, view.scale * factor));
      view.x += longitude - toLongitude(x);
      view.y += latitude - toLatitude(y);
      keepInside();
    }

    function move(right, down) {
      view.x -= right / view.scale / squeeze;
      view.y += down / view.scale;
      keepInside();
    }

    function keepInside() {
      view.y = Math.max(-90, Math.min(90, view.y));
      const middle = (west + east) / 2;
      while (view.x > middle + 180) view.x -= 360;
      while (view.x < middle - 180) view.x += 360;
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
      const left = toLongitude(0), right = toLongitude(size.width);
      return [-720, -360, 0, 360, 720].filter(turn => to + turn >= left && from + turn <= right);
    }

    // There is no coast where the land was cut along the antimeridian.
    const isSeam = (a, b) => Math.abs(a[0]) === 180 && a[0] === b[0] || a[1] === -90 && b[1] === -90;

    function trace(part, isCoast = false) {
      if (part.north < toLatitude(size.height) || part.south > toLatitude(0)) return;
      for (const turn of turns(part.west, part.east)) part.ring.forEach((place, index) => {
        const x = toX(place[0] + turn), y = toY(place[1]);
        index && !(isCoast && isSeam(part.ring[index - 1], place)) ? ink.lineTo(x, y) : ink.moveTo(x, y);
      });
    }

    function drawGrid() {
      const steps = [.001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 15, 30, 45];
      const step = steps.find(s => s * view.scale >= 90) || 45;
      ink.beginPath();
      for (let l = Math.ceil(toLongitude(0) / step) * step; l < toLongitude(size.width); l += step) {
        ink.moveTo(toX(l), toY(90)); ink.lineTo(toX(l), toY(-90));
      }
      for (let l = Math.max(-90, Math.ceil(toLatitude(size.height) / step) * step);
        l <= Math.min(90, toLatitude(0)); l += step) {
        ink.moveTo(0, toY(l)); ink.lineTo(size.width, toY(l));
      }
      ink.strokeStyle = colours.grid; ink.lineWidth = 1; ink.stroke();
    }

    const most = isCounted ? marks.reduce((most, mark) => Math.max(most, mark[2]), 1) : 1;
    const bounds = [...new Set([1, 2, 3, 4, 5].map(i => Math.round(most ** (i / 5))))];
    const colourOf = count => heat[bounds.length < 2 ? 2 :
      Math.round(bounds.findIndex(bound => count <= bound) * 4 / (bounds.length - 1))];

    const radius = () => Math.min(7, (marks.length < 300 ? 4.5 : marks.length < 5000 ? 3 : 2)
      * Math.max(1, (view.scale / fullScale()) ** .25));
    const fullScale = () => Math.min(size.width / (east - west) / squeeze, size.height / (north - south));

    // A mark is drawn once and then copied, because many circles are slow.
    function stamp(radius) {
      const copy = document.createElement('canvas'), side = Math.ceil(radius + 1.5) * 2;
      copy.width = copy.height = side * size.ratio;
      const pen = copy.getContext('2d');
      pen.scale(size.ratio, size.ratio);
      pen.arc(side / 2, side / 2, radius, 0, 7);
      pen.fillStyle = colours.row; pen.globalAlpha = .82; pen.fill();
      pen.globalAlpha = 1; pen.strokeStyle = colours.rim; pen.lineWidth = .8; pen.stroke();
      return { copy, side };
    }

    // Steps of less than half a pixel are left out.
    function traceFlat(part, turn) {
      let lastX = 1e9, lastY = 1e9;
      for (let at = 0; at < part.length; at += 2) {
        const x = toX(part[at] + turn), y = toY(part[at + 1]);
        if (Math.abs(x - lastX) < .5 && Math.abs(y - lastY) < .5 && at + 2 < part.length) continue;
        at ? ink.lineTo(x, y) : ink.moveTo(x, y);
        lastX = x; lastY = y;
      }
    }

    function drawShapes() {
      const bottom = toLatitude(size.height), top = toLatitude(0);
      for (const shape of shapes) {
        if (shape.north < bottom || shape.south > top) continue;
        const isFound = found && found === shape.row;
        for (const turn of turns(shape.west, shape.east)) {
          if (extent(shape) * view.scale * view.scale < .5 && shape.rings.length) {
            ink.fillStyle = colours.row;
            ink.fillRect(toX(shape.west + turn), toY(shape.north), 1, 1);
            continue;
          }
          ink.strokeStyle = colours.row;
          if (shape.rings.length) {
            ink.beginPath(); shape.rings.forEach(ring => traceFlat(ring, turn));
            ink.globalAlpha = isFound ? .6 : .22; ink.fillStyle = colours.row; ink.fill('evenodd');
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

    function drawMarks() {
      const side = isCounted ? Math.max(2, data.square * view.scale) : 0;
      const mark = isCounted ? null : stamp(radius());
      let shown = 0;
      for (const row of marks) {
        const y = toY(row[1]);
        if (y < -10 || y > size.height + 10) continue;
        for (const turn of turns(row[0], row[0])) {
          const x = toX(row[0] + turn);
          shown += isCounted ? row[2] : 1;
          if (mark) ink.drawImage(mark.copy, x - mark.side / 2, y - mark.side / 2, mark.side, mark.side);
          else { ink.fillStyle = colourOf(row[2]); ink.fillRect(x - side / 2, y - side / 2, side, side); }
        }
      }
      document.documentElement.dataset.shown = shown + shapes.length;
    }

    function drawNow() {
      ink.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
      ink.fillStyle = colours.page; ink.fillRect(0, 0, size.width, size.height);
      ink.fillStyle = colours.sea; ink.fillRect(0, toY(90), size.width, toY(-90) - toY(90));
      ink.beginPath(); land.forEach(part => trace(part));
      ink.fillStyle = colours.land; ink.fill();
      ink.beginPath(); land.forEach(part => trace(part, true));
      ink.strokeStyle = colours.coast; ink.lineWidth = .8; ink.stroke();
      drawGrid();
      for (const rings of regions) {
        ink.beginPath(); rings.forEach(ring => trace(ring));
        ink.globalAlpha = .13; ink.fillStyle = colours.region; ink.fill('evenodd');
        ink.globalAlpha = 1; ink.strokeStyle = colours.region; ink.lineWidth = 2; ink.stroke();
      }
      drawShapes();
      drawMarks();
      if (data.origin) for (const turn of turns(data.origin[0], data.origin[0])) {
        const x = toX(data.origin[0] + turn), y = toY(data.origin[1]);
        ink.beginPath(); ink.moveTo(x - 9, y); ink.lineTo(x + 9, y); ink.moveTo(x, y - 9); ink.lineTo(x, y + 9);
        ink.strokeStyle = colours.ink; ink.lineWidth = 2; ink.stroke();
      }
      drawScale();
    }

    function drawScale() {
      const lengths = [1, 2, 5].flatMap(n => [.01, .1, 1, 10, 100, 1000].map(p => n * p)).sort((a, b) => a - b);
      const perKilometre = view.scale / 111.319 * squeeze
        / Math.max(.05, Math.cos(view.y * Math.PI / 180));
      const length = lengths.filter(l => l * perKilometre <= 140).pop() || .01;
      const bar = element('scale').firstElementChild;
      bar.style.width = length * perKilometre + 'px';
      bar.textContent = length < 1 ? Math.round(length * 1000) + ' m' : length + ' km';
    }

    """#
}

extension HTMLPage {
  /// The last part: the script for the pointer, the keys and the legend.
  static let pointing: StaticString = #"""
    function nearest(x, y) {
      let best = null, reach = isCounted ? Math.max(6, data.square * view.scale) : radius() + 6;
      for (const row of marks) for (const turn of turns(row[0], row[0])) {
        const distance = Math.hypot(toX(row[0] + turn) - x, toY(row[1]) - y);
        if (distance <= reach) { reach = distance; best = row; }
      }
      return best;
    }

    // The smallest area around a position, or a line near it.
    function shapeAt(x, y) {
      const latitude = toLatitude(y), reach = 5 / view.scale, far = reach / squeeze;
      for (let index = shapes.length - 1; index >= 0; index--) {
        const shape = shapes[index];
        if (latitude < shape.south - reach || latitude > shape.north + reach) continue;
        for (const turn of [-720, -360, 0, 360, 720]) {
          const longitude = toLongitude(x) - turn;
          if (longitude < shape.west - far || longitude > shape.east + far) continue;
          if (isInside(shape.rings, longitude, latitude)) return shape.row;
          if (shape.lines.some(line => isNear(line, longitude, latitude, reach))) return shape.row;
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

    function tell(x, y) {
      const before = found;
      found = nearest(x, y) || shapeAt(x, y);
      if (before !== found && shapes.length) draw();
      tip.hidden = !found;
      canvas.style.cursor = found ? 'pointer' : 'grab';
      if (!found) return;
      tip.textContent = '';
      const isShape = Array.isArray(found[0]);
      if (isCounted && !isShape) add(tip, 'b', found[2] + (found[2] === 1 ? ' row' : ' rows') + ' here');
      else describe(found);
      const place = (isShape ? [toLatitude(y), toLongitude(x)] : [found[1], found[0]]).map(d => Math.round(d * 1e5) / 1e5).join(', ');
      add(tip, 'span', place, 'soft');
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

    function makeLegend() {
      const legend = element('legend');
      if (isCounted) {
        add(legend, 'span', data.words + ':');
        bounds.forEach((bound, index) => {
          const least = index ? bounds[index - 1] + 1 : 1;
          const entry = add(legend, 'span');
          add(entry, 'i').style.background = colourOf(bound);
          entry.append(least === bound ? bound : least + '\u2013' + bound);
        });
      } else {
        const entry = add(legend, 'span');
        add(entry, 'i').style.cssText = 'border-radius: 50%; background: var(--row)';
        entry.append(data.words);
      }
      if (regions.length) {
        const entry = add(legend, 'span');
        add(entry, 'i').style.cssText = 'border: 2px solid var(--region); box-sizing: border-box';
        entry.append('region');
      }
      if (data.origin) add(legend, 'span', '\uff0b near ' + data.origin[1] + ', ' + data.origin[0]);
      add(legend, 'span', 'land: Natural Earth', 'soft');
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
      for (const name of ['page', 'sea', 'land', 'coast', 'grid', 'ink', 'region', 'row', 'rim'])
        colours[name] = style.getPropertyValue('--' + name).trim();
    }

    const fingers = new Map();
    canvas.addEventListener('pointerdown', event => {
      canvas.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      tell(event.clientX, event.clientY);
    });
    canvas.addEventListener('pointermove', event => {
      const before = fingers.get(event.pointerId);
      if (!before) return tell(event.clientX, event.clientY);
      const spread = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a[0] - b[0], a[1] - b[1]); };
      const old = fingers.size === 2 ? spread() : 0;
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      if (fingers.size === 2 && old > 0) zoom(spread() / old);
      move((event.clientX - before[0]) / fingers.size, (event.clientY - before[1]) / fingers.size);
    });
    for (const name of ['pointerup', 'pointercancel'])
      canvas.addEventListener(name, event => fingers.delete(event.pointerId));
    canvas.addEventListener('pointerleave', () => { tip.hidden = true; });
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
    makeLegend();
    fit();
    </script>
    </html>

    """#
}
