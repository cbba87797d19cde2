const kCells = 128;

/** Points [N, 2] in -1 .. 1, sorted into square cells, to find the one nearest to a place. */
export class PointGrid {
  /** @param {Float32Array} points */
  constructor(points) {
    this.points = points;
    const size = points.length / 2;
    const cell_of = new Uint16Array(size);
    this.starts = new Uint32Array(kCells * kCells + 1);
    for (let i = 0; i < size; ++i) {
      cell_of[i] = this.cell(points[2 * i + 1]) * kCells + this.cell(points[2 * i]);
      ++this.starts[cell_of[i] + 1];
    }
    for (let at = 0; at < kCells * kCells; ++at) this.starts[at + 1] += this.starts[at];
    const next = this.starts.slice();
    this.members = new Uint32Array(size);
    for (let i = 0; i < size; ++i) this.members[next[cell_of[i]]++] = i;
  }

  /** @param {number} position */
  cell(position) {
    return Math.min(kCells - 1, Math.max(0, Math.floor(((position + 1) / 2) * kCells)));
  }

  /** @param {number} x @param {number} y @param {number} radius @returns {number} the point nearest to (x, y) within `radius`, or -1 */
  nearest(x, y, radius) {
    let best = -1;
    let least = radius * radius;
    for (let row = this.cell(y - radius); row <= this.cell(y + radius); ++row) {
      const first = this.starts[row * kCells + this.cell(x - radius)];
      const end = this.starts[row * kCells + this.cell(x + radius) + 1];
      for (let at = first; at < end; ++at) {
        const point = this.members[at];
        const distance = (this.points[2 * point] - x) ** 2 + (this.points[2 * point + 1] - y) ** 2;
        if (distance < least) {
          least = distance;
          best = point;
        }
      }
    }
    return best;
  }
}
