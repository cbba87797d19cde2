import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { number } from '../format.js';
import { Empty } from '../load.jsx';
import { FeatureGlimpse } from '../part/feature_glimpse.jsx';
import { go, to_feature } from '../route.js';
import { from_base64 } from '../source/bytes.js';
import { pixel, ramp, theme_colour } from './colours.js';

/**
 * Absolute cosines between features, one pixel for each pair; hover tells the pair, a click opens the feature.
 * @param {{run: number, correlation: import('../source/contract.js').Run['correlation'], mean: number|null, theme: string}} props
 */
export function HeatMap({ run, correlation, mean, theme }) {
  const canvas = useRef(/** @type {HTMLCanvasElement|null} */ (null));
  const shades = useRef(new Uint8Array(0));
  const [pair, set_pair] = useState(/** @type {{a: number, b: number, cosine: number}|null} */ (null));
  const size = correlation?.size ?? 0;
  useLayoutEffect(() => { // at once, as paper does not wait
    const context = canvas.current?.getContext('2d');
    if (!size || !context) return;
    const values = from_base64(correlation.values);
    const colours = ramp(theme_colour('--heat-low'), theme_colour('--heat-high'), 256).map(pixel);
    const image = context.createImageData(size, size);
    const pixels = new Uint32Array(image.data.buffer);
    for (let at = 0; at < pixels.length; ++at) pixels[at] = colours[values[at]];
    context.putImageData(image, 0, 0);
    shades.current = values;
  }, [correlation, theme]);
  if (!size) return <Empty>No features to compare: none of them is active.</Empty>;
  const at = (/** @type {MouseEvent & {currentTarget: HTMLElement}} */ event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const place = (/** @type {number} */ position, /** @type {number} */ start, /** @type {number} */ length) => Math.min(size - 1, Math.max(0, Math.floor(((position - start) / length) * size)));
    const row = place(event.clientY, box.top, box.height);
    const column = place(event.clientX, box.left, box.width);
    return { a: correlation.order[row], b: correlation.order[column], cosine: shades.current[row * size + column] / 255 };
  };
  return (
    <figure class="heat-map">
      <canvas
        ref={canvas}
        width={size}
        height={size}
        role="img"
        aria-label={`Absolute cosine between ${size} features${mean === null ? '' : `, mean ${number(mean)}`}`}
        onPointerMove={(event) => set_pair(at(event))}
        onPointerLeave={() => set_pair(null)}
        onClick={(event) => go(to_feature(run, at(event).a))}
      />
      <figcaption class="numbers">
        {pair ? (
          <>
            features {pair.a} and {pair.b}: |cosine| {pair.cosine.toFixed(2)}
            <span class="heat-pair">
              <FeatureGlimpse run={run} feature={pair.a} samples={3} />
              {pair.b !== pair.a && <FeatureGlimpse run={run} feature={pair.b} samples={3} />}
            </span>
          </>
        ) : <span class="scale"><i /> 0 to 1, similar features side by side</span>}
      </figcaption>
    </figure>
  );
}
