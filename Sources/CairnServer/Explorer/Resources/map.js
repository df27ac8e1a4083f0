import { readTile, toX, toY, toLongitude, toLatitude } from './tiles.js';
import { drawTile, drawFences, drawFlashes, pick } from './drawing.js';

const maxZoom = 22, flashTime = 1600;

// The part of the world that is shown: its centre on the square of Web Mercator and its scale.
export class View {
  constructor() { this.x = .5; this.y = .45; this.zoom = 1; this.width = 1; this.height = 1; }
  get scale() { return 256 * 2 ** this.zoom; }
  get west() { return this.x - this.width / 2 / this.scale; }
  get east() { return this.x + this.width / 2 / this.scale; }
  get north() { return this.y - this.height / 2 / this.scale; }
  get south() { return this.y + this.height / 2 / this.scale; }
  toScreen(x, y) { return [this.width / 2 + (x - this.x) * this.scale, this.height / 2 + (y - this.y) * this.scale]; }
  toWorld(left, top) { return [this.x + (left - this.width / 2) / this.scale, this.y + (top - this.height / 2) / this.scale]; }

  // The copies of the world, side by side, that are partly visible.
  turns() {
    const turns = [];
    for (let turn = Math.floor(this.west); turn < this.east; turn++) turns.push(turn);
    return turns;
  }

  // West, south, east and north in degrees; null for the whole world.
  get box() {
    const isWide = this.east - this.west >= 1;
    if (isWide && this.north <= .01 && this.south >= .99) return null;
    const round = number => Math.round(number * 1e6) / 1e6;
    const turned = x => round(toLongitude(x - Math.floor(x)));
    return [
      isWide ? -180 : turned(this.west), this.south >= 1 ? -90 : round(toLatitude(this.south)),
      isWide ? 180 : turned(this.east), this.north <= 0 ? 90 : round(toLatitude(this.north)),
    ];
  }

  keepInside() {
    this.zoom = Math.max(Math.log2(Math.max(this.height, 256) / 256) - 1, Math.min(maxZoom, this.zoom));
    this.zoom = Math.max(0, this.zoom);
    this.x -= Math.floor(this.x);
    this.y = Math.max(0, Math.min(1, this.y));
  }

  // Shows a box in degrees.
  show([west, south, east, north]) {
    const left = toX(west), right = toX(east) + (east < west ? 1 : 0), top = toY(north), bottom = toY(south);
    this.x = (left + right) / 2;
    this.y = (top + bottom) / 2;
    const span = Math.max((right - left) / this.width, (bottom - top) / this.height, 1e-9) * 1.15;
    this.zoom = Math.min(14, Math.log2(1 / span / 256));
    this.keepInside();
  }
}

