import { as_array, from_base64 } from './bytes.js';

const kParts = 12; // features that are told one by one

/** A linear classifier of features, as a report holds it. */
export class LinearReadOut {
  /** @param {{weights: string, bias: (number|null)[]}} document */
  constructor({ weights, bias }) {
    this.weights = as_array(from_base64(weights), Float32Array);
    this.bias = bias;
    this.features = this.weights.length / bias.length;
  }

  /** @param {{feature: number, value: number}[]} entries of an item @param {number} label */
  score(entries, label) {
    const bias = this.bias[label];
    if (bias === null) return -Infinity;
    return entries.reduce((sum, { feature, value }) => sum + value * this.weights[label * this.features + feature], bias);
  }

  /** @param {{feature: number, value: number}[]} entries @returns {import('./contract.js').Prediction} */
  predict(entries) {
    const scores = this.bias.map((_, label) => this.score(entries, label));
    const order = [...scores.keys()].sort((x, y) => scores[y] - scores[x] || x - y);
    const [best, second] = order;
    const parts = entries
      .map(({ feature, value: activation }) => ({ feature, activation, weight: this.weights[best * this.features + feature] }))
      .map((part) => ({ ...part, value: part.activation * part.weight }))
      .filter(({ value }) => value !== 0)
      .sort((x, y) => Math.abs(y.value) - Math.abs(x.value) || x.feature - y.feature);
    const others = parts.slice(kParts);
    return {
      class: best,
      score: scores[best],
      bias: this.bias[best],
      parts: parts.slice(0, kParts),
      others: { features: others.length, value: others.reduce((sum, { value }) => sum + value, 0) },
      runner_up: second !== undefined && Number.isFinite(scores[second]) ? { class: second, score: scores[second] } : null,
    };
  }
}
