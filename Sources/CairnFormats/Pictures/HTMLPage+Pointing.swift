extension HTMLPage {
  /// The rest: what the pointer, the keys and the legend do.
  static let pointing: StaticString = #"""
    function nearest(x, y) {
      let best = null, reach = isCounted ? Math.max(6, data.square * view.scale) : radius() + 6;
      for (const row of marks) for (const turn of turns(row[0], row[0])) {
        const distance = Math.hypot(toX(row[0] + turn) - x, toY(row[1]) - y);
        if (distance <= reach) { reach = distance; best = row; }
      }
      return best;
    }

    function add(parent, kind, text, className) {
      const child = parent.appendChild(document.createElement(kind));
      if (text !== undefined) child.textContent = text;
      if (className) child.className = className;
      return child;
    }

    function tell(x, y) {
      found = nearest(x, y);
      tip.hidden = !found;
      canvas.style.cursor = found ? 'pointer' : 'grab';
      if (!found) return;
      tip.textContent = '';
      if (isCounted) add(tip, 'b', found[2] + (found[2] === 1 ? ' row' : ' rows') + ' here');
      else describe(found);
      const place = [found[1], found[0]].map(d => Math.round(d * 1e5) / 1e5).join(', ');
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
