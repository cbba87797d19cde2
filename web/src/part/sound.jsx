import { useEffect, useRef, useState } from 'preact/hooks';
import { usePage } from '../context.js';

/** What is heard now: one sound at a time. @type {{audio: HTMLAudioElement, stop: () => void}|null} */
let playing = null;

/** @param {string} url @param {(on: boolean) => void} tell @returns {Promise<void>} */
async function play(url, tell) {
  playing?.stop();
  const audio = new Audio(url);
  const stop = () => {
    audio.pause();
    tell(false);
    if (playing?.audio === audio) playing = null;
  };
  playing = { audio, stop };
  audio.addEventListener('ended', stop);
  tell(true);
  await audio.play().catch(() => stop());
}

/**
 * Plays the sound of an item, or stops it. Nothing where it cannot be heard: not every sound has room in a report.
 * @param {{item: number, words?: boolean}} props
 */
export function PlayButton({ item, words = false }) {
  const { source, overview } = usePage();
  const [on, set_on] = useState(false);
  const [failed, set_failed] = useState(false);
  const sounding = useRef(false);
  sounding.current = on;
  useEffect(() => () => { if (sounding.current) playing?.stop(); }, [item]);
  if (!overview.data.has_sounds || !source.has_sound(item)) return null;
  const toggle = async (/** @type {Event} */ event) => {
    event.preventDefault();
    event.stopPropagation();
    if (on) return playing?.stop();
    try {
      await play(await source.sound(item), set_on);
    } catch {
      set_failed(true);
    }
  };
  const name = failed ? 'cannot be played' : on ? 'Stop' : 'Play';
  return (
    <button type="button" class={`play ${words ? 'button' : ''} ${on ? 'on' : ''}`} onClick={toggle} disabled={failed} aria-label={`${name} the sound of item ${item}`} title={name}>
      <span aria-hidden="true">{on ? '\u25a0' : '\u25b6'}</span>{words && ` ${name}`}
    </button>
  );
}
