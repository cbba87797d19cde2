const kMostShown = 400; // points in view from which on there is no room for pictures
const kMostDrawn = 160;
const kSmallest = 22; // pixels of the screen
const kLargest = 64;

/**
 * Which points in view get a picture, so that none covers another: those that come first.
 * @param {{point: number, x: number, y: number}[]} places  on the screen
 * @param {number} size
 */
export function without_overlap(places, size) {
  /** @type {Map<string, {x: number, y: number}[]>} */
  const taken = new Map();
  const cell = (/** @type {number} */ at) => Math.floor(at / size);
  return places.filter(({ x, y }) => {
    for (let row = cell(y) - 1; row <= cell(y) + 1; ++row) {
      for (let column = cell(x) - 1; column <= cell(x) + 1; ++column) {
        if (taken.get(`${row}/${column}`)?.some((other) => Math.abs(other.x - x) < size && Math.abs(other.y - y) < size)) return false;
      }
    }
    const key = `${cell(y)}/${cell(x)}`;
    taken.set(key, [...(taken.get(key) ?? []), { x, y }]);
    return true;
  });
}

/** The pictures of the points in view, once one has zoomed in far enough. */
export class Thumbnails {
  /** @param {(item: number) => Promise<import('../source/contract.js').Crop>} picture @param {() => void} arrived */
  constructor(picture, arrived) {
    this.picture = picture;
    this.arrived = arrived;
    /** @type {Map<number, import('../source/contract.js').Crop|null>} */
    this.known = new Map();
  }

  /** @param {number} item */
  ask(item) {
    if (this.known.has(item)) return this.known.get(item);
    this.known.set(item, null);
    this.picture(item).then(
      (crop) => {
        this.known.set(item, crop);
        this.arrived();
      },
      () => {}, // the dot stays
    );
    return null;
  }

  /**
   * Draws them; says of how many points.
   * @param {CanvasRenderingContext2D} context
   * @param {import('./map_painter.js').MapPainter} map
   */
  draw(context, map) {
    const { ratio, canvas, colours, dim } = map;
    const places = map.in_view(kMostShown);
    if (!places || places.length === 0) return 0;
    const [width, height] = [canvas.width / ratio, canvas.height / ratio];
    const size = Math.max(kSmallest, Math.min(kLargest, Math.round(Math.sqrt((width * height) / places.length) * 0.8)));
    places.sort((x, y) => Number(colours[x.point] === dim) - Number(colours[y.point] === dim) || x.point - y.point);
    const drawn = without_overlap(places, size + 4).slice(0, kMostDrawn);
    context.imageSmoothingEnabled = false;
    for (const { point, x, y } of drawn) {
      const crop = this.ask(point);
      if (!crop) continue;
      const side = size * ratio;
      const [left, top] = [(x - size / 2) * ratio, (y - size / 2) * ratio];
      const colour = colours[point];
      context.globalAlpha = colour === dim ? 0.3 : 1;
      context.fillStyle = `rgb(${colour & 255} ${(colour >> 8) & 255} ${(colour >> 16) & 255})`;
      context.fillRect(left - 2 * ratio, top - 2 * ratio, side + 4 * ratio, side + 4 * ratio);
      context.drawImage(crop.image, crop.x, crop.y, crop.width, crop.height, left, top, side, side);
    }
    context.globalAlpha = 1;
    return drawn.length;
  }
}
