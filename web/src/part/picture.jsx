import { useEffect, useRef, useState } from 'preact/hooks';
import { usePage } from '../context.js';

/** Runs work when the page has nothing else to do. @param {() => void} work @returns {() => void} undo */
function when_idle(work) {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, 500);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: 2000 });
  return () => cancelIdleCallback(handle);
}

/**
 * The picture of an item, pixel for pixel, enlarged without smoothing. Painted at once near the screen, otherwise when
 * there is time, so that all are there in print.
 * @param {{item: number, size?: number}} props
 */
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
    const begin = () => {
      watcher.disconnect();
      dismiss();
      paint();
    };
    const watcher = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && begin(), { rootMargin: '200px' });
    const dismiss = when_idle(begin);
    if (canvas.current) watcher.observe(canvas.current);
    return () => {
      current = false;
      watcher.disconnect();
      dismiss();
    };
  }, [source, item]);
  return <canvas ref={canvas} class={`picture ${state}`} width={1} height={1} data-item={item} style={{ width: `${size}px`, height: `${size}px` }} aria-hidden="true" />;
}
