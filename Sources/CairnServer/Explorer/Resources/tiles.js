// Web Mercator: the world as a square with sides of 1, from the west and from the north.
const maxLatitude = 85.0511287798;
export const toX = longitude => longitude / 360 + .5;
export const toY = latitude => {
  const sine = Math.sin(Math.max(-maxLatitude, Math.min(maxLatitude, latitude)) * Math.PI / 180);
  return .5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
};
export const toLongitude = x => (x - .5) * 360;
export const toLatitude = y => Math.atan(Math.sinh((.5 - y) * 2 * Math.PI)) * 180 / Math.PI;

export const POINT = 1, LINE = 2, POLYGON = 3;

// A message in the encoding of Protocol Buffers.
class Message {
  constructor(bytes, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  number() {
    let value = 0, factor = 1, byte;
    do {
      byte = this.bytes[this.at++];
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte > 127);
    return value;
  }

  part() {
    const length = this.number();
    this.at += length;
    return new Message(this.bytes, this.at - length, this.at);
  }

  text() {
    return new TextDecoder().decode(this.bytes.subarray(this.at, this.end));
  }

  numbers() {
    const list = [];
    while (this.at < this.end) list.push(this.number());
    return list;
  }

  float(size) {
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + this.at, size);
    this.at += size;
    return size === 4 ? view.getFloat32(0, true) : view.getFloat64(0, true);
  }

  // Calls the function of each field, which reads the field's value.
  read(fields) {
    while (this.at < this.end) {
      const key = this.number(), field = fields[key >> 3];
      if (field) field(this); else this.skip(key & 7);
    }
  }

  skip(type) {
    if (type === 0) this.number();
    else if (type === 2) this.part();
    else this.at += type === 1 ? 8 : 4;
  }
}

const unzigzag = number => number % 2 ? -(number + 1) / 2 : number / 2;

function readValue(message) {
  let value = null;
  message.read({
    1: m => value = m.part().text(), 2: m => value = m.float(4), 3: m => value = m.float(8),
    4: m => value = m.number(), 5: m => value = m.number(),
    6: m => value = unzigzag(m.number()), 7: m => value = m.number() === 1,
  });
  return value;
}

// The points, lines or rings of a geometry, each as x, y, x, y and so on.
function readGeometry(message) {
  const parts = [];
  let x = 0, y = 0, part = null;
  while (message.at < message.end) {
    const command = message.number();
    if ((command & 7) === 7) { part.push(part[0], part[1]); continue; }
    for (let count = command >> 3; count > 0; count--) {
      x += unzigzag(message.number());
      y += unzigzag(message.number());
      if ((command & 7) === 1) parts.push(part = [x, y]); else part.push(x, y);
    }
  }
  return parts;
}

class Feature {
  constructor(message, layer) {
    this.layer = layer;
    this.id = null;
    this.type = 0;
    this.parts = [];
    this.tagNumbers = [];
    message.read({
      1: m => this.id = m.number(), 2: m => this.tagNumbers = m.part().numbers(),
      3: m => this.type = m.number(), 4: m => this.parts = readGeometry(m.part()),
    });
  }

  // Names and values of the attributes.
  get tags() {
    const tags = [];
    for (let at = 0; at < this.tagNumbers.length; at += 2)
      tags.push([this.layer.keys[this.tagNumbers[at]], this.layer.values[this.tagNumbers[at + 1]]]);
    return tags;
  }

  // The number of rows in a cell; 0 for a row.
  get cellCount() {
    if (this.id !== null || this.type !== POINT || this.tagNumbers.length !== 2) return 0;
    const [name, value] = this.tags[0];
    return /^count_*$/.test(name) && typeof value === 'number' ? value : 0;
  }
}

// Reads a vector tile with one layer.
export function readTile(buffer) {
  const layer = { keys: [], values: [], extent: 4096, features: [] }, messages = [];
  new Message(new Uint8Array(buffer)).read({
    3: tile => tile.part().read({
      2: m => messages.push(m.part()), 3: m => layer.keys.push(m.part().text()),
      4: m => layer.values.push(readValue(m.part())), 5: m => layer.extent = m.number(),
    }),
  });
  layer.features = messages.map(message => new Feature(message, layer));
  layer.counts = layer.features.map(feature => feature.cellCount);
  layer.maxCount = Math.max(0, ...layer.counts);
  return layer;
}
