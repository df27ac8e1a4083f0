const element = (name, text = '', attributes = {}) => {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

// A value as the text of a cell.
export function cellText(value) {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return numberText(value);
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > 120 ? text.slice(0, 119) + '…' : text;
}

// A number with its digits in groups of three.
export function numberText(number) {
  if (Number.isInteger(number) && Math.abs(number) < 1e4) return String(number);
  const style = Number.isInteger(number) ? {} : { maximumSignificantDigits: 9 };
  return number.toLocaleString('en', style).replaceAll(',', '\u202f');
}

// The middle of the box around a geometry: longitude and latitude; null without one.
export function middle(geometry) {
  let box = [Infinity, Infinity, -Infinity, -Infinity];
  const visit = part => {
    if (typeof part?.[0] === 'number')
      box = [Math.min(box[0], part[0]), Math.min(box[1], part[1]), Math.max(box[2], part[0]), Math.max(box[3], part[1])];
    else part?.forEach(visit);
  };
  visit(geometry?.coordinates);
  geometry?.geometries?.forEach(one => visit(one.coordinates));
  return box[0] > box[2] ? null : [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
}

export class Table {
  // `on.sorted(name)` follows a click on a column, `on.chosen(feature)` one on a row.
  constructor(table, on) { Object.assign(this, { table, on, rows: new Map() }); }

  // Shows features with their properties in columns.
  show(features, { names, sortable, sort, itemURL }) {
    this.table.tHead.replaceChildren(this.header(names, sortable, sort));
    this.rows = new Map();
    this.table.tBodies[0].replaceChildren(...features.map(feature => {
      const row = element('tr'), head = element('th', '', { scope: 'row' });
      head.append(element('a', String(feature.id), { href: itemURL(feature.id) }));
      row.append(head, ...names.map(name => {
        const value = feature.properties?.[name];
        return element('td', cellText(value), typeof value === 'number' ? { class: 'number' } : {});
      }));
      const place = middle(feature.geometry);
      if (place) {
        const cell = element('td'), button = element('button', '◎', { type: 'button', 'aria-label': `Show ${feature.id} on the map` });
        button.addEventListener('click', () => this.on.chosen(place));
        cell.append(button);
        row.append(cell);
      } else row.append(element('td'));
      this.rows.set(String(feature.id), row);
      return row;
    }));
  }

  header(names, sortable, sort) {
    const row = element('tr');
    row.append(element('th', names.includes('id') ? 'item' : 'id', { scope: 'col' }));
    for (const name of names) {
      const cell = element('th', '', { scope: 'col' });
      if (sortable.includes(name)) {
        const direction = sort === name ? 'ascending' : sort === '-' + name ? 'descending' : 'none';
        const mark = { ascending: ' ▲', descending: ' ▼', none: '' }[direction];
        const button = element('button', name + mark, { type: 'button' });
        button.addEventListener('click', () => this.on.sorted(name));
        cell.setAttribute('aria-sort', direction);
        cell.append(button);
      } else cell.textContent = name;
      row.append(cell);
    }
    const last = element('th', '', { scope: 'col' });
    last.append(element('span', 'On the map', { class: 'hidden' }));
    row.append(last);
    return row;
  }

  // Marks the row of a feature for a moment.
  flash(id, kind) {
    const row = this.rows.get(String(id));
    if (!row) return;
    row.classList.remove('enter', 'change', 'leave');
    void row.offsetWidth;
    row.classList.add(kind);
  }
}
