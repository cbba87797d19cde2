/** The pictures of a report: sheets of tiles, each decoded when one of its pictures is first shown. */
export class Sheets {
  constructor(raw, atlas, picture_size) {
    this.raw = raw;
    this.atlas = atlas;
    this.picture_size = picture_size;
    this.images = new Map();
  }

  image(sheet, format) {
    if (!this.images.has(sheet)) {
      const type = format === 'png' || format === 'image/png' ? 'image/png' : 'image/jpeg';
      const blob = new Blob([this.raw(`atlas.${sheet}`)], { type });
      this.images.set(sheet, createImageBitmap(blob, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' }));
    }
    return this.images.get(sheet);
  }

  /** @returns {Promise<import('./contract.js').Crop>} */
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
