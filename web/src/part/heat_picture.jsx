import { useEffect, useRef, useState } from 'preact/hooks';
import { usePage } from '../context.js';
import { box_on_tile, tint } from '../heat.js';

const kLeastSide = 160; // of what is painted, in pixels

/**
 * The picture of an item with a map over it, or without one as it is.
 * @param {{item: number, size: number, where: import('../source/contract.js').Where|null, map: import('../source/contract.js').HeatMap|null, label: string}} props
 */
export function HeatPicture({ item, size, where, map, label }) {
  const { source } = usePage();
  const canvas = useRef(/** @type {HTMLCanvasElement|null} */ (null));
  const [state, set_state] = useState('waiting');
  useEffect(() => {
    let current = true;
    const paint = async () => {
      const { image, x, y, width, height } = await source.picture(item);
      const target = canvas.current;
      if (!current || !target) return;
      const times = Math.max(1, Math.ceil(kLeastSide / Math.max(width, height)));
      target.width = width * times;
      target.height = height * times;
      const context = target.getContext('2d', { willReadFrequently: true });
      if (!context) return;
      context.imageSmoothingEnabled = false;
      context.drawImage(image, x, y, width, height, 0, 0, target.width, target.height);
      if (where && map) {
        const pixels = context.getImageData(0, 0, target.width, target.height);
        tint(pixels.data, target.width, target.height, where.grid, box_on_tile(where, width, height, !source.live), map.parts);
        context.putImageData(pixels, 0, 0);
      }
      set_state(where && map ? 'shown heat' : 'shown');
    };
    paint().catch(() => current && set_state('missing'));
    return () => {
      current = false;
    };
  }, [source, item, where, map]);
  return <canvas ref={canvas} class={`picture smooth ${state}`} width={1} height={1} data-item={item} role="img" aria-label={label} style={{ width: `${size}px`, height: `${size}px` }} />;
}
