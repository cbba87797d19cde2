const kVoters = 10;
const kMistakes = 10;
const kLargest = 100; // classes of a table that is told cell by cell

/** The class that most name, of equals the one that is named first; -1 without any. @param {number[]} votes */
export function elected(votes) {
  let [best, most] = [-1, 0];
  for (const vote of votes) {
    const named = votes.filter((other) => other === vote).length;
    if (named > most) [best, most] = [vote, named];
  }
  return best;
}

/**
 * What items are taken for by a vote of their nearest others that have a label: what report::vote_document() says.
 * @param {Int32Array} labels
 * @param {number} classes
 * @param {number} width  how many nearest others are known
 * @param {(item: number) => number[]} nearest
 * @returns {import('./contract.js').Vote}
 */
export function vote_of(labels, classes, width, nearest) {
  const counts = Array.from({ length: classes }, () => new Array(classes).fill(0));
  let [judged, right] = [0, 0];
  for (let item = 0; item < labels.length; ++item) {
    const winner = elected(nearest(item).map((other) => labels[other]).filter((label) => label >= 0).slice(0, kVoters));
    if (winner < 0 || labels[item] < 0) continue;
    ++counts[labels[item]][winner];
    ++judged;
    right += Number(winner === labels[item]);
  }
  const totals = counts.map((row) => row.reduce((sum, items) => sum + items, 0));
  const named = counts.map((_, predicted) => counts.reduce((sum, row) => sum + row[predicted], 0));
  const recall = counts.map((row, label) => (totals[label] ? row[label] / totals[label] : null));
  const precision = counts.map((row, label) => (named[label] ? row[label] / named[label] : null));
  const worst = recall.reduce((/** @type {number|null} */ least, value, label) => (value !== null && (least === null || value < (recall[least] ?? 0)) ? label : least), null);
  const mistakes = counts.flatMap((row, label) => row.flatMap((items, predicted) => (items && predicted !== label ? [{ label, predicted, items, share: items / totals[label] }] : [])));
  mistakes.sort((x, y) => y.share - x.share || y.items - x.items);
  return {
    judged, unlabelled: labels.length - judged, accuracy: judged ? right / judged : null, commonest: judged ? Math.max(...totals) / judged : null, worst, recall, precision,
    counts: classes <= kLargest ? counts : null, mistakes: mistakes.slice(0, kMistakes), k: Math.min(kVoters, width),
  };
}
