import { read_stored, store } from '../storage.js';

export const kNamesFormat = 'orthant.names.1';

/**
 * @typedef {import('./contract.js').Label} Label
 * @typedef {Record<string, Label>} Table  by number of feature
 */

/** @param {Label} x @param {Label} y */
export const same_label = (x, y) => x.name === y.name && x.note === y.note;

/** A label as it is now, with what was proposed before. @param {Label} label @param {Label|undefined} before @returns {Label} */
export const with_proposal = ({ name, note }, before) => (before?.proposed ? { name, note, proposed: before.proposed } : { name, note });

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
  }

  /** What this browser keeps; other windows of the report write there as well. */
  read() {
    try {
      this.own = { ...this.own, ...JSON.parse(read_stored(this.key) ?? '{}') };
    } catch {
      // Not ours, or damaged: what this window knows stays.
    }
  }

  /** @param {number} run @returns {Table} */
  of(run) {
    this.read();
    const given = table(this.given[run]);
    const own = Object.entries(this.own[run] ?? {}).map(([feature, label]) => [feature, with_proposal(label, given[feature])]);
    return { ...given, ...Object.fromEntries(own) };
  }

  /** @param {number} run @param {number} feature @param {Label} label @returns {boolean} whether it will be there after this window */
  set(run, feature, label) {
    this.read();
    this.own[run] = { ...this.own[run], [feature]: label };
    return store(this.key, JSON.stringify(this.own));
  }
}
