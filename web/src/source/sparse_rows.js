// Features [N, D] in compressed rows, and what the page computes from them: the same definitions as the server's.

export const kFiring = 1e-5; // a feature fires where its magnitude is above

export class SparseRows {
  /** @param {Uint32Array} indptr @param {Uint16Array|Uint32Array} indices @param {Float32Array} values */
  constructor(indptr, indices, values) {
    this.indptr = indptr;
    this.indices = indices;
    this.values = values;
    this.rows = indptr.length - 1;
    if (indptr[this.rows] !== values.length || indices.length !== values.length) {
      throw new Error('The data of this page is damaged: rows and values do not agree.');
    }
  }

  /** @param {number} row @returns {number} */
  active(row) {
    let active = 0;
    for (let at = this.indptr[row]; at < this.indptr[row + 1]; ++at) active += Number(Math.abs(this.values[at]) > kFiring);
    return active;
  }

  /** @param {number} row @returns {number} */
  norm(row) {
    let sum = 0;
    for (let at = this.indptr[row]; at < this.indptr[row + 1]; ++at) sum += this.values[at] ** 2;
    return Math.sqrt(sum);
  }

  /** All that is stored of a row. @param {number} row @returns {{feature: number, value: number}[]} */
  all(row) {
    const entries = [];
    for (let at = this.indptr[row]; at < this.indptr[row + 1]; ++at) entries.push({ feature: this.indices[at], value: this.values[at] });
    return entries;
  }

  /** @param {number} row @returns {{feature: number, value: number, share: number}[]} strongest first, at most 256 */
  entries(row) {
    const square = this.norm(row) ** 2;
    const entries = [];
    for (let at = this.indptr[row]; at < this.indptr[row + 1]; ++at) {
      const value = this.values[at];
      if (Math.abs(value) > kFiring) entries.push({ feature: this.indices[at], value, share: value ** 2 / square });
    }
    entries.sort((x, y) => Math.abs(y.value) - Math.abs(x.value) || x.feature - y.feature);
    return entries.slice(0, 256);
  }

  /**
   * Cosine of two rows as a sum of parts; the score is their sum.
   * @param {number} a
   * @param {number} b
   * @returns {import('./contract.js').Explanation}
   */
  explain(a, b) {
    const scale = this.norm(a) * this.norm(b);
    if (scale === 0) return { a, b, score: 0, parts: [], shared: 0 };
    const parts = [];
    const end_a = this.indptr[a + 1];
    const end_b = this.indptr[b + 1];
    for (let at = this.indptr[a], other = this.indptr[b]; at < end_a && other < end_b; ) {
      const difference = this.indices[at] - this.indices[other];
      if (difference === 0) {
        const contribution = (this.values[at] * this.values[other]) / scale;
        if (contribution !== 0) {
          parts.push({ feature: this.indices[at], a: this.values[at], b: this.values[other], contribution });
        }
      }
      if (difference <= 0) ++at;
      if (difference >= 0) ++other;
    }
    parts.sort((x, y) => Math.abs(y.contribution) - Math.abs(x.contribution) || x.feature - y.feature);
    const score = parts.reduce((sum, part) => sum + part.contribution, 0);
    return { a, b, score, parts, shared: parts.length };
  }

  /** Some of the rows, in this order. @param {number[]} items @returns {SparseRows} */
  subset(items) {
    const indptr = new Uint32Array(items.length + 1);
    items.forEach((item, at) => (indptr[at + 1] = indptr[at] + this.indptr[item + 1] - this.indptr[item]));
    const indices = this.indices instanceof Uint16Array ? new Uint16Array(indptr[items.length]) : new Uint32Array(indptr[items.length]);
    const values = new Float32Array(indptr[items.length]);
    items.forEach((item, at) => {
      indices.set(this.indices.subarray(this.indptr[item], this.indptr[item + 1]), indptr[at]);
      values.set(this.values.subarray(this.indptr[item], this.indptr[item + 1]), indptr[at]);
    });
    return new SparseRows(indptr, indices, values);
  }

  /**
   * How every feature differs between the rows where `chosen` is not 0 and the others.
   * @param {Uint8Array} chosen
   * @param {number} features  how many there are
   * @returns {import('./contract.js').Contrast}
   */
  contrast(chosen, features) {
    const [firing, firing_others] = [new Uint32Array(features), new Uint32Array(features)];
    const [sum, sum_others, squares] = [new Float64Array(features), new Float64Array(features), new Float64Array(features)];
    let items = 0;
    for (let row = 0; row < this.rows; ++row) {
      const [fires, sums] = chosen[row] ? [firing, sum] : [firing_others, sum_others];
      items += Number(chosen[row] !== 0);
      for (let at = this.indptr[row]; at < this.indptr[row + 1]; ++at) {
        const feature = this.indices[at];
        const value = this.values[at];
        if (Math.abs(value) > kFiring) ++fires[feature];
        sums[feature] += value;
        squares[feature] += value * value;
      }
    }
    const others = this.rows - items;
    const one = (/** @type {number} */ feature) => {
      const mean = (sum[feature] + sum_others[feature]) / this.rows;
      return {
        feature, firing: firing[feature], firing_others: firing_others[feature], mean: items ? sum[feature] / items : 0, mean_others: others ? sum_others[feature] / others : 0,
        deviation: Math.sqrt(Math.max(0, squares[feature] / this.rows - mean * mean)),
      };
    };
    return { items, others, features: Array.from({ length: features }, (_, feature) => one(feature)) };
  }

  /**
   * The cosine of every row with features from elsewhere.
   * @param {Float32Array} query  [D]
   * @returns {Float64Array}
   */
  cosines(query) {
    const length = Math.sqrt(query.reduce((sum, value) => sum + value * value, 0));
    const scores = new Float64Array(this.rows);
    for (let row = 0; row < this.rows; ++row) {
      let [product, square] = [0, 0];
      for (let at = this.indptr[row]; at < this.indptr[row + 1]; ++at) {
        const value = this.values[at];
        product += query[this.indices[at]] * value;
        square += value * value;
      }
      scores[row] = square > 0 && length > 0 ? product / (length * Math.sqrt(square)) : 0;
    }
    return scores;
  }

  /** @param {number} feature @returns {Float32Array} one feature of every row */
  column(feature) {
    const column = new Float32Array(this.rows);
    for (let row = 0, at = 0; row < this.rows; ++row) {
      for (const end = this.indptr[row + 1]; at < end; ++at) {
        if (this.indices[at] === feature) column[row] = this.values[at];
      }
    }
    return column;
  }
}
