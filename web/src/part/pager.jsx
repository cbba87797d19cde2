import { count } from '../format.js';

/**
 * Which part of a long list is shown; `href(page)` is the address of another.
 * @param {{page: number, size: number, total: number, href: (page: number) => string, what: string}} props
 */
export function Pager({ page, size, total, href, what }) {
  const pages = Math.max(1, Math.ceil(total / size));
  if (total === 0) return null;
  const from = page * size + 1;
  return (
    <nav class="pager" aria-label={`Pages of ${what}`}>
      {page > 0 ? <a class="button" rel="prev" href={href(page - 1)}>Previous</a> : <span class="button off">Previous</span>}
      <span class="numbers">
        {count(from)} to {count(Math.min(total, from + size - 1))} of {count(total)} {what}
      </span>
      {page + 1 < pages ? <a class="button" rel="next" href={href(page + 1)}>Next</a> : <span class="button off">Next</span>}
    </nav>
  );
}
