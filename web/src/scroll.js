import { useLayoutEffect, useRef } from 'preact/hooks';
import { parse_route, place_of } from './route.js';

const kPatience = 20000; // milliseconds that a view may take to become as tall as it was

/** How far down the present entry of the history was, or null if it is new. @returns {number|null} */
function kept_scroll() {
  const { state } = history;
  return typeof state?.scroll === 'number' ? state.scroll : null;
}

/** The way back that is under way, if any. @type {object|null} */
let returning = null;

/** Scrolls to where the entry was as soon as the view is tall enough; anything that the visitor does stops it. @param {number} wanted */
function scroll_back(wanted) {
  const until = performance.now() + kPatience;
  const way = {};
  returning = way;
  const stop = () => {
    if (returning === way) returning = null;
    for (const event of ['wheel', 'touchstart', 'keydown', 'pointerdown', 'hashchange']) removeEventListener(event, stop);
  };
  for (const event of ['wheel', 'touchstart', 'keydown', 'pointerdown', 'hashchange']) addEventListener(event, stop, { passive: true });
  const step = () => {
    if (returning !== way) return;
    scrollTo(0, wanted);
    if (Math.abs(scrollY - wanted) <= 1 || performance.now() > until) stop();
    else requestAnimationFrame(step);
  };
  step();
}

/**
 * Every entry of the history remembers how far down it was: Back leads there, a new view begins at the top. All of it before
 * the browser paints, so that nothing comes between a view and its listeners.
 * @param {string} place  the path of the view that is shown, and which page of a list
 */
export function useScroll(place) {
  const shown = useRef(place);
  useLayoutEffect(() => {
    history.scrollRestoration = 'manual';
    let timer = 0;
    const write = () => {
      // The address may be that of the next view already while this one is still there.
      if (returning || shown.current !== place_of(parse_route(location.hash)) || kept_scroll() === scrollY) return;
      history.replaceState({ ...history.state, scroll: scrollY }, '');
    };
    const remember = () => {
      clearTimeout(timer);
      timer = setTimeout(write, 100);
    };
    const left = () => clearTimeout(timer); // what was scrolled belongs to the entry that was left
    addEventListener('scroll', remember, { passive: true });
    for (const step of ['click', 'keydown']) addEventListener(step, write, { capture: true }); // may lead elsewhere
    addEventListener('hashchange', left);
    return () => {
      left();
      removeEventListener('scroll', remember);
      for (const step of ['click', 'keydown']) removeEventListener(step, write, { capture: true });
      removeEventListener('hashchange', left);
    };
  }, []);
  useLayoutEffect(() => {
    shown.current = place;
    scroll_back(kept_scroll() ?? 0);
  }, [place]);
}
