const kCells = 32; // of the grid, in each direction
const kBorder = 10; // pixels at each edge in which no dot begins, so that none is cut

/** Where the pixels of a round dot lie, as steps in a picture of this width. @param {number} size @param {number} width */
export function dot(size, width) {
  const steps = [];
  const middle = (size - 1) / 2;
  for (let y = 0; y < size; ++y) {
    for (let x = 0; x < size; ++x) {
      if ((x - middle) ** 2 + (y - middle) ** 2 <= (size / 2) ** 2 + 0.1) steps.push((y - Math.floor(middle)) * width + x - Math.floor(middle));
    }
  }
  return Int32Array.from(steps);
}

/** How large a dot is: smaller where there are more, larger where one has zoomed in. @param {number} points @param {number} zoom @param {number} ratio */
export function dot_size(points, zoom, ratio) {
  const base = points > 200000 ? 1 : points > 20000 ? 2 : points > 4000 ? 3 : 5;
  return Math.max(points > 200000 ? 1 : 2, Math.round(Math.min(9, base * zoom ** 0.35) * Math.min(2, ratio)));
}

/** @param {number} position  in -1 .. 1 */
const cell = (position) => Math.min(kCells - 1, Math.max(0, Math.floor(((position + 1) / 2) * kCells)));

/**
 * Points and their colours in the order of painting: by rank, and of equal rank cell by cell of a grid. So what is out of
 * view is skipped without being looked at, and what is painted one after the other lies close together in memory.
 */
export class PointsSheet {
  /**
   * @param {Float32Array} points  [N, 2] in -1 .. 1
   * @param {Uint32Array} colours  [N]
   * @param {Uint8Array|null} ranks  the highest are painted last
   */
  constructor(points, colours, ranks) {
    const count = Math.min(points.length / 2, colours.length);
    this.count = count;
    this.ranks = 1 + (ranks ? ranks.reduce((most, rank) => Math.max(most, rank), 0) : 0);
    this.starts = new Uint32Array(this.ranks * kCells * kCells + 1);
    const places = new Uint32Array(count);
    for (let point = 0; point < count; ++point) {
      places[point] = ((ranks ? ranks[point] : 0) * kCells + cell(points[2 * point + 1])) * kCells + cell(points[2 * point]);
      ++this.starts[places[point] + 1];
    }
    for (let at = 1; at < this.starts.length; ++at) this.starts[at] += this.starts[at - 1];
    const next = this.starts.slice();
    this.x = new Float32Array(count);
    this.y = new Float32Array(count);
    this.colour = new Uint32Array(count);
    for (let point = 0; point < count; ++point) {
      const at = next[places[point]]++;
      this.x[at] = points[2 * point];
      this.y[at] = points[2 * point + 1];
      this.colour[at] = colours[point];
    }
  }

  /**
   * Writes them into a picture. With a `stride` above 1 only every so many.
   * @param {Uint32Array} pixels
   * @param {number} width
   * @param {number} height
   * @param {{left: number, top: number, scale: number}} place  of the origin, and pixels for one unit
   * @param {number} size  of a dot
   * @param {number} stride
   */
  paint(pixels, width, height, { left, top, scale }, size, stride) {
    const { x: xs, y: ys, colour: colours, starts } = this;
    const [wide, high] = [width - 2 * kBorder, height - 2 * kBorder];
    const [from_x, from_y] = [left - kBorder, top - kBorder];
    const first = kBorder * width + kBorder;
    pixels.fill(0);
    if (wide <= 0 || high <= 0) return;
    const steps = dot(size, width);
    const [begin, end] = [cell(-from_x / scale), cell((wide - from_x) / scale)];
    const [bottom, upper] = [cell((from_y - high) / scale), cell(from_y / scale)];
    for (let rank = 0; rank < this.ranks; ++rank) {
      for (let row = bottom; row <= upper; ++row) {
        const cells = (rank * kCells + row) * kCells;
        paint_range(starts[cells + begin], starts[cells + end + 1]);
      }
    }

    /** @param {number} from @param {number} to */
    function paint_range(from, to) {
      const last = steps.length;
      for (let at = from; at < to; at += stride) {
        const x = from_x + xs[at] * scale;
        const y = from_y - ys[at] * scale;
        if (!(x >= 0 && y >= 0 && x < wide && y < high)) continue;
        const place = first + (y | 0) * width + (x | 0);
        const colour = colours[at];
        for (let step = 0; step < last; ++step) pixels[place + steps[step]] = colour;
      }
    }
  }
}
