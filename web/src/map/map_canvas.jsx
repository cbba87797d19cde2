import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { usePage } from '../context.js';
import { shortened } from '../format.js';
import { Picture } from '../part/picture.jsx';
import { TextLine } from '../part/item_text.jsx';
import { class_name, ItemWords } from '../part/item_tile.jsx';
import { go, to_item } from '../route.js';
import { pixel, theme_colour } from '../chart/colours.js';
import { MapPainter } from './map_painter.js';
import { Thumbnails } from './thumbnails.js';

const kClick = 4;
const kLassoStep = 4; // pixels between two points of a lasso
const kSettled = 200; // milliseconds after which a place on the map goes into the address

/** @type {Record<string, [number, number]>} */
const kPans = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] };

/**
 * What is known of the point under the pointer.
 * @param {{item: number, label: number, value: string|null, x: number, y: number, width: number}} props
 */
function Hover({ item, label, value, x, y, width }) {
  const { overview } = usePage();
  const place = x > width / 2 ? { right: `${width - x + 14}px` } : { left: `${x + 14}px` };
  return (
    <div class="map-hover" style={{ ...place, top: `${Math.max(4, y - 40)}px` }}>
      {overview.data.has_pictures && <Picture item={item} size={64} />}
      <span>
        {overview.data.has_pictures
          ? <><b>Item {item}</b>{overview.data.classes.length > 0 && <><br />{shortened(class_name(overview, label), 28)}</>}{overview.data.has_texts && <><br /><TextLine item={item} length={80} /></>}</>
          : <ItemWords item={item} />}
        {value !== null && <><br /><span class="numbers">{value}</span></>}
      </span>
    </div>
  );
}

/** @typedef {{current: MapPainter|null}} PainterRef */

/**
 * A function that tells `onView` where the painter is, once nothing has called it for a while.
 * @param {PainterRef} painter
 * @param {(view: import('./map_painter.js').MapPlace) => void} onView
 */
function useSettled(painter, onView) {
  const timer = useRef(0);
  const settled = useRef(() => {});
  settled.current = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => painter.current && onView(painter.current.view), kSettled);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => settled.current(), []);
}

/**
 * Puts a painter onto the canvas, which follows its size and the wheel.
 * @param {{current: HTMLCanvasElement|null}} canvas
 * @param {PainterRef} painter
 * @param {() => void} moved
 */
