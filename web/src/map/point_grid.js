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

  /**
   * Calls `visit` for every point in the cells that a rectangle touches, until it returns true.
   * @param {number} left
   * @param {number} bottom
   * @param {number} right
   * @param {number} top
   * @param {(point: number, x: number, y: number) => boolean|void} visit
   */
  visit(left, bottom, right, top, visit) {
    for (let row = this.cell(bottom); row <= this.cell(top); ++row) {
      const first = this.starts[row * kCells + this.cell(left)];
      const end = this.starts[row * kCells + this.cell(right) + 1];
      for (let at = first; at < end; ++at) {
        const point = this.members[at];
        if (visit(point, this.points[2 * point], this.points[2 * point + 1])) return;
      }
    }
  }

  /** The points of a rectangle, or null if there are more than `most`. @param {number} left @param {number} bottom @param {number} right @param {number} top @param {number} most */
  within(left, bottom, right, top, most) {
    /** @type {number[]} */
    const found = [];
    this.visit(left, bottom, right, top, (point, x, y) => {
      if (x >= left && x <= right && y >= bottom && y <= top) found.push(point);
      return found.length > most;
    });
    return found.length > most ? null : found;
  }

  /** The points inside a closed line. @param {number[]} line  x and y in turn @returns {number[]} */
  inside(line) {
    let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let at = 0; at < line.length; at += 2) {
      [left, right] = [Math.min(left, line[at]), Math.max(right, line[at])];
      [bottom, top] = [Math.min(bottom, line[at + 1]), Math.max(top, line[at + 1])];
    }
    /** @type {number[]} */
    const found = [];
    this.visit(left, bottom, right, top, (point, x, y) => {
      let odd = false; // of the edges that a ray to the right crosses
      for (let at = 0, last = line.length - 2; at < line.length; last = at, at += 2) {
        const [x0, y0, x1, y1] = [line[at], line[at + 1], line[last], line[last + 1]];
        if (y0 > y !== y1 > y && x < ((x1 - x0) * (y - y0)) / (y1 - y0) + x0) odd = !odd;
      }
      if (odd) found.push(point);
    });
    return found;
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
