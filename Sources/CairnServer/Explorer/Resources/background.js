import { toX, toY } from './tiles.js';

// `readLines` is the script of the maps, which comes before this text in the file that the server sends.
/* global readLines */

// A line with its path on the square of Web Mercator. The cut of the land along the edge of the
// map is part of the area, but not of the coast.
function prepare(vertices) {
  const area = new Path2D(), line = new Path2D();
  let west = 1, east = 0, north = 1, south = 0, before = null;
  for (let at = 0; at < vertices.length; at += 2) {
    const longitude = vertices[at], latitude = vertices[at + 1];
    const x = toX(longitude), y = toY(latitude);
    if (before) area.lineTo(x, y); else area.moveTo(x, y);
    const isEdge = before && (Math.abs(longitude) === 180 && before[0] === longitude || latitude === -90 && before[1] === -90);
    if (before && !isEdge) line.lineTo(x, y); else line.moveTo(x, y);
    before = [longitude, latitude];
    west = Math.min(west, x); east = Math.max(east, x);
    north = Math.min(north, y); south = Math.max(south, y);
  }
  return { area, line, west, east, north, south };
}

export class Background {
  constructor() { this.land = []; this.borders = []; this.countries = []; this.places = []; }

  async load() {
    const data = await (await fetch('explorer/basemap.json')).json();
    this.land = readLines(data.land).map(prepare);
    this.borders = readLines(data.borders).map(prepare);
    const named = ([text, longitude, latitude, number]) =>
      ({ text, x: toX(longitude), y: toY(latitude), number });
    this.countries = data.countries.map(named);
    this.places = data.places.map(named);
  }

  draw(ink, view, colours) {
    ink.fillStyle = colours.sea;
    ink.fillRect(0, 0, view.width, view.height);
    for (const turn of view.turns()) {
      const isVisible = part => part.east + turn >= view.west && part.west + turn <= view.east
        && part.south >= view.north && part.north <= view.south;
      ink.save();
      ink.translate(view.width / 2 + (turn - view.x) * view.scale, view.height / 2 - view.y * view.scale);
      ink.scale(view.scale, view.scale);
      ink.lineJoin = 'round';
      ink.lineWidth = 1 / view.scale;
      const land = this.land.filter(isVisible);
      ink.fillStyle = colours.land;
      for (const part of land) ink.fill(part.area);
      ink.strokeStyle = colours.coast;
      for (const part of land) ink.stroke(part.line);
      ink.strokeStyle = colours.border;
      for (const part of this.borders.filter(isVisible)) ink.stroke(part.line);
      ink.restore();
    }
  }

  // The most important names that fit without covering each other.
  drawNames(ink, view, colours) {
    const taken = [];
    const place = (name, font, colour, turn, below) => {
      const [x, y] = view.toScreen(name.x + turn, name.y);
      if (x < 0 || y < 0 || x > view.width || y > view.height) return;
      ink.font = font;
      const half = ink.measureText(name.text).width / 2 + 4, top = y + below - 9;
      const box = [x - half, top, x + half, top + 18];
      if (taken.some(b => b[0] < box[2] && box[0] < b[2] && b[1] < box[3] && box[1] < b[3])) return;
      taken.push(box);
      ink.strokeStyle = colours.land;
      ink.strokeText(name.text, x, y + below);
      ink.fillStyle = colour;
      ink.fillText(name.text, x, y + below);
      if (below) { ink.beginPath(); ink.arc(x, y, 1.5, 0, 7); ink.fill(); }
    };
    ink.save();
    ink.textAlign = 'center'; ink.textBaseline = 'middle'; ink.lineWidth = 3; ink.lineJoin = 'round';
    for (const turn of view.turns()) {
      for (const name of this.countries) {
        const width = name.number / 3600 * view.scale;
        if (width > 60 && width < view.width * 3) place(name, '600 12px system-ui, sans-serif', colours.country, turn, 0);
      }
      for (const name of this.places) {
        if (name.number > view.zoom * 10) break;
        place(name, '12px system-ui, sans-serif', colours.place, turn, 10);
      }
    }
    ink.restore();
  }
}
