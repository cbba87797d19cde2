// Reads a query from left to right: what orthant/query/scanner.h does, for the page.

const kLongest = 10000; // bytes of UTF-8
const kSpace = /[ \t\n\v\f\r]/;
const kPlain = /[A-Za-z_][A-Za-z0-9_-]*/y;
const kValue = /[^ \t\n\v\f\r(),"=<>!~]+/y;
const kNumber = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;

/** What a query cannot mean, and where: `at` is a place in the text. */
export class QueryError extends Error {
  /** @param {string} message @param {number} at @param {string} [suggestion]  what to write from `at` on, up to `end` @param {number} [end] */
  constructor(message, at, suggestion, end) {
    super(message);
    this.at = at;
    this.suggestion = suggestion;
    this.end = end;
  }
}

export class Scanner {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
    if (new TextEncoder().encode(text).length > kLongest) throw new QueryError(`expected at most ${kLongest.toLocaleString('en-US')} bytes, got more`, 0);
  }

  /** @returns {boolean} whether nothing but space is left */
  at_end() {
    while (this.at < this.text.length && kSpace.test(this.text[this.at])) ++this.at;
    return this.at >= this.text.length;
  }

  /** @returns {string} the next character, or '' */
  peek() {
    return this.at_end() ? '' : this.text[this.at];
  }

  /** @param {RegExp} pattern  sticky @returns {string} what of the text fits it here, or '' */
  sees(pattern) {
    if (this.at_end()) return '';
    pattern.lastIndex = this.at;
    return pattern.exec(this.text)?.[0] ?? '';
  }

  /** @param {string} symbol */
  take(symbol) {
    if (this.at_end() || !this.text.startsWith(symbol, this.at)) return false;
    this.at += symbol.length;
    return true;
  }

  /** @param {string} keyword */
  sees_keyword(keyword) {
    return this.sees(kPlain).toLowerCase() === keyword;
  }

  /** @param {string} keyword */
  take_keyword(keyword) {
    if (!this.sees_keyword(keyword)) return false;
    this.at += keyword.length;
    return true;
  }

  /** @param {string} expected @returns {{text: string, quoted: boolean, at: number, end: number}} */
  word(expected) {
    const quoted = this.peek() === '"';
    const at = this.at;
    const text = quoted ? this.quoted() : this.sees(kPlain);
    if (!quoted && !text) this.fail(expected);
    if (!quoted) this.at += text.length;
    return { text, quoted, at, end: this.at };
  }

  /** A word, or whatever comes before a space or a sign. @param {string} expected */
  value(expected) {
    const quoted = this.peek() === '"';
    const at = this.at;
    const text = quoted ? this.quoted() : this.sees(kValue);
    if (!quoted && !text) this.fail(expected);
    if (!quoted) this.at += text.length;
    return { text, at, end: this.at };
  }

  quoted() {
    const from = this.at++;
    let text = '';
    for (; this.at < this.text.length; ++this.at) {
      const letter = this.text[this.at];
      if (letter === '"') {
        ++this.at;
        return text;
      }
      if (letter === '\\') {
        const next = this.text[++this.at];
        if (next !== '"' && next !== '\\') throw new QueryError('expected \\" or \\\\ after a backslash in quotes', this.at - 1);
        text += next;
      } else {
        text += letter;
      }
    }
    throw new QueryError('expected a closing ", got the end', from);
  }

  /** In single precision, as features are. @param {string} expected */
  number(expected) {
    const text = this.sees(kNumber);
    const value = Math.fround(Number(text));
    if (!text || !Number.isFinite(value)) this.fail(expected);
    this.at += text.length;
    return value;
  }

  /** @param {string} expected @returns {never} */
  fail(expected) {
    const rest = this.at_end() ? 'the end' : `'${Array.from(this.text.slice(this.at, this.at + 40)).slice(0, 16).join('')}'`;
    throw new QueryError(`expected ${expected}, got ${rest}`, this.at);
  }
}
