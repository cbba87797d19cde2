import { read_stored, remove_stored, store } from '../storage.js';

// What was decided of suspects: kept in this browser, undone step by step, written as CSV or JSON.

/**
 * @typedef {'keep'|'relabel'|'drop'} Choice
 * @typedef {{kind: string, item: number, choice: Choice, label: number|null}} Decision  `label`: the new one
 * @typedef {import('../source/contract.js').Suspect} Suspect
 */

/** @param {{kind: string, item: number}} of */
const key_of = ({ kind, item }) => `${kind} ${item}`;

/** @param {unknown} value @returns {value is Decision} */
const is_decision = (value) =>
  typeof value === 'object' && value !== null && 'kind' in value && 'item' in value && Number.isInteger(value.item) && 'choice' in value && ['keep', 'relabel', 'drop'].includes(String(value.choice));

export class Decisions {
  /** @param {string} place  where the browser keeps them */
  constructor(place) {
    this.place = place;
    /** @type {Decision[]} in the order in which they were taken; the last one of a suspect counts */
    this.taken = [];
    try {
      const kept = JSON.parse(read_stored(place) ?? '[]');
      if (Array.isArray(kept)) this.taken = kept.filter(is_decision);
    } catch {
      // What cannot be read counts as none.
    }
  }

  keep() {
    return this.taken.length ? store(this.place, JSON.stringify(this.taken)) : (remove_stored(this.place), true);
  }

  /** @param {{kind: string, item: number}} suspect @returns {Decision|undefined} */
  of(suspect) {
    return this.taken.findLast((decision) => key_of(decision) === key_of(suspect));
  }

  /** @param {Decision} decision @returns {boolean} whether the browser keeps it */
  add(decision) {
    this.taken.push(decision);
    return this.keep();
  }

  /** Takes the last one back. @returns {Decision|undefined} */
  undo() {
    const last = this.taken.pop();
    this.keep();
    return last;
  }

  /** The last decision of each suspect. */
  all() {
    return [...new Map(this.taken.map((decision) => [key_of(decision), decision])).values()];
  }
}

/**
 * @typedef {{kind: string, item: number, id: string, label: string, decision: Choice, new_label: string}} Row
 * @param {Decision[]} decisions @param {string[]} ids @param {(item: number) => string} label_of
 * @param {(label: number) => string} class_of @returns {Row[]}
 */
export const rows_of = (decisions, ids, label_of, class_of) =>
  decisions.map(({ kind, item, choice, label }) => ({ kind, item, id: ids[item] ?? String(item), label: label_of(item), decision: choice, new_label: choice === 'relabel' && label !== null ? class_of(label) : '' }));

/** A cell of comma-separated values; what a spreadsheet would compute is shown as text. @param {string} text */
const cell = (text) => {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};

/** @param {Row[]} rows */
export const to_csv = (rows) => ['kind,item,id,label,decision,new_label', ...rows.map((row) => [row.kind, String(row.item), row.id, row.label, row.decision, row.new_label].map(cell).join(','))].join('\n') + '\n';

/** @param {Row[]} rows */
export const to_json = (rows) => `${JSON.stringify({ format: 'orthant.decisions.1', decisions: rows }, null, 2)}\n`;
