import { useEffect, useRef, useState } from 'preact/hooks';
import { usePage } from '../context.js';
import { box_on_tile, tint } from '../heat.js';
import { SoundFrame } from './sound_frame.jsx';

const kLeastSide = 160; // of what is painted, in pixels
const kLongest = 560; // of a sound that is longer than what the network hears at once

/**
 * The picture of an item with a map over it, or without one as it is; `framed` writes seconds and frequencies beside that of a sound.
 * @param {{item: number, size: number, where: import('../source/contract.js').Where|null, map: import('../source/contract.js').HeatMap|null, label: string, framed?: boolean}} props
 */
export function HeatPicture({ item, size, where, map, label, framed = false }) {
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
  const wide = !framed || !where?.sound ? size : Math.min(kLongest, Math.max(size, size / where.box[2]));
  const picture = <canvas ref={canvas} class={`picture smooth ${state}`} width={1} height={1} data-item={item} role="img" aria-label={label} style={{ width: `${wide}px`, height: `${size}px` }} />;
  return framed && where?.sound ? <SoundFrame sound={where.sound} width={wide} height={size}>{picture}</SoundFrame> : picture;
}