export class TileMap {
  // `on.moved()` follows every change of the view, `on.picked(feature, left, top)` a click, and
  // `on.drawn(ring)` a fence that was drawn.
  constructor(canvas, background, on) {
    Object.assign(this, { canvas, background, on, view: new View(), fences: [], flashes: [], pointers: new Map() });
    this.tiles = new Map();
    this.source = null;
    this.generation = 0;
    this.mode = null;
    this.sketch = [];
    this.ink = canvas.getContext('2d');
    new ResizeObserver(() => this.resize()).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.resize());
    this.resize();
    this.listen();
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas, ratio = devicePixelRatio || 1;
    this.view.width = Math.max(1, clientWidth);
    this.view.height = Math.max(1, clientHeight);
    this.canvas.width = Math.round(this.view.width * ratio);
    this.canvas.height = Math.round(this.view.height * ratio);
    const style = getComputedStyle(document.documentElement);
    this.colours = Object.fromEntries(['sea', 'land', 'coast', 'border', 'country', 'place', 'row', 'rim', 'fence', 'ink']
      .map(name => [name, style.getPropertyValue('--' + name).trim()]));
    // A new size empties the canvas.
    this.drawNow();
  }

  // MARK: Tiles

  // Takes tiles from the addresses that a function of zoom, column and row returns.
  setSource(source) {
    this.source = source;
    this.tiles.clear();
    this.generation++;
    this.draw();
  }

  // Loads the tiles again, and shows the old ones until then.
  reload() { this.generation++; this.draw(); }

  tile(z, x, y) {
    const key = z + '/' + x + '/' + y;
    let tile = this.tiles.get(key);
    if (!tile) this.tiles.set(key, tile = { layer: null, generation: -1, isLoading: false });
    if (tile.generation < this.generation && !tile.isLoading) this.load(tile, z, x, y);
    return tile;
  }

  async load(tile, z, x, y) {
    const { source, generation } = this;
    tile.isLoading = true;
    try {
      const response = await fetch(source(z, x, y));
      if (response.ok) tile.layer = readTile(await response.arrayBuffer());
    } catch { /* The server is away; a later change loads the tile again. */ }
    tile.isLoading = false;
    tile.generation = generation;
    if (source === this.source) this.draw();
  }

  // The tiles of the view, with the place of their corner on the screen and the width on it.
  visibleTiles() {
    if (!this.source) return [];
    const { view } = this, z = Math.max(0, Math.min(maxZoom, Math.floor(view.zoom))), count = 2 ** z;
    const first = y => Math.max(0, Math.min(count - 1, Math.floor(y * count))), found = [];
    for (let column = Math.floor(view.west * count); column <= Math.floor(view.east * count); column++)
      for (let row = first(view.north); row <= first(view.south); row++) {
        const [left, top] = view.toScreen(column / count, row / count);
        const x = (column % count + count) % count;
        found.push({ z, x, y: row, left, top, side: view.scale / count, tile: this.tile(z, x, row) });
      }
    return found.flatMap(place => place.tile.layer || place.tile.generation === this.generation ? [place] : this.replacement(place));
  }

  // A tile of a lower zoom level for one that is still missing.
  replacement(place) {
    for (let up = 1; up <= Math.min(place.z, 4); up++) {
      const z = place.z - up, x = place.x >> up, y = place.y >> up, tile = this.tiles.get(z + '/' + x + '/' + y);
      if (!tile?.layer) continue;
      const side = place.side * 2 ** up, { left, top } = place;
      return [{ tile, side, left: left - (place.x % 2 ** up) * place.side, top: top - (place.y % 2 ** up) * place.side,
        clip: [left, top, place.side] }];
    }
    return [];
  }

  trim() {
    if (this.tiles.size < 600) return;
    for (const key of [...this.tiles.keys()].slice(0, 300)) this.tiles.delete(key);
  }

  // MARK: Drawing

  draw() {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame(() => { this.isAsked = false; this.drawNow(); });
  }

  drawNow() {
    const { ink, view, colours } = this, ratio = devicePixelRatio || 1;
    ink.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.background.draw(ink, view, colours);
    const places = this.visibleTiles().filter(place => place.tile.layer);
    const most = Math.max(1, ...places.map(place => place.tile.layer.maxCount));
    for (const place of places) drawTile(ink, place, colours, most);
    this.background.drawNames(ink, view, colours);
    drawFences(ink, view, this.fences, this.sketch, colours);
    const now = performance.now();
    this.flashes = this.flashes.filter(flash => now - flash.start < flashTime);
    drawFlashes(ink, view, this.flashes, now, flashTime, colours);
    if (this.flashes.length) this.draw();
    this.trim();
  }

  // Marks a place for a moment.
  flash(longitude, latitude) {
    this.flashes.push({ x: toX(longitude), y: toY(latitude), start: performance.now() });
    this.draw();
  }

  // MARK: Movement

  moved() { this.view.keepInside(); this.draw(); this.on.moved(); }

  zoomBy(steps, left = this.view.width / 2, top = this.view.height / 2) {
    const { view } = this, [x, y] = view.toWorld(left, top);
    view.zoom += steps;
    view.zoom = Math.max(0, Math.min(maxZoom, view.zoom));
    const [newX, newY] = view.toWorld(left, top);
    view.x += x - newX;
    view.y += y - newY;
    this.moved();
  }

  panBy(right, down) {
    this.view.x += right / this.view.scale;
    this.view.y += down / this.view.scale;
    this.moved();
  }

  listen() {
    const { canvas } = this, at = event => [event.offsetX, event.offsetY];
    canvas.addEventListener('wheel', event => {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? event.deltaY * 20 : event.deltaY;
      this.zoomBy(Math.max(-1, Math.min(1, -lines / 240)), ...at(event));
    }, { passive: false });
    canvas.addEventListener('pointerdown', event => {
      canvas.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, at(event));
      this.start = at(event);
      if (this.mode === 'box') this.sketch = [this.view.toWorld(...at(event))];
    });
    canvas.addEventListener('pointermove', event => this.pointerMoved(event.pointerId, at(event)));
    canvas.addEventListener('pointerup', event => this.pointerUp(event.pointerId, at(event)));
    canvas.addEventListener('pointercancel', event => this.pointers.delete(event.pointerId));
    canvas.addEventListener('dblclick', event => this.mode === 'polygon' ? this.finishSketch() : this.zoomBy(1, ...at(event)));
    canvas.addEventListener('keydown', event => this.pressed(event));
  }

  pointerMoved(id, [left, top]) {
    const before = this.pointers.get(id);
    if (!before) return;
    this.pointers.set(id, [left, top]);
    if (this.mode === 'box') {
      const [x, y] = this.sketch[0], [newX, newY] = this.view.toWorld(left, top);
      this.sketch = [[x, y], [newX, y], [newX, newY], [x, newY]];
      return this.draw();
    }
    const other = [...this.pointers].find(([key]) => key !== id)?.[1];
    if (!other) return this.panBy(before[0] - left, before[1] - top);
    const distance = ([a, b]) => Math.max(1, Math.hypot(a - other[0], b - other[1]));
    this.zoomBy(Math.log2(distance([left, top]) / distance(before)), (left + other[0]) / 2, (top + other[1]) / 2);
  }

  pointerUp(id, [left, top]) {
    if (!this.pointers.delete(id)) return;
    const isClick = this.start && Math.hypot(left - this.start[0], top - this.start[1]) < 5;
    if (this.mode === 'box') return isClick ? this.cancelSketch() : this.finishSketch();
    if (!isClick) return;
    if (this.mode === 'polygon') { this.sketch.push(this.view.toWorld(left, top)); return this.draw(); }
    this.on.picked(pick(this.visibleTiles(), left, top), left, top);
  }

  pressed(event) {
    const step = 80, keys = {
      ArrowLeft: () => this.panBy(-step, 0), ArrowRight: () => this.panBy(step, 0),
      ArrowUp: () => this.panBy(0, -step), ArrowDown: () => this.panBy(0, step),
      '+': () => this.zoomBy(1), '=': () => this.zoomBy(1), '-': () => this.zoomBy(-1),
      Home: () => this.on.home(), Enter: () => this.finishSketch(),
      Escape: () => { this.cancelSketch(); this.on.picked(null); },
    };
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }

  // MARK: Fences

  // Begins to draw a fence: `box` or `polygon`; null ends it.
  setMode(mode) { this.mode = mode; this.sketch = []; this.draw(); }

  cancelSketch() { this.setMode(null); this.on.drawn(null); }

  finishSketch() {
    const ring = this.sketch.filter(([x, y], at) => !at || Math.hypot(x - this.sketch[at - 1][0], y - this.sketch[at - 1][1]) * this.view.scale > 2);
    if (!this.mode || ring.length < 3) return;
    this.setMode(null);
    this.on.drawn(ring.map(([x, y]) => [toLongitude(x), toLatitude(y)]));
  }
}
