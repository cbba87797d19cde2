import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { read_stored, remove_stored, store } from './storage.js';
import { kNamesFormat, same_label, with_proposal } from './source/name_store.js';

export const kLongestName = 80;
const kLimits = { name: 200, note: 10000 }; // of a file of names
const kDrafts = 'orthant.draft/';

/**
 * @typedef {import('./source/contract.js').Label} Label
 * @typedef {{kept: number, replaced: number, same: number, skipped: {why: string, features: string[]}[]}} Taken
 *   what became of a file of names: `kept` are all that stand now as in the file
 */

/** The names of a file, by feature. @param {string} text @returns {Record<string, Partial<Label>|null>} */
function parse_names(text) {
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
  return document.features;
}

/** Why a name of a file cannot be taken, or ''. @param {string} key @param {Label} label @param {number} features */
function refusal(key, { name, note }, features) {
  if (!/^\d+$/.test(key) || Number(key) >= features) return 'no such feature here';
  const long = Array.from(name).length > kLimits.name || Array.from(note).length > kLimits.note;
  return long ? `longer than ${kLimits.name} (name) or ${kLimits.note} (note) characters` : '';
}

/** The names and notes of all runs' features, told to all who show them. */
export class Names {
  /** @param {import('./source/contract.js').Source} source @param {import('./source/contract.js').Run[]} runs */
  constructor(source, runs) {
    this.source = source;
    /** @type {(Record<string, Label>|null)[]} */
    this.tables = runs.map(() => null);
    this.asked = false; // whether those that there are have come
    /** @type {Set<() => void>} */
    this.listeners = new Set();
  }

  /** Reads them anew: others may have named features meanwhile. */
  async load() {
    await Promise.all(
      this.tables.map(async (table, run) => {
        this.tables[run] = await this.source.names(run).catch(() => table);
      }),
    );
    this.asked = true;
    this.tell();
  }

  tell() {
    for (const listener of this.listeners) listener();
  }

  /** @param {number} run @param {number} feature @returns {Label} */
  of(run, feature) {
    return this.tables[run]?.[feature] ?? { name: '', note: '' };
  }

  /** What a feature is called: by a person, or else as was proposed if that is above chance. @param {number} run @param {number} feature */
  shown(run, feature) {
    const { name, proposed } = this.of(run, feature);
    const likely = !name && proposed !== undefined && proposed.score > proposed.chance;
    return { name: likely ? proposed.name : name, proposed: likely };
  }

  /** Features that have no name but a proposed one, this far above chance at least. @param {number} run @param {number} margin */
  proposals(run, margin) {
    return Object.entries(this.tables[run] ?? {})
      .filter(([, { name, proposed }]) => !name && proposed && proposed.score - proposed.chance >= margin)
      .map(([feature]) => Number(feature));
  }

  /**
   * Makes the proposed name of a feature its name, unless it has got another meanwhile.
   * @param {number} run
   * @param {number} feature
   * @returns {Promise<boolean>} whether it did
   */
  async accept(run, feature) {
    const present = this.of(run, feature);
    if (present.name || !present.proposed) return false;
    return (await this.set(run, feature, { name: present.proposed.name, note: present.note }, present)) === null;
  }

  /** Feature numbers of a run by what their names, given or proposed, contain. @param {number} run @param {string} text */
  search(run, text) {
    const wanted = text.toLowerCase();
    return Object.entries(this.tables[run] ?? {})
      .filter(([feature]) => this.shown(run, Number(feature)).name.toLowerCase().includes(wanted))
      .map(([feature]) => Number(feature));
  }

  /**
   * Names a feature that was called `expected` until now.
   * @param {number} run
   * @param {number} feature
   * @param {Label} label
   * @param {Label} expected
   * @returns {Promise<Label|null>} what it has been called meanwhile by someone else, which still stands; or null
   */
  async set(run, feature, label, expected) {
    const other = await this.source.rename(run, feature, label, expected);
    this.tables[run] = { ...this.tables[run], [feature]: with_proposal(other ?? label, this.of(run, feature)) };
    this.tell();
    return other;
  }

  /** @param {number} run */
  document(run) {
    const features = Object.fromEntries(
      Object.entries(this.tables[run] ?? {})
        .filter(([, { name, note }]) => name || note)
        .map(([feature, { name, note }]) => [feature, { name, note }]),
    );
    return { format: kNamesFormat, features };
  }

  /**
   * Takes the names of a document as `document` writes it.
   * @param {number} run
   * @param {string} text
   * @param {number} features that the run has
   * @returns {Promise<Taken>}
   */
  async take(run, text, features) {
    const given = parse_names(text);
    await this.load();
    /** @type {Map<string, string[]>} */
    const skipped = new Map();
    const skip = (/** @type {string} */ why, /** @type {string} */ key) => skipped.set(why, [...(skipped.get(why) ?? []), key]);
    const taken = { kept: 0, replaced: 0, same: 0 };
    for (const [key, entry] of Object.entries(given)) {
      const label = { name: String(entry?.name ?? ''), note: String(entry?.note ?? '') };
      const why = refusal(key, label, features);
      if (why) {
        skip(why, key);
        continue;
      }
      const before = this.of(run, Number(key));
      const same = same_label(before, label);
      if (!same && (await this.set(run, Number(key), label, before))) {
        skip('named by someone else meanwhile', key);
        continue;
      }
      ++taken.kept;
      if (same) ++taken.same;
      else if (before.name || before.note) ++taken.replaced;
    }
    return { ...taken, skipped: [...skipped].map(([why, list]) => ({ why, features: list })) };
  }

  /** What was written of a feature and not saved, kept in this window. @param {number} run @param {number} feature @returns {{label: Label, base: Label}|null} */
  draft(run, feature) {
    try {
      return JSON.parse(read_stored(this.draft_key(run, feature), 'session') ?? 'null');
    } catch {
      return null;
    }
  }

  /** @param {number} run @param {number} feature @param {{label: Label, base: Label}|null} draft */
  keep_draft(run, feature, draft) {
    if (draft) store(this.draft_key(run, feature), JSON.stringify(draft), 'session');
    else remove_stored(this.draft_key(run, feature), 'session');
  }

  /** @param {number} run @param {number} feature */
  draft_key(run, feature) {
    return `${kDrafts}${location.pathname}/${run}/${feature}`;
  }
}

/** The name and note of a feature, kept up to date. @param {Names} names @param {number} run @param {number} feature */
export function useName(names, run, feature) {
  const [, refresh] = useState(0);
  useLayoutEffect(() => { // before names can come
    const listener = () => refresh((count) => count + 1);
    names.listeners.add(listener);
    return () => void names.listeners.delete(listener);
  }, [names]);
  return names.of(run, feature);
}

/** Reads the names again when the window comes to the front, or another window of this report has saved some. @param {Names} names */
export function useFreshNames(names) {
  useEffect(() => {
    const load = () => void names.load();
    const seen = () => document.visibilityState === 'visible' && load();
    load();
    addEventListener('focus', load);
    addEventListener('storage', load);
    document.addEventListener('visibilitychange', seen);
    return () => {
      removeEventListener('focus', load);
      removeEventListener('storage', load);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [names]);
}
