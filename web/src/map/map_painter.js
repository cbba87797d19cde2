import { PointGrid } from './point_grid.js';
import { dot_size, PointsSheet } from './points_sheet.js';

const kMargin = 0.06;
const kMostZoom = 2000;
const kSamePlace = 0.02;
const kBudget = 24; // milliseconds for a picture while the map moves; if all points take longer, some are left out
const kStill = 140; // milliseconds without a move after which all points are painted
const kCoarsest = 16;

/** The middle of what is shown, in the layout, and how much larger than the whole. @typedef {{x: number, y: number, zoom: number}} MapPlace */

/** Paints points by writing pixels, which keeps a million of them moving without a graphics card. */
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
    /** @type {Uint8Array|null} */
    this.ranks = null;
    this.dim = 0; // the colour of points that a filter leaves out
    /** @type {{image: ImageData, pixels: Uint32Array}|null} */
    this.sheet = null;
    /** @type {PointsSheet|null} */
    this.prepared = null;
    /** @type {import('./thumbnails.js').Thumbnails|null} */
    this.thumbnails = null;
    this.pictures = 0; // that are drawn
    /** @type {number[]} */
    this.lasso = []; // x and y in turn, in the layout
    this.marked = -1;
    this.frame = 0;
    this.stale = true; // the points of the sheet are not those of the view
    this.moving = 0; // a timer, while the map moves
    this.cost = 0; // milliseconds that all points take
  }

  /** @param {Float32Array} points */
  set_points(points) {
    this.points = points;
    this.grid = new PointGrid(points);
    this.prepared = null;
    this.plan();
  }

  /** @param {Uint32Array} colours a pixel for each point @param {Uint8Array|null} ranks the highest are painted last @param {number} [dim] */
  set_colours(colours, ranks, dim = 0) {
    this.colours = colours;
    this.ranks = ranks;
    this.dim = dim;
    this.prepared = null;
    this.stale = true;
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

  /** @param {number} x @param {number} y  in the layout */
  place(x, y) {
    return {
      x: (this.canvas.width / 2 + (x - this.view.x) * this.scale) / this.ratio,
      y: (this.canvas.height / 2 - (y - this.view.y) * this.scale) / this.ratio,
    };
  }

  /** @param {number} point */
  to_screen(point) {
    return this.place(this.points[2 * point], this.points[2 * point + 1]);
  }

  /** The points in view and where they are on the screen; null if there are more than `most`. @param {number} most */
  in_view(most) {
    const [low, high] = [this.to_layout(0, this.canvas.height / this.ratio), this.to_layout(this.canvas.width / this.ratio, 0)];
    const found = this.grid?.within(low.x, low.y, high.x, high.y, most) ?? null;
    return found && found.map((point) => ({ point, ...this.to_screen(point) }));
  }

  /** @param {number} x @param {number} y */
  pan(x, y) {
    this.view.x -= (x * this.ratio) / this.scale;
    this.view.y += (y * this.ratio) / this.scale;
    this.move();
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
    this.move();
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
    return this.grid.nearest(place.x, place.y, ((this.pictures ? 18 : 10) * this.ratio) / this.scale);
  }

  in_the_middle() {
    return this.at(this.canvas.clientWidth / 2, this.canvas.clientHeight / 2);
  }

  /** @param {number} point  -1: none */
  mark(point) {
    if (point === this.marked) return;
    this.marked = point;
    this.compose();
  }

  /** @param {number[]} line  of the lasso; empty: none */
  set_lasso(line) {
    this.lasso = line;
    this.compose();
  }

  /** Paints soon, and while the map moves as many points as there is time for. */
  move() {
    clearTimeout(this.moving);
    this.moving = setTimeout(() => {
      this.moving = 0;
      this.plan();
    }, kStill);
    this.plan();
  }

  plan() {
    this.stale = true;
    this.compose();
  }

  /** Puts what is over the points there again; the points too, if they are stale. */
  compose() {
    if (!this.frame && this.sheet) this.frame = requestAnimationFrame(() => this.paint());
  }

  stop() {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.moving);
  }

  /** Of how many points one is painted. */
  get stride() {
    return this.moving ? Math.min(kCoarsest, Math.max(1, Math.ceil(this.cost / kBudget))) : 1;
  }

  paint() {
    this.frame = 0;
    if (!this.sheet) return;
    if (this.stale) this.paint_points(this.sheet.pixels);
    this.context.putImageData(this.sheet.image, 0, 0);
    this.pictures = this.thumbnails?.draw(this.context, this) ?? 0;
    if (this.lasso.length > 2) this.paint_lasso();
    if (this.marked >= 0) this.paint_mark();
  }

  /** @param {Uint32Array} pixels */
  paint_points(pixels) {
    this.prepared ??= new PointsSheet(this.points, this.colours, this.ranks);
    const { width, height } = this.canvas;
    const { scale, stride, prepared } = this;
    const place = { left: width / 2 - this.view.x * scale, top: height / 2 + this.view.y * scale, scale };
    const begin = performance.now();
    prepared.paint(pixels, width, height, place, dot_size(prepared.count, this.view.zoom, this.ratio), stride);
    const cost = (performance.now() - begin) * stride;
    this.cost = this.cost ? Math.min(cost, 2 * this.cost) : cost; // one slow picture is no reason to leave points out
    this.stale = false;
  }

  paint_lasso() {
    const { context, ratio } = this;
    const colour = getComputedStyle(this.canvas).color;
    context.beginPath();
    for (let at = 0; at < this.lasso.length; at += 2) {
      const { x, y } = this.place(this.lasso[at], this.lasso[at + 1]);
      context.lineTo(x * ratio, y * ratio);
    }
    context.closePath();
    context.globalAlpha = 0.12;
    context.fillStyle = colour;
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = 1.5 * ratio;
    context.strokeStyle = colour;
    context.setLineDash([5 * ratio, 4 * ratio]);
    context.stroke();
    context.setLineDash([]);
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
