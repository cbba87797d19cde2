import { QueryError } from './scanner.js';

const kKeywords = ['and', 'or', 'not', 'class', 'id'];
const kMostCompared = 5000; // names that are looked through for the nearest
const kLongestCompared = 60;

/** How many letters to change, add or leave out to come from one word to another. @param {string} from @param {string} to */
export function edits(from, to) {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; ++i) {
    const next = [i];
    for (let j = 1; j <= to.length; ++j) next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + Number(from[i - 1] !== to[j - 1]));
    row = next;
  }
  return row[to.length];
}

/** Which of the names a word was probably meant to be. @param {string} word @param {string[]} names @returns {string|null} */
export function nearest(word, names) {
  const wanted = word.toLowerCase().slice(0, kLongestCompared);
  let best = null;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const name of names.slice(0, kMostCompared)) {
    const distance = name && edits(wanted, name.toLowerCase().slice(0, kLongestCompared));
    if (distance === '' || distance >= least) continue;
    best = name;
    least = distance;
  }
  return best;
}

/** @param {string} text */
const in_quotes = (text) => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** What the words of a query may mean. */
export class Vocabulary {
  /** @param {number} features  how many there are @param {string[]} names  of features; '' for none @param {string[]} classes @param {boolean} [ready]  false: more names may come */
  constructor(features, names, classes, ready = true) {
    this.ready = ready;
    this.features = features;
    this.names = names;
    this.classes = classes;
    /** @type {Map<string, number>} */
    this.by_name = new Map();
    names.forEach((name, feature) => name && !this.by_name.has(name) && this.by_name.set(name, feature));
  }

  /** @param {{text: string, at: number, end: number}} word @returns {number} */
  feature({ text, at, end }) {
    const named = this.by_name.get(text);
    if (named !== undefined) return named;
    const number = /^f(\d+)$/.exec(text);
    if (number && Number(number[1]) < this.features) return Number(number[1]);
    if (number) throw new QueryError(`expected a feature from f0 to f${this.features - 1}, got ${text.slice(0, 24)}`, at);
    const near = nearest(text, [...this.by_name.keys()]);
    const hint = near ? `; did you mean ${this.written_name(near)}?` : '; features are called f0, f1, ... or by their names';
    throw new QueryError(`expected a feature, got '${text.slice(0, 40)}'${hint}`, at, near ? this.written_name(near) : undefined, end);
  }

  /** @param {{text: string, at: number, end: number}} word @returns {number} */
  label({ text, at, end }) {
    const label = this.classes.indexOf(text);
    if (label >= 0) return label;
    const near = nearest(text, this.classes);
    const hint = near ? `; did you mean ${this.written_value(near)}?` : this.classes.length ? `; there is ${this.classes.slice(0, 4).map((name) => name.slice(0, 24)).join(', ')}` : ': the items have no classes';
    throw new QueryError(`expected a class, got '${text.slice(0, 40)}'${hint}`, at, near ? this.written_value(near) : undefined, end);
  }

  /** A name as a query has it. @param {string} name */
  written_name(name) {
    return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(name) && !kKeywords.includes(name.toLowerCase()) ? name : in_quotes(name);
  }

  /** A class or an id as a query has it. @param {string} text */
  written_value(text) {
    return /^[^\s(),"=<>!~]+$/.test(text) ? text : in_quotes(text);
  }

  /** A feature as a query has it: by its name if that means this one. @param {number} feature */
  written(feature) {
    const name = this.names[feature];
    if (name && this.by_name.get(name) === feature) return this.written_name(name);
    return this.by_name.has(`f${feature}`) ? `f0${feature}` : `f${feature}`;
  }
}
