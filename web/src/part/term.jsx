import { useId } from 'preact/hooks';
import { kTerms, section_of } from '../measures.js';

/**
 * A word of the page with its definition: on hover, and on click or Enter with the place in the documentation.
 * @param {{id: string, children?: import('preact').ComponentChildren}} props
 */
export function Term({ id, children }) {
  const box = useId();
  const term = kTerms[id];
  if (!term) return <span>{children ?? id}</span>;
  const unit = term.unit ? ` Unit: ${term.unit}.` : '';
  return (
    <span class="term">
      <button type="button" class="term-word" popovertarget={box} title={term.about + unit}>
        {children ?? term.name}
      </button>
      <span id={box} popover="auto" class="term-about">
        <strong>{term.name}.</strong> {term.about}
        {unit} <span class="quiet">More: docs/measures.md#{section_of(id)}</span>
      </span>
    </span>
  );
}
