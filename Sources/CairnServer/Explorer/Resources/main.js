import { toX, toY, toLongitude, toLatitude } from './tiles.js';
import { Background } from './background.js';
import { TileMap } from './map.js';
import { FilterBox, quoted } from './filter.js';
import { Table, middle, cellText, numberText } from './table.js';
import { LiveView, Fences } from './live.js';

const element = id => document.getElementById(id);
const pageSize = 25;
// The state that the address keeps after its #.
const state = { collection: '', filter: '', from: '', to: '', sort: '', figure: '', live: '1' };
let collection = null, cursors = [''], nextCursor = null, question = 0;

const background = new Background();
const filterBox = new FilterBox(element('filter'), element('suggestions'), element('filter-error'));
const table = new Table(element('table'), { sorted: sortBy, chosen: ([longitude, latitude]) => showPlace(longitude, latitude) });
const map = new TileMap(element('map'), background, { moved, picked, drawn, home: showAll });
const live = new LiveView(received);
const fences = new Fences(element('fences'), element('events'), {
  changed: () => { map.fences = fences.all; map.draw(); writeAddress(); }, event: flash,
});

// MARK: Requests

async function ask(path, parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value);
  const query = new URLSearchParams([...given, ['f', 'json']]);
  const response = await fetch(path + '?' + query, { headers: { Accept: 'application/json' } });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail || response.statusText);
  return answer;
}

const path = (...parts) => ['collections', state.collection, ...parts].map(encodeURIComponent).join('/');

function datetime() {
  return state.from || state.to ? `${state.from || '..'}/${state.to || '..'}` : '';
}

// The condition that a geometry in CQL2 adds to the filter.
function condition(shape) {
  if (!shape || !collection.geometry) return state.filter;
  const spatial = `S_INTERSECTS(${quoted(collection.geometry)},${shape})`;
  return state.filter ? `(${state.filter}) AND ${spatial}` : spatial;
}

function inView() {
  const { box } = map.view;
  return { filter: condition(box && `BBOX(${box.join(',')})`), datetime: datetime() };
}

// MARK: Collections

function kind(property) {
  if (property.format?.startsWith('geometry')) return 'geometry';
  return property.format?.startsWith('date') ? 'date' : property.type;
}

async function open(name, isNew) {
  state.collection = name;
  const [description, queryables, sortables, schema] = await Promise.all(
    [path(), path('queryables'), path('sortables'), path('schema')].map(part => ask(part)));
  const typed = Object.entries(queryables.properties).map(([key, value]) => ({ name: key, type: kind(value) }));
  const roles = Object.entries(schema.properties);
  collection = {
    box: description.extent?.spatial?.bbox?.[0], sortable: Object.keys(sortables.properties), typed,
    names: roles.filter(([, value]) => kind(value) !== 'geometry' && value['x-ogc-role'] !== 'id').map(([key]) => key),
    geometry: roles.find(([, value]) => value['x-ogc-role'] === 'primary-geometry')?.[0],
    date: roles.find(([, value]) => value['x-ogc-role'] === 'primary-instant')?.[0],
    figures: typed.filter(one => ['integer', 'number', 'date'].includes(one.type)).map(one => one.name),
    period: description.extent?.temporal?.interval?.[0]?.map(text => text.slice(0, 10)),
  };
  filterBox.properties = typed;
  element('dates').hidden = !collection.date;
  for (const id of ['from', 'to']) [element(id).min, element(id).max] = collection.period || ['', ''];
  if (isNew) Object.assign(state, { filter: '', from: '', to: '', sort: '', figure: '' });
  if (!collection.figures.includes(state.figure)) state.figure = collection.figures.find(name => name !== 'id') || '';
  const example = typed.find(one => ['integer', 'number'].includes(one.type) && one.name !== 'id');
  element('filter').placeholder = example ? quoted(example.name) + ' > 0' : 'A condition in CQL2';
  fillSelect('figure', collection.figures, state.figure);
  element('figures').hidden = !collection.figures.length;
  element('fence-buttons').hidden = !collection.geometry;
  for (const id of ['collection', 'filter', 'from', 'to']) element(id).value = state[id];
  element('live').checked = state.live === '1';
}

function fillSelect(id, names, chosen) {
  element(id).replaceChildren(...names.map(name => {
    const option = document.createElement('option');
    option.value = option.textContent = name;
    option.selected = name === chosen;
    return option;
  }));
}

// MARK: Answers

