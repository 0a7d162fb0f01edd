import { config } from '../../app/config.ts';
import { words } from '../../app/words.ts';
import { Icon } from '../../ui/icon.tsx';

/** The version of the server, its addresses, and the documentation. */
export function About() {
  const { settings, common } = words();
  const { version, api_url: api, docs_url: docs, s3_url: s3, files_url: files, public_url: ofPublic } = config();
  return (
    <section class="card" aria-labelledby="settings-about">
      <h2 id="settings-about">{settings.about}</h2>
      <dl class="facts">
        <dt>{settings.version}</dt>
        <dd>Cubby {version}</dd>
        {[
          ['API', api],
          [settings.filesHost, files],
          [settings.publicHost, ofPublic],
          ['S3', s3],
        ].map(([name, address]) => (
          <>
            <dt key={name}>{name}</dt>
            <dd>
              <code>{address}</code>
            </dd>
          </>
        ))}
      </dl>
      {docs !== null && (
        <div class="actions">
          <a class="button" href={docs} target="_blank" rel="noreferrer">
            <Icon name="book" size={18} />
            {common.docs}
          </a>
        </div>
      )}
    </section>
  );
}
