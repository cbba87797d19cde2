import { usePage } from '../context.js';
import { shortened } from '../format.js';
import { useName } from '../names.js';
import { to_feature } from '../route.js';
import { Term } from './term.jsx';

/**
 * A feature as a link, by number and, where it has one, by name.
 * @param {{run: number, feature: number, query?: import('../route.js').NewQuery, length?: number}} props
 */
export function FeatureLink({ run, feature, query, length = 32 }) {
  const { names } = usePage();
  const { note } = useName(names, run, feature);
  const { name, proposed } = names.shown(run, feature);
  return (
    <a class="feature-link" href={to_feature(run, feature, query)} title={note ? shortened(note, 300) : undefined}>
      <span class="feature-number">{feature}</span>
      {name && <span class={proposed ? 'feature-name proposed' : 'feature-name'}> {shortened(name, length)}{proposed && '?'}</span>}
    </a>
  );
}

/** @param {{run: number, flags: string[], duplicate_of: number|null}} props */
export function Flags({ run, flags, duplicate_of }) {
  if (flags.length === 0) return null;
  return (
    <span class="flags">
      {flags.map((flag) => (
        <span key={flag} class={`flag ${flag}`}>
          <Term id={flag}>{flag}</Term>
          {flag === 'duplicate' && duplicate_of !== null && (
            <>
              {' of '}
              <FeatureLink run={run} feature={duplicate_of} length={16} />
            </>
          )}
        </span>
      ))}
    </span>
  );
}
