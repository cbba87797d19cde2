import { read_stored, store } from '../storage.js';

export const kNamesFormat = 'orthant.names.1';

/**
 * @typedef {import('./contract.js').Label} Label
 * @typedef {Record<string, Label>} Table  by number of feature
 */

/** @param {{features?: Table}|undefined} names @returns {Table} */
const table = (names) => names?.features ?? {};

/** The names of a report's features: those of the file, and over them what was written in this browser. */
export class NameStore {
  /** @param {import('./static_source.js').Report} report */
  constructor(report) {
    const { generated, data, runs } = report.overview;
    this.key = `orthant.names/${generated}/${data.spec}/${runs.map((run) => run.path).join('/')}`;
    this.given = report.names ?? {};
    /** @type {Record<string, Table>} */
    this.own = {};
    try {
      this.own = JSON.parse(read_stored(this.key) ?? '{}') ?? {};
    } catch {
      this.own = {};
    }
  }

  /** @param {number} run @returns {Table} */
  of(run) {
    return { ...table(this.given[run]), ...this.own[run] };
  }

  /** @param {number} run @param {number} feature @param {Label} label */
  set(run, feature, label) {
    this.own[run] = { ...this.own[run], [feature]: label };
    if (!store(this.key, JSON.stringify(this.own))) {
      throw new Error('This browser keeps nothing for this file: download the names before you close it.');
    }
  }
}
