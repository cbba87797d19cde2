import { useEffect, useRef, useState } from 'preact/hooks';
import { usePage } from '../context.js';

/** The picture of an item, pixel for pixel, enlarged without smoothing. Painted when it comes near the screen. @param {{item: number, size?: number}} props */
export function Picture({ item, size = 56 }) {
  const { source } = usePage();
  const canvas = useRef(/** @type {HTMLCanvasElement|null} */ (null));
  const [state, set_state] = useState('waiting');
  useEffect(() => {
    let current = true;
    const paint = async () => {
      try {
        const { image, x, y, width, height } = await source.picture(item);
        const target = canvas.current;
        if (!current || !target) return;
        target.width = width;
        target.height = height;
        target.getContext('2d')?.drawImage(image, x, y, width, height, 0, 0, width, height);
        set_state('shown');
      } catch {
        if (current) set_state('missing');
      }
    };
    const watcher = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        watcher.disconnect();
        paint();
      },
      { rootMargin: '200px' },
    );
    if (canvas.current) watcher.observe(canvas.current);
    return () => {
      current = false;
      watcher.disconnect();
    };
  }, [source, item]);
  return <canvas ref={canvas} class={`picture ${state}`} width={1} height={1} data-item={item} style={{ width: `${size}px`, height: `${size}px` }} aria-hidden="true" />;
}
