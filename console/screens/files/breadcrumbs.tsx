import { messages } from '../../app/messages.ts';
import { plainName } from '../../ui/plain-text.ts';
import { hrefOf, type Place } from './place.ts';

/** The folders above and the folder itself, as the heading of the screen. */
export function Breadcrumbs({ place }: { readonly place: Place }) {
  const folders = place.prefix.split('/').filter(Boolean);
  const { screens } = messages();
  if (folders.length === 0) return <>{screens.files}</>;
  return (
    <span class="breadcrumbs">
      <a href={hrefOf({ ...place, prefix: '' })}>{screens.files}</a>
      {folders.map((folder, index) => (
        <span key={index}>
          <span class="quiet" aria-hidden="true">
            {' / '}
          </span>
          {index === folders.length - 1 ? (
            plainName(folder)
          ) : (
            <a href={hrefOf({ ...place, prefix: `${folders.slice(0, index + 1).join('/')}/` })}>{plainName(folder)}</a>
          )}
        </span>
      ))}
    </span>
  );
}