function usePainter(canvas, painter, moved) {
  useLayoutEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    const own = new MapPainter(element);
    const fit = () => own.resize(element.clientWidth, element.clientHeight, devicePixelRatio || 1);
    const watcher = new ResizeObserver(fit);
    const wheel = (/** @type {WheelEvent} */ event) => {
      event.preventDefault();
      own.zoom(Math.exp(-event.deltaY * 0.0015), event.offsetX, event.offsetY);
      moved();
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
}

/**
 * What pointers do: a mouse drags, or looks at what it is above; two fingers move and zoom the map, while one scrolls the
 * page (map.css: touch-action). A click opens. With the lasso, or with Shift held, they draw a line around items instead,
 * and a click picks one.
 * @param {{painter: PainterRef, moved: () => void, look: (item: number) => void, hide: () => void,
 *   open: (item: number) => void, circling: boolean, circle: (line: number[], event: PointerEvent) => void,
 *   pick: (item: number) => void}} map
 */
function usePointers({ painter, moved, look, hide, open, circling, circle, pick }) {
  const line = useRef(/** @type {number[]|null} */ (null));
  const draw = (/** @type {PointerEvent} */ event) => {
    const place = painter.current?.to_layout(event.offsetX, event.offsetY);
    if (!line.current || !place || !painter.current) return;
    const [x, y] = line.current.slice(-2);
    const last = painter.current.place(x, y);
    if (line.current.length && Math.hypot(last.x - event.offsetX, last.y - event.offsetY) < kLassoStep) return;
    line.current.push(place.x, place.y);
    painter.current.set_lasso([...line.current]);
  };
  const finish = (/** @type {PointerEvent} */ event) => {
    const drawn = line.current ?? [];
    line.current = null;
    painter.current?.set_lasso([]);
    if (drawn.length >= 6) circle(drawn, event);
    else pick(painter.current?.at(event.offsetX, event.offsetY) ?? -1);
  };
  const drag = useRef(/** @type {{x: number, y: number, far: number}|null} */ (null));
  const fingers = useRef(/** @type {Map<number, {x: number, y: number}>} */ (new Map()));
  const move_fingers = (/** @type {PointerEvent} */ event) => {
    const before = fingers.current.get(event.pointerId);
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
    const after = { x: event.offsetX, y: event.offsetY };
    if (before) fingers.current.set(event.pointerId, after);
    if (!before || !other) return;
    const apart = (/** @type {{x: number, y: number}} */ finger) => Math.max(1, Math.hypot(finger.x - other.x, finger.y - other.y));
    painter.current?.pan((after.x - before.x) / 2, (after.y - before.y) / 2);
    painter.current?.zoom(apart(after) / apart(before), (after.x + other.x) / 2, (after.y + other.y) / 2);
    drag.current = null;
    moved();
  };
  const press = (/** @type {import('preact').TargetedPointerEvent<HTMLCanvasElement>} */ event) => {
    if ((circling || (event.shiftKey && event.pointerType !== 'touch')) && event.isPrimary) {
      event.currentTarget.setPointerCapture(event.pointerId);
      line.current = [];
      hide();
      draw(event);
      return;
    }
    if (event.pointerType === 'touch') fingers.current.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    else event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.offsetX, y: event.offsetY, far: 0 };
  };
  const lift = (/** @type {PointerEvent} */ event) => {
    if (line.current) painter.current?.set_lasso([]);
    line.current = null;
    fingers.current.delete(event.pointerId);
    drag.current = null;
  };
  const move = (/** @type {PointerEvent} */ event) => {
    const { offsetX: x, offsetY: y } = event;
    if (line.current) return draw(event);
    if (event.pointerType === 'touch') return move_fingers(event);
    if (!drag.current) return look(painter.current?.at(x, y) ?? -1);
    painter.current?.pan(x - drag.current.x, y - drag.current.y);
    moved();
    drag.current = { x, y, far: drag.current.far + Math.abs(x - drag.current.x) + Math.abs(y - drag.current.y) };
    if (drag.current.far > kClick) hide();
    return undefined;
  };
  const release = (/** @type {PointerEvent} */ event) => {
    if (line.current) return finish(event);
    const clicked = drag.current && drag.current.far <= kClick && fingers.current.size < 2;
    const item = clicked ? (painter.current?.at(event.offsetX, event.offsetY) ?? -1) : -1;
    lift(event);
    if (item >= 0) open(item);
    return undefined;
  };
  return { onPointerDown: press, onPointerMove: move, onPointerUp: release, onPointerCancel: lift, onPointerLeave: () => look(-1) };
}

/**
 * Moves the map as a key says; false if it says nothing.
 * @param {string} key
 * @param {MapPainter|null} painter
 */
function follow_key(key, painter) {
  const pan = kPans[key];
  if (pan) painter?.pan(...pan);
  else if (key === '+' || key === '=') painter?.zoom_in(1.4);
  else if (key === '-') painter?.zoom_in(1 / 1.4);
  else if (key === '0') painter?.reset();
  else return false;
  return true;
}

/**
 * @param {{zoom: (factor: number) => void, circling: boolean, onCircle: () => void, onPickShown: () => void,
 *   pictures: boolean|null, onPictures: () => void}} props  `zoom` by 0 shows all
 */
function MapButtons({ zoom, circling, onCircle, onPickShown, pictures, onPictures }) {
  return (
    <div class="map-buttons">
      <button type="button" aria-pressed={circling} onClick={onCircle} title="Draw around items to pick them, click one to pick it (l). Shift adds, Alt takes out.">Lasso</button>
      <button type="button" onClick={onPickShown} title="Pick every item that is in view (s)">Pick what is shown</button>
      {pictures !== null && <button type="button" aria-pressed={pictures} onClick={onPictures} title="Pictures instead of points, once you have zoomed in">Pictures</button>}
      <button type="button" aria-label="Zoom in" onClick={() => zoom(1.6)}>+</button>
      <button type="button" aria-label="Zoom out" onClick={() => zoom(1 / 1.6)}>−</button>
      <button type="button" onClick={() => zoom(0)}>All</button>
    </div>
  );
}

