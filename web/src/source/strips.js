const kMostInStrip = 64;
const kMostKept = 4096;

/** The pictures of a server: those wanted at the same moment come in strips of up to 64, one request each. */
export class Strips {
  /** @param {(path: string) => Promise<Blob>} fetch_blob */
  constructor(fetch_blob) {
    this.fetch_blob = fetch_blob;
    this.kept = new Map();
    this.waiting = [];
  }

  /** @returns {Promise<import('./contract.js').Crop>} */
  picture(item) {
    if (!this.kept.has(item)) {
      const wanted = {};
      const crop = new Promise((resolve, reject) => Object.assign(wanted, { item, resolve, reject }));
      if (this.waiting.length === 0) setTimeout(() => this.send());
      this.waiting.push(wanted);
      this.kept.set(item, crop);
      crop.catch(() => this.kept.delete(item));
      if (this.kept.size > kMostKept) this.kept.delete(this.kept.keys().next().value);
    }
    return this.kept.get(item);
  }

  send() {
    const all = this.waiting;
    this.waiting = [];
    for (let at = 0; at < all.length; at += kMostInStrip) this.strip(all.slice(at, at + kMostInStrip));
  }

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
