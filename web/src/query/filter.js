import { QueryError, Scanner } from './scanner.js';

// filter    := or ;  or := and {"or" and} ;  and := not {"and" not} ;  not := ["not"] (condition | "(" filter ")")
// condition := FEATURE [(">" | ">=" | "<" | "<=") NUMBER] | "class" ("=" | "!=") VALUE | "id" ("=" | "~") VALUE

const kDeepest = 64;

/**
 * A part of a filter; `from` and `to` are its place in the text, `closed` if it stands in parentheses.
 * @typedef {{from: number, to: number, closed?: boolean} & (
 *   {kind: 'and', parts: Filter[]} | {kind: 'or', parts: Filter[]} | {kind: 'not', part: Filter} |
 *   {kind: 'feature', feature: number, sign: '>'|'>='|'<'|'<=', value: number} |
 *   {kind: 'class', label: number, same: boolean} | {kind: 'id', text: string, whole: boolean})} Filter
 */

/** @type {('>='|'>'|'<='|'<')[]} */
const kSigns = ['>=', '>', '<=', '<'];
const kReserved = ['and', 'or', 'not'];

class FilterParser {
  /** @param {string} text @param {import('./vocabulary.js').Vocabulary} words */
  constructor(text, words) {
    this.scanner = new Scanner(text);
    this.words = words;
    this.depth = 0;
  }

  /** @returns {Filter} */
  whole() {
    const filter = this.joined('or');
    if (!this.scanner.at_end()) this.scanner.fail('and, or, or the end');
    return filter;
  }

  /** @param {'or'|'and'} kind @returns {Filter} */
  joined(kind) {
    const one = () => (kind === 'or' ? this.joined('and') : this.negated());
    const parts = [one()];
    while (this.scanner.take_keyword(kind)) parts.push(one());
    return parts.length === 1 ? parts[0] : { kind, parts, from: parts[0].from, to: parts[parts.length - 1].to };
  }

  /** @returns {Filter} */
  negated() {
    this.scanner.at_end();
    const from = this.scanner.at;
    if (!this.scanner.take_keyword('not')) return this.single();
    const part = this.single();
    return { kind: 'not', part, from, to: part.to };
  }

  /** @returns {Filter} */
  single() {
    const { scanner } = this;
    scanner.at_end();
    const from = scanner.at;
    if (!scanner.take('(')) return this.condition();
    if (++this.depth > kDeepest) throw new QueryError(`expected parentheses at most ${kDeepest} deep, got more`, from);
    const inner = this.joined('or');
    if (!scanner.take(')')) scanner.fail('and, or, or a closing )');
    --this.depth;
    return { ...inner, from, to: scanner.at, closed: true };
  }

  /** @returns {Filter} */
  condition() {
    const { scanner, words } = this;
    const from = scanner.at;
    if (scanner.take_keyword('class')) {
      const same = scanner.take('=');
      if (!same && !scanner.take('!=')) scanner.fail('= or != after class');
      const label = words.label(scanner.value('a class'));
      return { kind: 'class', label, same, from, to: scanner.at };
    }
    if (scanner.take_keyword('id')) {
      const whole = scanner.take('=');
      if (!whole && !scanner.take('~')) scanner.fail('= or ~ after id');
      const { text } = scanner.value('an id');
      return { kind: 'id', text, whole, from, to: scanner.at };
    }
    if (kReserved.some((keyword) => scanner.sees_keyword(keyword))) scanner.fail('a feature, class or id');
    const feature = words.feature(scanner.word('a feature, class or id'));
    const end = scanner.at;
    const sign = kSigns.find((one) => scanner.take(one));
    if (!sign) return { kind: 'feature', feature, sign: '>', value: 0, from, to: end };
    const value = scanner.number('a number');
    return { kind: 'feature', feature, sign, value, from, to: scanner.at };
  }
}

/** @param {string} text @param {import('./vocabulary.js').Vocabulary} words @returns {Filter} QueryError if it means nothing */
export const parse_filter = (text, words) => new FilterParser(text, words).whole();

/** The conditions that all must hold, as they are written. @param {string} text @param {Filter} filter @returns {string[]} */
export function chips_of(text, filter) {
  const parts = filter.kind === 'and' && !filter.closed ? filter.parts : [filter];
  return parts.map((part) => text.slice(part.from, part.to));
}

/** One more condition. @param {string} text @param {Filter|null} filter  what the text means @param {string} more */
export function joined_with(text, filter, more) {
  if (!filter) return more;
  const whole = text.slice(filter.from, filter.to);
  return `${filter.kind === 'or' && !filter.closed ? `(${whole})` : whole} and ${more}`;
}

/** @param {Filter} filter @param {(part: Filter) => void} visit  called for every condition */
function visit_conditions(filter, visit) {
  if (filter.kind === 'and' || filter.kind === 'or') filter.parts.forEach((part) => visit_conditions(part, visit));
  else if (filter.kind === 'not') visit_conditions(filter.part, visit);
  else visit(filter);
}

/** What a filter needs to know of the items. @param {Filter} filter @returns {{features: number[], ids: boolean}} */
export function needs_of(filter) {
  /** @type {Set<number>} */
  const features = new Set();
  let ids = false;
  visit_conditions(filter, (part) => {
    if (part.kind === 'feature') features.add(part.feature);
    else if (part.kind === 'id') ids = true;
  });
  return { features: [...features], ids };
}
