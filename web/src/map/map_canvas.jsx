import { useEffect, useRef, useState } from 'preact/hooks';
import { usePage } from '../context.js';
import { shortened } from '../format.js';
import { Picture } from '../part/picture.jsx';
import { class_name } from '../part/item_tile.jsx';
import { go, to_item } from '../route.js';
import { MapPainter } from './map_painter.js';

const kClick = 4;

/** What is known of the point under the pointer. */
function Hover({ item, label, value, x, y, width }) {
  const { overview } = usePage();
  const place = x > width / 2 ? { right: `${width - x + 14}px` } : { left: `${x + 14}px` };
  return (
    <div class="map-hover" style={{ ...place, top: `${Math.max(4, y - 40)}px` }}>
      {overview.data.has_pictures && <Picture item={item} size={64} />}
      <span>
        <b>Item {item}</b>
        <br />
        {shortened(class_name(overview, label), 28)}
        {value !== null && <><br /><span class="numbers">{value}</span></>}
      </span>
    </div>
  );
}

/** The map itself: drag to pan, wheel or keys to zoom, hover to see, click to open. */
export function MapCanvas({ run, points, colours, order, labels, describe, label }) {
  const canvas = useRef(null);
  const painter = useRef(null);
  const drag = useRef(null);
  const [hover, set_hover] = useState(null);
  useEffect(() => {
    const element = canvas.current;
    const own = new MapPainter(element);
    const fit = () => own.resize(element.clientWidth, element.clientHeight, devicePixelRatio || 1);
    const watcher = new ResizeObserver(fit);
    const wheel = (event) => {
      event.preventDefault();
      own.zoom(Math.exp(-event.deltaY * 0.0015), event.offsetX, event.offsetY);
    };
    painter.current = own;
    watcher.observe(element);
    element.addEventListener('wheel', wheel, { passive: false });
    fit();
    return () => {
      watcher.disconnect();
      own.stop();
    };
  }, []);
  useEffect(() => painter.current.set_points(points), [points]);
  useEffect(() => painter.current.set_colours(colours, order), [colours, order]);

  const look = (item) => {
    painter.current.mark(item);
    set_hover(item < 0 || !canvas.current ? null : { item, ...painter.current.to_screen(item), width: canvas.current.clientWidth });
  };
  const move = (event) => {
    const { offsetX: x, offsetY: y } = event;
    if (drag.current) {
      painter.current.pan(x - drag.current.x, y - drag.current.y);
      drag.current = { x, y, far: drag.current.far + Math.abs(x - drag.current.x) + Math.abs(y - drag.current.y) };
      if (drag.current.far > kClick) set_hover(null);
    } else {
      look(painter.current.at(x, y));
    }
  };
  const release = (event) => {
    const item = drag.current && drag.current.far <= kClick ? painter.current.at(event.offsetX, event.offsetY) : -1;
    drag.current = null;
    if (item >= 0) go(to_item(run, item));
  };
  const middle = () => [canvas.current.clientWidth / 2, canvas.current.clientHeight / 2];
  const key = (event) => {
    const pans = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] };
    if (pans[event.key]) painter.current.pan(...pans[event.key]);
    else if (event.key === '+' || event.key === '=') painter.current.zoom(1.4, ...middle());
    else if (event.key === '-') painter.current.zoom(1 / 1.4, ...middle());
    else if (event.key === '0') painter.current.reset();
    else if (event.key === 'Enter' && hover) go(to_item(run, hover.item));
    else return;
    event.preventDefault();
    if (event.key !== 'Enter') look(painter.current.at(...middle()));
  };
  return (
    <div class="map-frame">
      <canvas
        ref={canvas}
        class="map"
        tabIndex="0"
        role="application"
        data-own-keys
        aria-label={`${label}. Arrow keys pan, plus and minus zoom, 0 shows all, Enter opens the item in the middle.`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { x: event.offsetX, y: event.offsetY, far: 0 };
        }}
        onPointerMove={move}
        onPointerUp={release}
        onPointerCancel={() => (drag.current = null)}
        onPointerLeave={() => look(-1)}
        onKeyDown={key}
      />
      {hover && <Hover {...hover} label={labels[hover.item]} value={describe(hover.item)} />}
      <div class="map-buttons">
        <button type="button" aria-label="Zoom in" onClick={() => painter.current.zoom(1.6, ...middle())}>+</button>
        <button type="button" aria-label="Zoom out" onClick={() => painter.current.zoom(1 / 1.6, ...middle())}>−</button>
        <button type="button" onClick={() => painter.current.reset()}>All</button>
      </div>
    </div>
  );
}
