const token = /"(?:[^"]|"")*"|'(?:[^']|'')*'?|[<>=!]+|[(),]|[^\s<>=!(),'"]+/g;
const conditions = ['NOT ', 'CASEI(', 'ACCENTI(', 'S_INTERSECTS(', 'S_WITHIN(', 'S_DWITHIN('];

// The name of a property in CQL2.
export const quoted = name => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : '"' + name.replaceAll('"', '""') + '"';

// The suggestions for the end of a text, and the offset of the word that they replace.
export function completions(text, properties) {
  const word = /[^\s<>=!(),'"]*$/.exec(text)[0], start = text.length - word.length;
  const before = text.slice(0, start).match(token) || [], last = before.at(-1) || '', upper = last.toUpperCase();
  const names = properties.map(property => quoted(property.name));
  const property = properties.find(property => [property.name, quoted(property.name)].includes(last));
  const isOpenText = /^'/.test(last) && !/^'(?:[^']|'')*'$/.test(last);
  if (isOpenText) return { start, options: [] };
  let options;
  if (property) options = operators(property.type);
  else if (/^[<>=!]+$/.test(last)) options = [...values(properties, before.at(-2)), ...names];
  else if (!last || ['(', ',', 'AND', 'OR', 'NOT'].includes(upper)) options = [...names.map(name => name + ' '), ...conditions];
  else if (upper === 'IS') options = ['NULL ', 'NOT NULL '];
  else if (upper === 'LIKE') options = ["'%'"];
  else if (['BETWEEN', 'IN'].includes(upper)) options = upper === 'IN' ? ['('] : values(properties, before.at(-2));
  else options = ['AND ', 'OR '];
  const typed = word.toLowerCase();
  const fitting = options.filter(option => option.trim().toLowerCase() !== typed && option.toLowerCase().startsWith(typed));
  return { start, options: fitting.slice(0, 12) };
}

function operators(type) {
  const order = ['= ', '<> ', '< ', '<= ', '> ', '>= ', 'BETWEEN ', 'IN (', 'IS NULL ', 'IS NOT NULL '];
  if (type === 'boolean') return ['= TRUE ', '= FALSE ', 'IS NULL '];
  if (type === 'geometry') return ['IS NULL ', 'IS NOT NULL '];
  return type === 'string' ? ["LIKE '", ...order] : order;
}

function values(properties, name) {
  const property = properties.find(property => [property.name, quoted(property.name)].includes(name));
  if (property?.type === 'date') return [`DATE('${new Date().toISOString().slice(0, 10)}') `];
  return property?.type === 'string' ? ["'"] : [];
}

export class FilterBox {
  constructor(input, list, error) {
    Object.assign(this, { input, list, error, properties: [], chosen: -1, options: [], start: 0 });
    input.addEventListener('input', () => { this.showError(null); this.suggest(); });
    input.addEventListener('click', () => this.suggest());
    input.addEventListener('keydown', event => this.pressed(event));
    input.addEventListener('blur', () => setTimeout(() => this.close(), 150));
  }

  suggest() {
    const { input } = this, end = input.selectionStart ?? input.value.length;
    const { start, options } = completions(input.value.slice(0, end), this.properties);
    Object.assign(this, { start, end, options, chosen: -1 });
    this.list.replaceChildren(...options.map((option, index) => {
      const item = document.createElement('li');
      item.id = 'suggestion-' + index;
      item.setAttribute('role', 'option');
      item.textContent = option.trim();
      item.addEventListener('pointerdown', event => { event.preventDefault(); this.take(index); });
      return item;
    }));
    this.list.hidden = !options.length;
    input.setAttribute('aria-expanded', String(options.length > 0));
    input.removeAttribute('aria-activedescendant');
  }

  close() {
    this.list.hidden = true;
    this.options = [];
    this.input.setAttribute('aria-expanded', 'false');
    this.input.removeAttribute('aria-activedescendant');
  }

  choose(index) {
    this.chosen = (index + this.options.length) % this.options.length;
    [...this.list.children].forEach((item, at) => item.setAttribute('aria-selected', String(at === this.chosen)));
    this.input.setAttribute('aria-activedescendant', 'suggestion-' + this.chosen);
    this.list.children[this.chosen].scrollIntoView({ block: 'nearest' });
  }

  take(index) {
    const { input } = this, option = this.options[index], value = input.value;
    input.value = value.slice(0, this.start) + option + value.slice(this.end);
    input.setSelectionRange(this.start + option.length, this.start + option.length);
    input.focus();
    this.suggest();
  }

  pressed(event) {
    if (event.key === 'Escape') return this.close();
    if (!this.options.length) { if (event.key === 'ArrowDown') this.suggest(); return; }
    if (event.key === 'ArrowDown') this.choose(this.chosen + 1);
    else if (event.key === 'ArrowUp') this.choose(this.chosen < 0 ? -1 : this.chosen - 1);
    else if ((event.key === 'Enter' || event.key === 'Tab') && this.chosen >= 0) this.take(this.chosen);
    else return event.key === 'Enter' ? this.close() : undefined;
    event.preventDefault();
  }

  // Shows the message of the server, whose last line has a caret under the mistake.
  showError(text) {
    this.error.textContent = text || '';
    this.error.hidden = !text;
    this.input.setAttribute('aria-invalid', String(Boolean(text)));
  }
}
