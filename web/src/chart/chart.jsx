import { plot } from '@observablehq/plot';
import { useEffect, useRef } from 'preact/hooks';

const kLeast = 220;

/**
 * A chart of Observable Plot as wide as its place; `options(width)` are Plot's. `label` says what it shows.
 * @param {{options: (width: number) => import('@observablehq/plot').PlotOptions, label: string,
 *   keys: (string|number)[], height?: number}} props
 */
export function Chart({ options, label, keys, height = 200 }) {
  const place = useRef(/** @type {HTMLDivElement|null} */ (null));
  useEffect(() => {
    const box = place.current;
    if (!box) return undefined;
    const draw = () => {
      const width = Math.max(kLeast, Math.floor(box.clientWidth));
      if (box.dataset.width === String(width)) return;
      box.dataset.width = String(width);
      box.replaceChildren(
        plot({ width, height, marginLeft: 48, marginBottom: 34, style: { fontSize: '11px' }, ariaLabel: label, ...options(width) }),
      );
    };
    const watcher = new ResizeObserver(draw);
    // A task of its own, so that the text of the page is painted before its charts.
    const timer = setTimeout(() => {
      draw();
      watcher.observe(box);
    });
    return () => {
      clearTimeout(timer);
      watcher.disconnect();
      delete box.dataset.width;
    };
  }, keys);
  return <div class="chart" ref={place} role="img" aria-label={label} style={{ minHeight: `${height}px` }} />;
}
