import { go } from './route.js';

// Keys work everywhere but in fields. Views say where "next", "previous" and "up" lead.

/** @typedef {{previous: string|null, next: string|null, up: string|null}} Steps */

/** @type {Steps} */
const kNowhere = { previous: null, next: null, up: null };
let steps = kNowhere;

/** @param {Partial<Steps>} own @returns {() => void} undo */
export function setSteps(own) {
  const mine = { ...kNowhere, ...own };
  steps = mine;
  return () => {
    if (steps === mine) steps = kNowhere;
  };
}

/** @param {EventTarget|null} target @returns {target is HTMLElement} */
const in_field = (target) => target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;

/** In a gallery, next and previous move the focus from card to card. @param {number} direction */
function step_focus(direction) {
  /** @type {HTMLElement[]} */
  const links = [...document.querySelectorAll('main .card-link, main .items-grid .tile')].filter((link) => link instanceof HTMLElement);
  if (links.length === 0) return false;
  const at = links.findIndex((link) => link === document.activeElement);
  const next = at < 0 ? (direction > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + direction));
  links[next].focus();
  return true;
}

/** @param {number} direction */
function step(direction) {
  const link = direction > 0 ? steps.next : steps.previous;
  if (link) go(link);
  else if (!steps.next && !steps.previous) return step_focus(direction);
  return true;
}

/** @type {Record<string, number>} */
const kKeys = { j: 1, ArrowRight: 1, k: -1, ArrowLeft: -1 };

/** @param {{help: () => void}} actions @returns {() => void} undo */
export function listen_to_keys({ help }) {
  const listener = (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === 'Escape') {
      if (document.querySelector('dialog[open]') || document.querySelector(':popover-open')) return;
      if (in_field(event.target)) event.target.blur();
      else if (steps.up) go(steps.up);
      else if (location.hash && location.hash !== '#/') go('#/');
      return;
    }
    if (in_field(event.target) || document.querySelector('dialog[open]')) return;
    if (event.target instanceof Element && event.target.closest('[data-own-keys]') && event.key.startsWith('Arrow')) return;
    if (event.key === '/') document.getElementById('search')?.focus();
    else if (event.key === '?') help();
    else if (!(event.key in kKeys) || !step(kKeys[event.key])) return;
    event.preventDefault();
  };
  addEventListener('keydown', listener);
  return () => removeEventListener('keydown', listener);
}