// Checks the filter and shows the rows that it selects.
async function show() {
  const number = ++question;
  try {
    await ask(path('statistics'), { filter: state.filter, datetime: datetime(), properties: state.figure });
  } catch (error) {
    if (number === question) fail(error.message);
    return;
  }
  if (number !== question) return;
  filterBox.showError(null);
  const parameters = Object.entries({ filter: state.filter, datetime: datetime() }).filter(([, value]) => value);
  const query = parameters.length ? '?' + new URLSearchParams(parameters) : '';
  const start = path('tiles');
  map.setSource(collection.geometry ? (z, x, y) => `${start}/${z}/${x}/${y}.mvt${query}` : null);
  fences.follow(state.live === '1' ? fenceURL : null);
  await showRows();
}

function fail(message) {
  filterBox.showError(message);
  setStatus('The filter has a mistake');
}

function setStatus(text) { element('status').textContent = text; }

// Shows the rows and the figures of the view.
async function showRows() {
  const number = ++question;
  try {
    const parameters = inView();
    const [figures, items] = await Promise.all([
      ask(path('statistics'), { ...parameters, properties: state.figure }),
      ask(path('items'), { ...parameters, limit: pageSize, sortby: state.sort, cursor: cursors.at(-1) }),
    ]);
    if (number !== question) return;
    showFigures(figures);
    table.show(items.features, {
      names: collection.names, sortable: collection.sortable, sort: state.sort,
      itemURL: id => path('items', id) + '?f=html',
    });
    const next = items.links.find(link => link.rel === 'next');
    nextCursor = next ? new URL(next.href).searchParams.get('cursor') : null;
    const first = (cursors.length - 1) * pageSize + 1, last = first + items.features.length - 1;
    element('page').textContent = items.features.length ? `${first}–${last} of ${numberText(figures.numberMatched)}` : '';
    element('previous').disabled = cursors.length < 2;
    element('next').disabled = !nextCursor;
    follow();
  } catch (error) {
    if (number === question) setStatus(error.message);
  }
}

function showFigures(answer) {
  const count = answer.numberMatched;
  setStatus(`${numberText(count)} ${count === 1 ? 'row' : 'rows'} in view`);
  const values = answer.properties[state.figure] || {};
  const entries = Object.entries(values).filter(([name, value]) => name !== 'count' && value !== null);
  element('figure-values').replaceChildren(...entries.map(([name, value]) => {
    const pair = document.createElement('div'), term = document.createElement('dt'), text = document.createElement('dd');
    term.textContent = name;
    text.textContent = cellText(typeof value === 'string' ? value.replace('T00:00:00Z', '') : value);
    pair.append(term, text);
    return pair;
  }));
}

// MARK: Changes

function follow() {
  const query = new URLSearchParams(Object.entries(inView()).filter(([, value]) => value));
  live.follow(state.live === '1' ? path('live') + '?' + query : null);
}

function fenceURL(ring) {
  const closed = [...ring, ring[0]].map(([a, b]) => a.toFixed(6) + ' ' + b.toFixed(6)).join(',');
  const query = { filter: condition(`POLYGON((${closed}))`), datetime: datetime(), initial: 'true' };
  return path('live') + '?' + new URLSearchParams(Object.entries(query).filter(([, value]) => value));
}

let refreshing = null;
const pending = new Map();

// A row entered, changed in or left the view.
function received(event) {
  const id = event.feature?.id;
  if (id !== undefined && id !== null) pending.set(id, event.kind);
  flash(event);
  refreshing ||= setTimeout(async () => {
    refreshing = null;
    map.reload();
    await showRows();
    for (const [key, value] of pending) table.flash(key, value);
    pending.clear();
  }, 300);
}

function flash(event) {
  const place = middle(event.feature?.geometry);
  if (place) map.flash(...place);
}

// MARK: The view

let settling = null;

function moved() {
  element('tip').hidden = true;
  clearTimeout(settling);
  settling = setTimeout(() => { cursors = ['']; writeAddress(); showRows(); }, 250);
}

function showAll() {
  map.view.show(collection.box || [-170, -60, 170, 75]);
  map.moved();
}

function showPlace(longitude, latitude) {
  Object.assign(map.view, { x: toX(longitude), y: toY(latitude), zoom: Math.max(map.view.zoom, 8) });
  map.moved();
  map.flash(longitude, latitude);
}

function picked(feature, left, top) {
  const tip = element('tip'), list = document.createElement('dl');
  tip.hidden = !feature;
  if (!feature) return;
  if (feature.cellCount) list.append(...pair('rows', feature.cellCount));
  else for (const [name, value] of feature.tags.slice(0, 12)) list.append(...pair(name, value));
  tip.replaceChildren(list);
  tip.style.left = Math.max(4, Math.min(left + 10, map.view.width - 260)) + 'px';
  tip.style.top = Math.max(4, Math.min(top + 10, map.view.height - tip.offsetHeight - 4)) + 'px';
}

function pair(name, value) {
  const term = document.createElement('dt'), text = document.createElement('dd');
  term.textContent = name;
  text.textContent = cellText(value);
  return [term, text];
}

