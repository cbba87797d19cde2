import { useLayoutEffect, useState } from 'preact/hooks';
import { read_stored, remove_stored, store } from './storage.js';

const kMostKept = 100000; // items that outlive a reload of the window

/** The items that a visitor picked by hand: clicked, circled on the map, or read from a file. All runs share them. */
export class Picked {
  /** @param {number} items  how many there are @param {string} generated  when the page's data was made */
  constructor(items, generated) {
    this.key = `orthant.picked/${location.pathname}/${generated}`;
    this.mask = new Uint8Array(items);
    this.count = 0;
    this.version = 0;
    /** @type {Set<() => void>} */
    this.listeners = new Set();
    try {
      const kept = JSON.parse(read_stored(this.key, 'session') ?? '[]');
      for (const item of Array.isArray(kept) ? kept : []) if (Number.isInteger(item) && item >= 0 && item < items) this.mask[item] = 1;
    } catch {
      // Nothing was picked before.
    }
    this.changed(false);
  }

  /** The items, rising. @returns {number[]} */
  items() {
    const list = [];
    for (let item = 0; item < this.mask.length; ++item) if (this.mask[item]) list.push(item);
    return list;
  }

  /** @param {boolean} [keep]  for a reload */
  changed(keep = true) {
    this.count = this.mask.reduce((sum, on) => sum + on, 0);
    ++this.version;
    if (keep && this.count > 0 && this.count <= kMostKept) store(this.key, JSON.stringify(this.items()), 'session');
    else if (keep) remove_stored(this.key, 'session');
    for (const listener of this.listeners) listener();
  }

  /** @param {number} item */
  toggle(item) {
    this.mask[item] ^= 1;
    this.changed();
  }

  /** @param {Iterable<number>} items @param {'replace'|'add'|'remove'} how */
  take(items, how = 'replace') {
    if (how === 'replace') this.mask.fill(0);
    for (const item of items) if (item >= 0 && item < this.mask.length) this.mask[item] = how === 'remove' ? 0 : 1;
    this.changed();
  }

  clear() {
    this.take([]);
  }
}

/** Looks again whenever other items are picked. @param {Picked} picked */
export function usePicked(picked) {
  const [, refresh] = useState(0);
  useLayoutEffect(() => {
    const listener = () => refresh((count) => count + 1);
    picked.listeners.add(listener);
    return () => void picked.listeners.delete(listener);
  }, [picked]);
  return picked;
}
