import { useEffect, useState } from 'preact/hooks';
import { kNamesFormat } from './source/name_store.js';

export const kLongestName = 80;
const kLimits = { name: 200, note: 10000 }; // of a file of names

/** @typedef {import('./source/contract.js').Label} Label */

/** The names and notes of all runs' features, loaded once and told to all who show them. */
export class Names {
  /** @param {import('./source/contract.js').Source} source @param {import('./source/contract.js').Run[]} runs */
  constructor(source, runs) {
    this.source = source;
    /** @type {(Record<string, Label>|null)[]} */
    this.tables = runs.map(() => null);
    /** @type {Set<() => void>} */
    this.listeners = new Set();
  }

  async load() {
    await Promise.all(
      this.tables.map(async (_, run) => {
        this.tables[run] = { ...(await this.source.names(run).catch(() => ({}))), ...this.tables[run] };
      }),
    );
    this.tell();
  }

  tell() {
    for (const listener of this.listeners) listener();
  }

  /** @param {number} run @param {number} feature @returns {Label} */
  of(run, feature) {
    return this.tables[run]?.[feature] ?? { name: '', note: '' };
  }

  /** Feature numbers of a run by what their names contain. @param {number} run @param {string} text */
  search(run, text) {
    const wanted = text.toLowerCase();
    return Object.entries(this.tables[run] ?? {})
      .filter(([, { name }]) => name && name.toLowerCase().includes(wanted))
      .map(([feature]) => Number(feature));
  }

  /** @param {number} run @param {number} feature @param {Label} label */
  async set(run, feature, label) {
    const saving = this.source.rename(run, feature, label);
    if (this.source.live) await saving; // what the server refuses is not shown as saved
    this.tables[run] = { ...this.tables[run], [feature]: label };
    this.tell();
    await saving;
  }

  /** @param {number} run */
  document(run) {
    const features = Object.fromEntries(
      Object.entries(this.tables[run] ?? {}).filter(([, { name, note }]) => name || note),
    );
    return { format: kNamesFormat, features };
  }

  /**
   * Takes the names of a document as `document` writes it.
   * @param {number} run
   * @param {string} text
   * @param {number} features that the run has
   * @returns {Promise<number>} how many
   */
  async take(run, text, features) {
    /** @type {{format?: unknown, features?: Record<string, Partial<Label>|null>|null}|null} */
    let document = null;
    try {
      document = JSON.parse(text);
    } catch {
      throw new Error('Expected a file of names (JSON), got something else.');
    }
    if (document?.format !== kNamesFormat || typeof document.features !== 'object' || document.features === null) {
      throw new Error(`Expected a file of names with "format": "${kNamesFormat}", got another.`);
    }
    const entries = Object.entries(document.features).filter(([key]) => /^\d+$/.test(key) && Number(key) < features);
    /** @type {[number, Label][]} */
    const labels = entries.map(([feature, label]) => [Number(feature), { name: String(label?.name ?? ''), note: String(label?.note ?? '') }]);
    if (labels.some(([, { name, note }]) => Array.from(name).length > kLimits.name || Array.from(note).length > kLimits.note)) {
      throw new Error(`Expected names of at most ${kLimits.name} and notes of at most ${kLimits.note} characters, got longer ones.`);
    }
    for (const [feature, label] of labels) await this.set(run, feature, label);
    return entries.length;
  }
}

/** The name and note of a feature, kept up to date. @param {Names} names @param {number} run @param {number} feature */
export function useName(names, run, feature) {
  const [, refresh] = useState(0);
  useEffect(() => {
    const listener = () => refresh((count) => count + 1);
    names.listeners.add(listener);
    return () => void names.listeners.delete(listener);
  }, [names]);
  return names.of(run, feature);
}
