import { hz_words, hz_ticks, time_ticks } from '../sound_axes.js';

const kBeside = 52 + 16; // at its left and its right, as the style has them

/**
 * A picture of a sound with what its sides stand for: seconds below, frequencies at its left.
 * @param {{sound: import('../source/contract.js').SoundAxes, width: number, height: number, children: import('preact').ComponentChildren}} props
 */
export function SoundFrame({ sound, width, height, children }) {
  return (
    <div class="sound-frame" style={{ width: `${width + kBeside}px` }}>
      <div class="sound-hz" aria-hidden="true" style={{ height: `${height}px` }}>
        {hz_ticks(sound).map(({ hz, down }) => <span key={hz} style={{ top: `${100 * down}%` }}>{hz_words(hz)}</span>)}
      </div>
      <div class="sound-picture">{children}</div>
      <div class="sound-time" aria-hidden="true">
        {time_ticks(sound).map(({ words, across }) => <span key={words} style={{ left: `${100 * across}%` }}>{words}</span>)}
      </div>
    </div>
  );
}
