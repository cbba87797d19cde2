/**
 * @typedef {{tile_w: number, tile_h: number, per_row: number, per_sheet: number, format: string, width?: number,
 *   height?: number}} Atlas
 */

/** The pictures of a report: sheets of tiles, each decoded when one of its pictures is first shown. */
export class Sheets {
  /**
   * @param {(name: string) => Uint8Array<ArrayBuffer>} raw
   * @param {() => Promise<Atlas>} atlas
   * @param {() => {width: number, height: number}|null} picture_size
   */
  constructor(raw, atlas, picture_size) {
    this.raw = raw;
    this.atlas = atlas;
    this.picture_size = picture_size;
    /** @type {Map<number, Promise<ImageBitmap>>} */
    this.images = new Map();
  }

  /** @param {number} sheet @param {string} format */
  image(sheet, format) {
    let image = this.images.get(sheet);
    if (!image) {
      const type = format === 'png' || format === 'image/png' ? 'image/png' : 'image/jpeg';
      const blob = new Blob([this.raw(`atlas.${sheet}`)], { type });
      image = createImageBitmap(blob, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
      this.images.set(sheet, image);
    }
    return image;
  }

  /** @param {number} item @returns {Promise<import('./contract.js').Crop>} */
  async picture(item) {
    const { tile_w, tile_h, per_row, per_sheet, format, width, height } = await this.atlas();
    const size = this.picture_size();
    const image = await this.image(Math.floor(item / per_sheet), format);
    const place = item % per_sheet;
    return {
      image,
      x: (place % per_row) * tile_w,
      y: Math.floor(place / per_row) * tile_h,
      width: width ?? Math.min(tile_w, size?.width ?? tile_w),
      height: height ?? Math.min(tile_h, size?.height ?? tile_h),
    };
  }
}