function sortBy(name) {
  state.sort = state.sort === name ? '-' + name : name;
  cursors = [''];
  writeAddress();
  showRows();
}

// MARK: Fences

function setMode(mode) {
  const next = map.mode === mode ? null : mode;
  map.setMode(next);
  for (const name of ['box', 'polygon']) element('fence-' + name).setAttribute('aria-pressed', String(next === name));
  const hints = { box: 'Drag a box on the map.', polygon: 'Click the corners; Enter or a double click ends.' };
  element('hint').textContent = fences.isFull ? `At most ${Fences.limit} fences are watched at once.` : hints[next] || '';
  element('hint').hidden = !next && !fences.isFull;
  if (fences.isFull) map.setMode(null);
}

function drawn(ring) {
  for (const name of ['box', 'polygon']) element('fence-' + name).setAttribute('aria-pressed', 'false');
  element('hint').hidden = true;
  if (ring) fences.add(ring);
}

function fenceView() {
  if (fences.isFull) return setMode(null);
  const { west, east, north, south } = map.view;
  const corners = [[west, north], [east, north], [east, south], [west, south]];
  drawn(corners.map(([x, y]) => [Math.max(-180, Math.min(180, toLongitude(x))), toLatitude(y)]));
}

// MARK: The address

function writeAddress() {
  const values = { ...state };
  if (state.live === '1') delete values.live;
  const { view } = map, digits = number => number.toFixed(5).replace(/\.?0+$/, '');
  values.view = [digits(view.zoom), digits(toLongitude(view.x)), digits(toLatitude(view.y))].join('/');
  values.fences = fences.all.map(fence => fence.ring.map(point => point.map(digits).join(' ')).join(',')).join(';');
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value));
  history.replaceState(null, '', '#' + query);
}

// Takes the state from the address, and returns whether that has a view.
function readAddress() {
  const values = new URLSearchParams(location.hash.slice(1));
  for (const name of Object.keys(state)) state[name] = values.get(name) ?? (name === 'live' ? '1' : '');
  return values;
}

function applyView(values) {
  const [zoom, longitude, latitude] = (values.get('view') || '').split('/').map(Number);
  if ([zoom, longitude, latitude].every(Number.isFinite) && values.get('view')) {
    Object.assign(map.view, { zoom, x: toX(longitude), y: toY(latitude) });
    map.view.keepInside();
  } else map.view.show(collection.box || [-170, -60, 170, 75]);
  for (const text of (values.get('fences') || '').split(';').filter(Boolean)) {
    const ring = text.split(',').map(point => point.split(' ').map(Number));
    if (ring.length > 2 && ring.flat().every(Number.isFinite)) fences.add(ring);
  }
}

// MARK: Start

async function restart(names) {
  const values = readAddress();
  if (!names.includes(state.collection)) state.collection = names[0];
  fences.clear();
  await open(state.collection, false);
  applyView(values);
  await show();
}

function listen(names) {
  element('question').addEventListener('submit', event => { event.preventDefault(); apply(); });
  element('collection').addEventListener('change', async () => {
    fences.clear();
    await open(element('collection').value, true);
    map.view.show(collection.box || [-170, -60, 170, 75]);
    apply();
  });
  for (const id of ['from', 'to']) element(id).addEventListener('change', apply);
  element('figure').addEventListener('change', () => { state.figure = element('figure').value; writeAddress(); showRows(); });
  element('live').addEventListener('change', () => {
    state.live = element('live').checked ? '1' : '0';
    fences.follow(state.live === '1' ? fenceURL : null);
    follow();
    writeAddress();
  });
  element('previous').addEventListener('click', () => { cursors.pop(); showRows(); });
  element('next').addEventListener('click', () => { cursors.push(nextCursor); showRows(); });
  element('zoom-in').addEventListener('click', () => map.zoomBy(1));
  element('zoom-out').addEventListener('click', () => map.zoomBy(-1));
  element('zoom-all').addEventListener('click', showAll);
  element('fence-box').addEventListener('click', () => setMode('box'));
  element('fence-polygon').addEventListener('click', () => setMode('polygon'));
  element('fence-view').addEventListener('click', fenceView);
  addEventListener('hashchange', () => restart(names));
}

function apply() {
  for (const id of ['filter', 'from', 'to']) state[id] = element(id).value.trim();
  cursors = [''];
  writeAddress();
  show();
}

async function start() {
  const list = (await ask('collections')).collections.map(one => one.id);
  if (!list.length) return setStatus('The store has no classes');
  fillSelect('collection', list, '');
  listen(list);
  background.load().then(() => map.draw());
  await restart(list);
}

start().catch(error => setStatus(error.message));
