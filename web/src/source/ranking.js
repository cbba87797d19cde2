/**
 * The places of the largest scores, largest first, of equals the lower place.
 * @param {ArrayLike<number>} scores
 * @param {number} most
 * @param {Uint8Array|null} [among]  if given, only places where it is not 0
 * @returns {number[]}
 */
export function best_of(scores, most, among = null) {
  /** @type {number[]} */
  const heap = []; // the worst of the best is at its root
  const worse = (/** @type {number} */ x, /** @type {number} */ y) => scores[x] < scores[y] || (scores[x] === scores[y] && x > y);
  const swap = (/** @type {number} */ i, /** @type {number} */ j) => ([heap[i], heap[j]] = [heap[j], heap[i]]);
  const sink = () => {
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) if (child < heap.length && worse(heap[child], heap[least])) least = child;
      if (least === at) return;
      swap(at, least);
      at = least;
    }
  };
  for (let place = 0; place < scores.length; ++place) {
    if (among && !among[place]) continue;
    if (heap.length < most) {
      heap.push(place);
      for (let at = heap.length - 1; at > 0 && worse(heap[at], heap[(at - 1) >> 1]); at = (at - 1) >> 1) swap(at, (at - 1) >> 1);
    } else if (most > 0 && worse(heap[0], place)) {
      heap[0] = place;
      sink();
    }
  }
  return heap.sort((x, y) => scores[y] - scores[x] || x - y);
}