/**
 * The map itself: drag to pan, wheel or keys to zoom, hover to see, click to open, lasso to pick.
 * @param {{run: number, points: Float32Array, colours: Uint32Array, ranks: Uint8Array|null, labels: Int32Array,
 *   describe: (item: number) => string|null, label: string, view: import('./map_painter.js').MapPlace|null,
 *   onView: (view: import('./map_painter.js').MapPlace) => void, pictures: boolean|null, onPictures: () => void}} props
 *   `onView` hears where the visitor has gone; `pictures`: whether those in view become pictures, null if there are none
 */
export function MapCanvas({ run, points, colours, ranks, labels, describe, label, view, onView, pictures, onPictures }) {
  const { source, picked } = usePage();
  const [circling, set_circling] = useState(false);
  const canvas = useRef(/** @type {HTMLCanvasElement|null} */ (null));
  const painter = useRef(/** @type {MapPainter|null} */ (null));
  const [hover, set_hover] = useState(/** @type {{item: number, x: number, y: number, width: number}|null} */ (null));
  const moved = useSettled(painter, onView);
  usePainter(canvas, painter, moved);
  useLayoutEffect(() => painter.current?.show(view), [view?.x, view?.y, view?.zoom]);
  useLayoutEffect(() => painter.current?.set_points(points), [points]);
  useLayoutEffect(() => painter.current?.set_colours(colours, ranks, pixel(theme_colour('--map-dim'))), [colours, ranks]);
  useLayoutEffect(() => {
    if (!painter.current) return;
    painter.current.thumbnails = pictures ? new Thumbnails((item) => source.picture(item), () => painter.current?.compose()) : null;
    painter.current.compose();
  }, [source, pictures]);

  const look = (/** @type {number} */ item) => {
    painter.current?.mark(item);
    const place = item < 0 ? null : painter.current?.to_screen(item);
    set_hover(place && canvas.current ? { item, ...place, width: canvas.current.clientWidth } : null);
  };
  const open = (/** @type {number} */ item) => go(to_item(run, item));
  const how = (/** @type {{shiftKey: boolean, altKey: boolean}} */ event) => (event.altKey ? 'remove' : event.shiftKey && circling ? 'add' : 'replace');
  const circle = (/** @type {number[]} */ line, /** @type {PointerEvent} */ event) => picked.take(painter.current?.grid?.inside(line) ?? [], how(event));
  const pick = (/** @type {number} */ item) => item >= 0 && picked.toggle(item);
  const pick_shown = () => {
    const map = painter.current;
    if (map) picked.take((map.in_view(Infinity) ?? []).map(({ point }) => point));
  };
  const pointers = usePointers({ painter, moved, look, hide: () => set_hover(null), open, circling, circle, pick });
  const zoom = (/** @type {number} */ factor) => {
    if (factor > 0) painter.current?.zoom_in(factor);
    else painter.current?.reset();
    moved();
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'l') return set_circling(!circling);
    if (event.key === 's') return pick_shown();
    if (event.key === ' ' && hover !== null) {
      event.preventDefault();
      return picked.toggle(hover.item);
    }
    const enters = event.key === 'Enter' && hover !== null;
    if (!enters && !follow_key(event.key, painter.current)) return undefined;
    event.preventDefault();
    moved();
    if (enters) open(hover.item);
    else look(painter.current?.in_the_middle() ?? -1);
    return undefined;
  };
  return (
    <div class="map-frame">
      <canvas
        ref={canvas}
        class={`map ${circling ? 'circling' : ''}`}
        tabIndex={0}
        role="application"
        data-own-keys
        aria-label={`${label}. Arrow keys pan, plus and minus zoom, 0 shows all, Enter opens the item in the middle, Space picks it, l turns the lasso on, s picks what is shown.`}
        {...pointers}
        onKeyDown={key}
      />
      {hover && <Hover {...hover} label={labels[hover.item]} value={describe(hover.item)} />}
      <MapButtons zoom={zoom} circling={circling} onCircle={() => set_circling(!circling)} onPickShown={pick_shown} pictures={pictures} onPictures={onPictures} />
    </div>
  );
}
