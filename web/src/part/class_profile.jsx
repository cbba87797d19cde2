import { usePage } from '../context.js';
import { percent, shortened } from '../format.js';
import { class_colour } from '../chart/colours.js';
import { class_name } from './item_tile.jsx';

/** Shares of classes as one thin bar, largest first; described in words for those who do not see it. @param {{profile: number[]}} props */
export function ClassProfile({ profile }) {
  const { overview } = usePage();
  const shares = profile
    .map((share, label) => ({ share, label }))
    .filter(({ share }) => share > 0)
    .sort((x, y) => y.share - x.share);
  if (shares.length === 0) return <span class="quiet">no class profile</span>;
  const words = shares
    .slice(0, 5)
    .map(({ share, label }) => `${shortened(class_name(overview, label), 24)} ${percent(share, 0)}`)
    .join(', ');
  return (
    <span class="profile">
      <span class="profile-bar" role="img" aria-label={`Classes of its items: ${words}`} title={words}>
        {shares.map(({ share, label }) => (
          <i key={label} style={{ width: `${share * 100}%`, background: class_colour(label) }} />
        ))}
      </span>
      <span class="profile-words">{words.split(', ').slice(0, 2).join(', ')}</span>
    </span>
  );
}
