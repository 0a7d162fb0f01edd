import { config, isOn } from '../../app/config.ts';
import { messages } from '../../app/messages.ts';
import { Facts } from '../../ui/facts.tsx';
import { Icon } from '../../ui/icon.tsx';

/** The version of the server, its addresses, and the documentation. */
export function About() {
  const { settings, common } = messages();
  const { version, api_url: api, docs_url: docs, s3_url: s3, files_url: files, public_url: ofPublic } = config();
  return (
    <section class="card" aria-labelledby="settings-about">
      <h2 id="settings-about">{settings.about}</h2>
      <Facts
        rows={[
          [settings.version, `Cubby ${version}`],
          ['API', <code>{api}</code>],
          [settings.filesHost, <code>{files}</code>],
          [settings.publicHost, <code>{ofPublic}</code>],
          ...(isOn('s3') ? [['S3', <code>{s3}</code>] as const] : []),
        ]}
      />
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
