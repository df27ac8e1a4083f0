const maxEvents = 50;

// A stream of server-sent events, which begins again where it was interrupted. If the server no
// longer knows the events since then, as after the store was replaced, the browser gives up. The
// stream then begins anew with the event 'reset'.
class Stream {
  static pause = 3000;

  constructor(url, on) {
    Object.assign(this, { url, on });
    this.open(false);
  }

  open(isAnew) {
    this.source = new EventSource(this.url);
    for (const kind of ['enter', 'change', 'leave', 'initial'])
      this.source.addEventListener(kind, event => this.on({ kind, ...JSON.parse(event.data) }));
    this.source.addEventListener('ready', () => {
      if (isAnew) this.on({ kind: 'reset' });
      isAnew = false;
    });
    this.source.addEventListener('error', () => {
      if (this.source.readyState !== EventSource.CLOSED) return;
      this.timer = setTimeout(() => this.open(true), Stream.pause);
    });
  }

  close() {
    clearTimeout(this.timer);
    this.source.close();
  }
}

// Follows the changes in the view.
export class LiveView {
  constructor(on) { this.on = on; this.stream = null; this.url = null; }

  // Follows an address; null for none.
  follow(url) {
    if (url === this.url) return;
    this.stream?.close();
    this.url = url;
    this.stream = url ? new Stream(url, this.on) : null;
  }
}

// Fences, each with a stream of its own. Browsers open six connections to a server at most, so
// there are few of them.
export class Fences {
  static limit = 3;

  constructor(list, log, on) {
    Object.assign(this, { list, log, on, all: [], urlOf: null });
  }

  get isFull() { return this.all.length >= Fences.limit; }

  // Adds a ring of longitudes and latitudes.
  add(ring) {
    if (this.isFull) return;
    const used = this.all.map(fence => fence.number);
    const number = [1, 2, 3].find(number => !used.includes(number));
    this.all.push({ ring, number, members: new Set(), stream: null });
    this.restart();
  }

  remove(fence) {
    fence.stream?.close();
    this.all = this.all.filter(other => other !== fence);
    this.render();
    this.on.changed();
  }

  clear() { for (const fence of [...this.all]) this.remove(fence); }

  // Follows all fences; `urlOf` returns the address for a ring, or null to follow nothing.
  follow(urlOf) { this.urlOf = urlOf; this.restart(); }

  restart() {
    for (const fence of this.all) {
      const url = this.urlOf?.(fence.ring) ?? null;
      if (fence.url === url) continue;
      fence.stream?.close();
      fence.url = url;
      fence.members = new Set();
      fence.stream = url ? new Stream(url, event => this.received(fence, event)) : null;
    }
    this.render();
    this.on.changed();
  }

  received(fence, event) {
    if (event.kind === 'reset') {
      fence.members.clear();
      return this.render();
    }
    if (event.kind === 'leave') fence.members.delete(event.row); else fence.members.add(event.row);
    if (event.kind !== 'initial') {
      const item = document.createElement('li'), name = event.feature?.id ?? event.row;
      const word = { enter: 'entered', change: 'changed in', leave: 'left' }[event.kind];
      item.className = event.kind;
      item.textContent = `${new Date().toLocaleTimeString()} ${name} ${word} fence ${fence.number}`;
      this.log.prepend(item);
      while (this.log.children.length > maxEvents) this.log.lastChild.remove();
      this.on.event(event);
    }
    this.render();
  }

  render() {
    this.list.replaceChildren(...this.all.map(fence => {
      const item = document.createElement('li'), button = document.createElement('button');
      item.textContent = `Fence ${fence.number}${fence.stream ? `: ${fence.members.size} inside` : ''} `;
      button.type = 'button';
      button.textContent = '✕';
      button.setAttribute('aria-label', `Remove fence ${fence.number}`);
      button.addEventListener('click', () => this.remove(fence));
      item.append(button);
      return item;
    }));
  }
}
