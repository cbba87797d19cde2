import { useLayoutEffect, useState } from 'preact/hooks';

/**
 * What a run's model makes of the picture: nothing yet, why it cannot, or an item.
 * @typedef {{busy?: boolean, error?: string, item?: import('./source/contract.js').OwnItem}} OwnResult
 */

const kTypes = ['image/png', 'image/jpeg'];

/** A picture of one's own and what every run sees in it. Kept until another one comes, whatever view is shown. */
export class OwnPicture {
  /** @param {import('./source/contract.js').Source} source @param {number} runs */
  constructor(source, runs) {
    this.source = source;
    this.runs = runs;
    /** @type {File|null} */
    this.file = null;
    this.url = '';
    /** @type {OwnResult[]} */
    this.results = [];
    /** @type {Set<() => void>} */
    this.listeners = new Set();
  }

  tell() {
    for (const listener of this.listeners) listener();
  }

  /** Shows a picture to every run, one after the other. @param {File} file */
  async take(file) {
    if (this.url) URL.revokeObjectURL(this.url);
    this.file = file;
    this.url = kTypes.includes(file.type) ? URL.createObjectURL(file) : '';
    this.results = Array.from({ length: this.runs }, () => ({ busy: true }));
    this.tell();
    for (let run = 0; run < this.runs && this.file === file; ++run) {
      const result = await this.embed(run, file);
      if (this.file !== file) return;
      this.results[run] = result;
      this.tell();
    }
  }

  /** @param {number} run @param {File} file @returns {Promise<OwnResult>} */
  async embed(run, file) {
    try {
      const item = await this.source.embed?.(run, file);
      return item ? { item } : { error: 'there is no model here' };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Why it matches an item. @param {number} run @param {number} item @returns {Promise<import('./source/contract.js').OwnItem>} */
  async explain(run, item) {
    const known = this.results[run]?.item;
    if (known?.with === item) return known;
    if (!this.file || !this.source.embed) throw new Error('The picture is not there any more: choose it again.');
    return this.source.embed(run, this.file, item);
  }
}

/** Follows the picture. @param {OwnPicture} own */
export function useOwn(own) {
  const [, refresh] = useState(0);
  useLayoutEffect(() => {
    const listener = () => refresh((count) => count + 1);
    own.listeners.add(listener);
    return () => void own.listeners.delete(listener);
  }, [own]);
  return own;
}
