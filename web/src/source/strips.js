const kMostInStrip = 64;
const kMostKept = 4096;

/**
 * @typedef {import('./contract.js').Crop} Crop
 * @typedef {{item: number, resolve: (crop: Crop) => void, reject: (error: unknown) => void}} Wanted
 */

/** The pictures of a server: those wanted at the same moment come in strips of up to 64, one request each. */
export class Strips {
  /** @param {(path: string) => Promise<Blob>} fetch_blob */
  constructor(fetch_blob) {
    this.fetch_blob = fetch_blob;
    /** @type {Map<number, Promise<Crop>>} */
    this.kept = new Map();
    /** @type {Wanted[]} */
    this.waiting = [];
  }

  /** @param {number} item @returns {Promise<Crop>} */
  picture(item) {
    const known = this.kept.get(item);
    if (known) return known;
    if (this.waiting.length === 0) setTimeout(() => this.send());
    /** @type {Promise<Crop>} */
    const crop = new Promise((resolve, reject) => this.waiting.push({ item, resolve, reject }));
    this.kept.set(item, crop);
    crop.catch(() => this.kept.delete(item));
    const [oldest] = this.kept.keys();
    if (this.kept.size > kMostKept) this.kept.delete(oldest);
    return crop;
  }

  send() {
    const all = this.waiting;
    this.waiting = [];
    for (let at = 0; at < all.length; at += kMostInStrip) this.strip(all.slice(at, at + kMostInStrip));
  }

  /** @param {Wanted[]} wanted */
  async strip(wanted) {
    try {
      const blob = await this.fetch_blob(`/pictures?items=${wanted.map(({ item }) => item).join(',')}`);
      const image = await createImageBitmap(blob, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
      const width = image.width / wanted.length;
      wanted.forEach(({ resolve }, at) => resolve({ image, x: at * width, y: 0, width, height: image.height }));
    } catch (error) {
      wanted.forEach(({ reject }) => reject(error));
    }
  }
}
