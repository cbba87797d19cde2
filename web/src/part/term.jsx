import { useId, useRef } from 'preact/hooks';
import { kTerms } from '../measures.js';

const kGap = 6;

/** Puts a definition below its word, or above where there is no room. @param {HTMLElement} about @param {HTMLElement} word */
function place_beside(about, word) {
  const at = word.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = about;
  const below = at.bottom + kGap + height <= innerHeight || at.top < height + kGap;
  about.style.left = `${Math.max(kGap, Math.min(at.left, document.documentElement.clientWidth - width - kGap))}px`;
  about.style.top = `${below ? at.bottom + kGap : at.top - height - kGap}px`;
}

/**
 * A word of the page with its definition: on hover, and beside it on click or Enter.
 * @param {{id: string, children?: import('preact').ComponentChildren}} props
 */
export function Term({ id, children }) {
  const box = useId();
  const word = useRef(/** @type {HTMLButtonElement|null} */ (null));
  const term = kTerms[id];
  if (!term) return <span>{children ?? id}</span>;
  const unit = term.unit ? ` Unit: ${term.unit}.` : '';
  return (
    <span class="term">
      <button ref={word} type="button" class="term-word" popovertarget={box} title={term.about + unit}>
        {children ?? term.name}
      </button>
      <span id={box} popover="auto" class="term-about" onToggle={(event) => word.current && place_beside(event.currentTarget, word.current)}>
        <strong>{term.name}.</strong> {term.about}
        {unit}
      </span>
    </span>
  );
}
