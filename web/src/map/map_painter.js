import { PointGrid } from './point_grid.js';

const kMargin = 0.06;
const kMostZoom = 200;
const kSamePlace = 0.02;

/** Which pixels of a square of `size` belong to a round dot. @param {number} size */
function dot(size) {
  /** @type {[number, number][]} */
  const places = [];
  const middle = (size - 1) / 2;
  for (let y = 0; y < size; ++y) {
    for (let x = 0; x < size; ++x) {
      if ((x - middle) ** 2 + (y - middle) ** 2 <= (size / 2) ** 2 + 0.1) places.push([x - Math.floor(middle), y - Math.floor(middle)]);
    }
  }
  return places;
}

/** The middle of what is shown, in the layout, and how much larger than the whole. @typedef {{x: number, y: number, zoom: number}} MapPlace */

/** Paints points by writing pixels, which keeps 60,000 of them fluent without a graphics card. */
export class MapPainter {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    const context = canvas.getContext('2d');
    if (!context) throw new Error('This browser cannot draw the map.');
    this.context = context;
    this.ratio = 1;
    /** @type {MapPlace} */
    this.view = { x: 0, y: 0, zoom: 1 };
    /** @type {Float32Array} */
    this.points = new Float32Array(0);
    /** @type {Uint32Array} */
    this.colours = new Uint32Array(0);
    /** @type {Uint32Array|null} */
    this.order = null;
    /** @type {{image: ImageData, pixels: Uint32Array}|null} */
    this.sheet = null;
    this.marked = -1;
    this.frame = 0;
  }

  /** @param {Float32Array} points */
  set_points(points) {
    this.points = points;
    this.grid = new PointGrid(points);
    this.plan();
  }

  /** @param {Uint32Array} colours a pixel for each point @param {Uint32Array|null} order which is painted last */
  set_colours(colours, order) {
    this.colours = colours;
    this.order = order;
    this.paint(); // at once, as paper does not wait
  }

  /** @param {number} width @param {number} height @param {number} ratio  pixels of the canvas for one of the screen */
  resize(width, height, ratio) {
    this.ratio = ratio;
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
    const image = this.context.createImageData(this.canvas.width, this.canvas.height);
    this.sheet = { image, pixels: new Uint32Array(image.data.buffer) };
    this.plan();
  }

  /** Pixels of the canvas for one unit of the layout. */
  get scale() {
    return (Math.min(this.canvas.width, this.canvas.height) / 2) * (1 - kMargin) * this.view.zoom;
  }

  /** @param {number} x @param {number} y */
  to_layout(x, y) {
    return {
      x: (x * this.ratio - this.canvas.width / 2) / this.scale + this.view.x,
      y: -(y * this.ratio - this.canvas.height / 2) / this.scale + this.view.y,
    };
  }

  /** @param {number} point */
  to_screen(point) {
    return {
      x: (this.canvas.width / 2 + (this.points[2 * point] - this.view.x) * this.scale) / this.ratio,
      y: (this.canvas.height / 2 - (this.points[2 * point + 1] - this.view.y) * this.scale) / this.ratio,
    };
  }

  /** @param {number} x @param {number} y */
  pan(x, y) {
    this.view.x -= (x * this.ratio) / this.scale;
    this.view.y += (y * this.ratio) / this.scale;
    this.plan();
  }

  /**
   * Zooms by `factor` around a place of the screen, which stays where it is.
   * @param {number} factor
   * @param {number} x
   * @param {number} y
   */
  zoom(factor, x, y) {
    const before = this.to_layout(x, y);
    this.view.zoom = Math.min(kMostZoom, Math.max(0.5, this.view.zoom * factor));
    const after = this.to_layout(x, y);
    this.view.x += before.x - after.x;
    this.view.y += before.y - after.y;
    this.plan();
  }

  /** Zooms around the middle. @param {number} factor */
  zoom_in(factor) {
    this.zoom(factor, this.canvas.clientWidth / 2, this.canvas.clientHeight / 2);
  }

  reset() {
    this.view = { x: 0, y: 0, zoom: 1 };
    this.plan();
  }

  /** Shows a place, unless that is where it stands but for rounding. @param {MapPlace|null} place  null: the whole map */
  show(place) {
    const { x, y, zoom } = place ?? { x: 0, y: 0, zoom: 1 };
    const apart = Math.max(Math.abs(x - this.view.x), Math.abs(y - this.view.y)) * zoom + Math.abs(Math.log(zoom / this.view.zoom));
    if (apart < kSamePlace) return;
    this.view = { x, y, zoom };
    this.plan();
  }

  /** @param {number} x @param {number} y @returns {number} the item at a place of the screen, or -1 */
  at(x, y) {
    if (!this.grid) return -1;
    const place = this.to_layout(x, y);
    return this.grid.nearest(place.x, place.y, (10 * this.ratio) / this.scale);
  }

  in_the_middle() {
    return this.at(this.canvas.clientWidth / 2, this.canvas.clientHeight / 2);
  }

  /** @param {number} point  -1: none */
  mark(point) {
    if (point === this.marked) return;
    this.marked = point;
    this.plan();
  }

  plan() {
    if (!this.frame && this.sheet) this.frame = requestAnimationFrame(() => this.paint());
  }

  stop() {
    cancelAnimationFrame(this.frame);
  }

  paint() {
    this.frame = 0;
    if (!this.sheet) return;
    const { image, pixels } = this.sheet;
    const { points, colours, scale, order } = this;
    const { width, height } = this.canvas;
    pixels.fill(0);
    const count = Math.min(points.length / 2, colours.length);
    const size = Math.round(Math.min(9, (count > 20000 ? 2 : count > 4000 ? 3 : 5) * this.view.zoom ** 0.35) * Math.min(2, this.ratio));
    const places = dot(Math.max(2, size));
    const left = width / 2 - this.view.x * scale;
    const top = height / 2 + this.view.y * scale;
    for (let at = 0; at < count; ++at) {
      const point = order ? order[at] : at;
      const x = (left + points[2 * point] * scale) | 0;
      const y = (top - points[2 * point + 1] * scale) | 0;
      if (x < 9 || y < 9 || x >= width - 10 || y >= height - 10) continue;
      for (const [dx, dy] of places) pixels[(y + dy) * width + x + dx] = colours[point];
    }
    this.context.putImageData(image, 0, 0);
    if (this.marked >= 0) this.paint_mark();
  }

  paint_mark() {
    const { x, y } = this.to_screen(this.marked);
    this.context.lineWidth = 2 * this.ratio;
    this.context.strokeStyle = getComputedStyle(this.canvas).color;
    this.context.beginPath();
    this.context.arc(x * this.ratio, y * this.ratio, 7 * this.ratio, 0, 2 * Math.PI);
    this.context.stroke();
  }
}
